"""The terminal is tested with one server: how it connects is the client library's, which is tested with two nodes."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.serving import ServerProcess


@pytest.fixture(scope="session")
def server(one_server: "ServerProcess") -> "ServerProcess":
    """The server of all tests."""
    return one_server


@pytest.fixture(scope="session")
def tokens(server: "ServerProcess") -> tuple[str, str]:
    """Two accounts."""
    from tests.client.connecting import new_accounts

    return new_accounts(server)
