"""Fixtures of the tests of rooms."""

import pytest

from tests.server.in_process_server import Served
from tests.server.rooms.thinkers import Thinkers


@pytest.fixture
def choosing(served: Served, monkeypatch: pytest.MonkeyPatch) -> Thinkers:
    """What the server's bots think about when they are to move."""
    thinkers = Thinkers()
    monkeypatch.setattr(served.bots, "choose", thinkers.think)
    return thinkers
