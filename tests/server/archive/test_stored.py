"""Stored events are read forever: every later server must read and replay them.

The files in `stored` are never regenerated. When a kind of event is added, a match that has it is added; a field that
is added has a default, so that what is here still parses. The last line of each is the result of its match.
"""

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from millrace.protocol import Event, MatchId, parse_event
from millrace.server.archive.record_writer import record_of
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.fold import replay
from tests.server.archive.round_trips import check_round_trip
from tests.server.archive.stored_matches import MATCHES


def read(path: Path) -> tuple[tuple[Recorded, ...], dict[str, Any]]:
    *lines, last = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    recorded = (Recorded(line["seq"], Entry(parse_event(json.dumps(line["event"])), line["at_ms"])) for line in lines)
    return tuple(recorded), last["end"]


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_a_stored_match_is_replayed_to_the_same_end(path: Path) -> None:
    recorded, end = read(path)
    match = replay(MatchId("m1"), recorded)
    assert match.ended is not None
    ranks = match.ended.ranks
    assert {"position": match.state.position_text, "plies": match.state.ply, "ranks": ranks and list(ranks)} == end
    assert len(record_of(match.id, recorded).plies) == end["plies"]
    check_round_trip(match.id, recorded)


def test_there_is_an_event_of_every_kind() -> None:
    stored = {type(each.entry.event) for path in MATCHES for each in read(path)[0]}
    assert stored == set(get_args(Event))
