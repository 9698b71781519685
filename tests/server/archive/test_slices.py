"""Long matches become records and texts in slices, so that no move waits for them."""

from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from millrace.protocol import Created, Ended, Event, MatchId, Moved, SeatPlan
from millrace.server.archive.archive_store import record_in_slices
from millrace.server.archive.exports import written
from millrace.server.archive.forms import FORMS
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.runtime import slices

T = TypeVar("T")
PLIES = 4_000


def result_and_turns(work: Coroutine[Any, Any, T]) -> tuple[T, int]:
    """Return what some work leads to, and how often it gives the event loop a turn."""
    turns = 0
    while True:
        try:
            work.send(None)
        except StopIteration as end:
            return end.value, turns
        turns += 1


@pytest.mark.parametrize("form", ["txt", "sgf", "playok"])
def test_a_long_match_is_folded_and_written_in_slices(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.0)
    me = SeatPlan("me")
    events: tuple[Event, ...] = (
        Created("morris", "", (me, me), None),
        *(Moved(ply % 2, "a1-a4", None) for ply in range(PLIES)),
        Ended((1, 1), "agreement", "Agreed"),
    )
    recorded = [Recorded(seq, Entry(event, 0)) for seq, event in enumerate(events, 1)]
    record, turns = result_and_turns(record_in_slices(MatchId("m1"), recorded))
    assert (len(record.plies), turns) == (PLIES, len(recorded))
    text, turns = result_and_turns(written(record, FORMS[form], ""))
    assert text.decode() == FORMS[form].text_of(record)
    assert turns > PLIES / 10
    assert max(map(len, FORMS[form].write(record, ""))) < 500
