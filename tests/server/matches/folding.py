"""Matches as folds of events, for tests of the referee with single commands."""

from collections.abc import Sequence

import pytest

from millrace.protocol import (
    ClockSettings,
    Code,
    CommandId,
    Create,
    Event,
    IdentityId,
    Join,
    MatchCommand,
    MatchId,
    Play,
    Player,
    Resign,
    SeatPlan,
)
from millrace.protocol.refusal import Refusal
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.creation import open_match
from millrace.server.matches.fold import apply_event, replay
from millrace.server.matches.match import Match
from millrace.server.matches.referee import decide

ANN = Player(IdentityId("guest-ann"), "Ann")
BEN = Player(IdentityId("guest-ben"), "Ben")
EVE = Player(IdentityId("guest-eve"), "Eve")
ME, OPEN, BOT = SeatPlan("me"), SeatPlan("open"), SeatPlan("bot", 3)
MATCH = MatchId("m1")


def fold(events: Sequence[Event], at_ms: int = 0, match: Match | None = None) -> Match:
    entries = [Entry(event, at_ms) for event in events]
    if match is None:
        return replay(MATCH, [Recorded(index + 1, entry) for index, entry in enumerate(entries)])
    for entry in entries:
        match = apply_event(match, Recorded(match.seq + 1, entry))
    return match


def create(*seats: SeatPlan, setup: str = "", clock: ClockSettings | None = None, shuffle: bool = False) -> Create:
    return Create(CommandId("c1"), "morris", seats, setup, clock, shuffle)


def waiting() -> Match:
    """A match of Ann's with an open seat."""
    return fold(open_match(create(ME, OPEN), ANN, (0, 1), 0))


def started(setup: str = "", clock: ClockSettings | None = None) -> Match:
    match = fold(open_match(create(ME, OPEN, setup=setup, clock=clock), ANN, (0, 1), 0))
    return obey(match, Join(CommandId("j"), MATCH), BEN)


def under_way(clock: ClockSettings) -> Match:
    """A match in which both have made their first ply, at 0."""
    match = obey(started(clock=clock), play(0, "a7"), ANN)
    return obey(match, play(1, "g7"), BEN)


def obey(match: Match, command: MatchCommand, player: Player, now_ms: int = 0) -> Match:
    return fold(decide(match, command, player, now_ms).events, now_ms, match)


def play(seat: int, move: str) -> Play:
    return Play(CommandId(f"p{seat}{move}"), MATCH, seat, move)


def refusal_of(match: Match, command: MatchCommand, player: Player) -> Code:
    with pytest.raises(Refusal) as refused:
        decide(match, command, player, 0)
    assert refused.value.message
    return refused.value.code


def over() -> Match:
    return obey(started(), Resign(CommandId("r"), MATCH, 0), ANN)
