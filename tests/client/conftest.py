"""One server and two nodes for tests of the client library, and accounts on them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.node_processes import TwoNodes
    from tests.serving import ServerProcess, Site


@pytest.fixture(scope="session")
def two_nodes(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator["TwoNodes"]:
    """Two nodes, each of which serves every other connection."""
    from tests.node_processes import TwoNodes
    from tests.serving import GENEROUS

    with TwoNodes(tmp_path_factory.mktemp("nodes"), *GENEROUS, "--bot-workers", "1") as nodes:
        yield nodes


@pytest.fixture(
    scope="session",
    params=["one server", pytest.param("two nodes", marks=(pytest.mark.postgres, pytest.mark.redis, pytest.mark.slow))],
)
def server(processes: None, request: pytest.FixtureRequest) -> "Site":
    """What the tests connect to: the players of a test are on one server, then on two nodes."""
    site: ServerProcess | TwoNodes = request.getfixturevalue(request.param.replace(" ", "_"))
    return site


@pytest.fixture(scope="session")
def tokens(server: "Site") -> tuple[str, str]:
    """Two accounts for all tests that need some: a server lets nobody make many in an hour."""
    from tests.client.connecting import new_accounts

    return new_accounts(server)
