"""What the pages of a test are served by."""

import pytest

LONE_SERVER, TWO_NODES = "lone_server", "two_nodes"
"""The fixtures."""


def _on_both(*marks: pytest.MarkDecorator) -> pytest.MarkDecorator:
    nodes = pytest.param(TWO_NODES, id="two nodes", marks=(pytest.mark.postgres, pytest.mark.redis, *marks))
    return pytest.mark.parametrize("server", [pytest.param(LONE_SERVER, id="one server"), nodes], indirect=True)


on_two_nodes_too = _on_both()
"""For journeys in which what one page does is news on another: their pages are on one server, then on two nodes.

A page, and each further connection of it, comes to the node that did not take the one before.
"""

on_two_nodes_later = _on_both(pytest.mark.slow)
"""The same with the nodes on the third ring: tests of two nodes within a process show what they do, and the
journeys above that pages work on nodes.
"""
