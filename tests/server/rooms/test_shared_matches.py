"""How often the lines of matches are shared with other nodes."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from millrace.protocol import Created, MatchId, SeatPlan
from millrace.server.cluster.shared_map import SharedMap
from millrace.server.rooms import shared_matches
from millrace.server.rooms.room import Room
from millrace.server.rooms.shared_matches import PLY_SECONDS, MatchLine, SharedMatches
from tests.server.cluster.loopback import LoopbackNetwork

CREATED = Created("morris", "", (SeatPlan("me"), SeatPlan("open")), clock=None)
LINE = MatchLine(CREATED, (None, None), (None, None), 0, 0, is_paused=False, summary=None)


@pytest.fixture
async def lines(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The lines of a node that has rooms of two matches; another node has forty."""
    monkeypatch.setattr(shared_matches, "PLY_VERSIONS_PER_SECOND", 8)
    network = LoopbackNetwork()
    rooms = {"watched": SimpleNamespace(spectator_count=3), "quiet": SimpleNamespace(spectator_count=0)}
    lines = SharedMatches(network.connect(), lambda match: cast("Room | None", rooms.get(match)))
    others = SharedMap(network.connect(), "matches", MatchLine, lambda _: None)
    for number in range(40):
        others.put(f"{number}", LINE)
    while lines.find(MatchId("39")) is None:
        await asyncio.sleep(0.01)
        await network.settle()
    return lines


async def test_the_more_matches_the_more_seldom_their_plies_are_told_to_other_nodes(lines: SharedMatches) -> None:
    assert lines.seconds_after_ply(MatchId("quiet")) == 40 / 8


async def test_a_match_with_spectators_is_kept_up_to_date(lines: SharedMatches) -> None:
    assert lines.seconds_after_ply(MatchId("watched")) == PLY_SECONDS
