"""Finished matches, put into a journal like by rooms, for tests of searches."""

from collections.abc import Sequence

from millrace.protocol import (
    ClockSettings,
    CommandId,
    Created,
    Ended,
    Event,
    IdentityId,
    MatchId,
    Moved,
    Player,
    Seated,
    SeatPlan,
    Started,
)
from millrace.server.journal.entries import Entry, Origin
from millrace.server.journal.journal_store import Journal
from millrace.server.matches.finish import finish_from

DAY_MS = 86_400_000
MOVES = {
    "morris": ("a7", "g1", "d7", "g4"),
    "mingmang": ("a1-b2", "pass"),
}


def person(name: str) -> Player:
    return Player(IdentityId(f"id-{name}"), name, registered=True)


ANN, BEN, CAT, DAN = map(person, ("ann", "ben", "cat", "dan"))


async def store_match(
    journal: Journal,
    match: str,
    players: Sequence[Player],
    ranks: tuple[int, ...] | None,
    day: int,
    game: str = "morris",
    moves: Sequence[str] = ("a7", "g1"),
    *,
    rated: bool = False,
    reason: str = "resignation",
) -> None:
    """Store a match that ended on a day."""
    at_ms = day * DAY_MS
    setup = f"seats={len(players)}" if game == "battlesheep" else ""
    plans = tuple(SeatPlan("open") for _ in players)
    events: list[Event] = [Created(game, setup, plans, ClockSettings(300_000, 2_000), rated=rated)]
    events += [Seated(seat, player) for seat, player in enumerate(players)]
    events.append(Started())
    events += [Moved(index % len(players), move, (300_000,) * len(players)) for index, move in enumerate(moves)]
    events.append(Ended(ranks, reason, "it is over", 0))
    entries = [Entry(event, at_ms) for event in events]
    name = MatchId(match)
    origin = Origin("test", CommandId(match))
    assert await journal.append(name, 0, entries, origin, finish=finish_from(name, entries))
