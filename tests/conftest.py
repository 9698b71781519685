"""What every folder of tests may use."""

from collections.abc import Iterator

import pytest

from tests.serving import ServerProcess


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server for all tests that do it no harm, started when the first of them needs it."""
    with ServerProcess(tmp_path_factory.mktemp("server")) as process:
        process.wait_for_rules()
        yield process
