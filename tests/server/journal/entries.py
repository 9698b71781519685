"""Events as a match might have them, for the tests of what is stored; no rules are needed to store them."""

from collections.abc import Sequence

from millrace.protocol import ClockSettings, CommandId, Created, Ended, MatchId, Moved, SeatPlan
from millrace.server.journal.entries import NO_SEAT, Entry, Origin, Recorded
from millrace.server.journal.journal_store import Journal

CREATED = Created("morris", "", (SeatPlan("me"), SeatPlan("bot", 3)), ClockSettings(300_000, 2_000))
ENDED = Ended((1, 2), "resignation", "White has given up.", 1)
MATCH = MatchId("match")
ORIGIN = Origin("anna", CommandId("create"))


def move(text: str, seat: int = 0, command: str | None = None) -> Entry:
    command_id = None if command is None else CommandId(command)
    return Entry(Moved(seat, text, None), 1_800_000_000_000, seat if command else NO_SEAT, command_id)


def moves_of(recorded: Sequence[Recorded]) -> list[str]:
    assert [record.seq for record in recorded] == list(range(1, len(recorded) + 1))
    return [event.move for _, (event, *_) in recorded if isinstance(event, Moved)]


async def create(journal: Journal, match: MatchId = MATCH, origin: Origin = ORIGIN) -> bool:
    return await journal.append(match, 0, [Entry(CREATED, 1_800_000_000_000, 0, origin.command_id)], origin)
