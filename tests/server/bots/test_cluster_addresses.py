"""The address of a scheduler, as commands are given it."""

import pytest

from tests.commands import run


@pytest.mark.parametrize("address", ["scheduler:8786", "http://scheduler:8786", "tcp://scheduler", "tcp://:8786"])
def test_an_address_that_is_no_schedulers_is_refused_in_words(address: str) -> None:
    for command in (("serve", "--bots", address), ("bot-worker", address)):
        code, output = run(*command)
        assert code == 1
        assert f"such as tcp://scheduler:8786; {address} is not." in output
