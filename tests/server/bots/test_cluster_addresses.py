"""The address of a scheduler in commands."""

import pytest

from tests.commands import output_of


@pytest.mark.parametrize("address", ["scheduler:8786", "http://scheduler:8786", "tcp://scheduler", "tcp://:8786"])
def test_an_address_of_no_scheduler_is_refused_with_a_reason(address: str) -> None:
    for command in (("serve", "--bots", address), ("bot-worker", address)):
        assert f"such as tcp://scheduler:8786; {address} is not." in output_of(*command, code=1)
