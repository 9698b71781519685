"""What the pages of a test are served by."""

import pytest

LONE_SERVER, TWO_NODES = "lone_server", "two_nodes"
"""The fixtures."""

on_two_nodes_too = pytest.mark.parametrize(
    "server",
    [
        pytest.param(LONE_SERVER, id="one server"),
        pytest.param(TWO_NODES, id="two nodes", marks=(pytest.mark.postgres, pytest.mark.redis, pytest.mark.slow)),
    ],
    indirect=True,
)
"""For journeys in which what one page does is news on another: their pages are on one server, then on two nodes.

A page, and each further connection of it, comes to the node that did not take the one before. The second ring tests two
nodes within a process, and with clients.
"""
