"""Tables for tests of the referee: matches without a server, on a simulated clock."""

from collections.abc import Sequence

import pytest

from millrace.protocol import (
    ChooseStandIn,
    ClockSettings,
    Code,
    CommandId,
    Create,
    Ended,
    Event,
    IdentityId,
    Join,
    MatchCommand,
    MatchId,
    Player,
    Resign,
    SeatPlan,
    Started,
    encode,
    parse_event,
)
from millrace.protocol.refusal import Refusal
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.creation import open_match
from millrace.server.matches.fold import replay
from millrace.server.matches.match import Match
from millrace.server.matches.referee import decide, decide_due, decide_ply

PEOPLE = tuple(Player(IdentityId(f"guest-{name}"), name) for name in ("ann", "ben", "cat", "dan"))
ME, OPEN, BOT = SeatPlan("me"), SeatPlan("open"), SeatPlan("bot", 2)
MATCH = MatchId("m1")
ID = CommandId("c")


def left_ms(match: Match, now_ms: int) -> tuple[int, ...]:
    """Return the time left on the clock of each seat."""
    assert match.clock is not None
    return match.clock.left_ms(now_ms)


def only_end(events: Sequence[Event]) -> Ended:
    """Return the end of a match, which is the only event."""
    (ended,) = events
    assert isinstance(ended, Ended)
    return ended


class Table:
    """A match whose events are stored as they come, by the time that the test makes up."""

    def __init__(
        self, setup: str, *plans: SeatPlan, game: str = "battlesheep", clock: ClockSettings | None = None
    ) -> None:
        self.stored: list[Recorded] = []
        self.store(open_match(Create(ID, game, plans, setup, clock), PEOPLE[0], range(len(plans)), 0), 0)
        for player in PEOPLE[1 : 1 + plans.count(OPEN)]:
            self.obey(Join(ID, MATCH), player)

    @property
    def match(self) -> Match:
        return replay(MATCH, self.stored)

    def left_ms(self, now_ms: int) -> tuple[int, ...]:
        return left_ms(self.match, now_ms)

    def store(self, events: Sequence[Event], at_ms: int) -> list[Event]:
        for event in events:
            assert parse_event(encode(event)) == event
            if isinstance(event, Started):
                event = Started()  # noqa: PLW2901  # its clock runs from the start, which keeps these tables short
            self.stored.append(Recorded(len(self.stored) + 1, Entry(event, at_ms)))
        return list(events)

    def obey(self, command: MatchCommand, player: Player, at_ms: int = 0) -> list[Event]:
        return self.store(decide(self.match, command, player, at_ms).events, at_ms)

    def play(self, move: str, at_ms: int = 0) -> list[Event]:
        """Make the ply of the seat to move, whoever that is."""
        return self.store(decide_ply(self.match, self.match.state.seat, move, at_ms).events, at_ms)

    def resign(self, seat: int, at_ms: int = 0) -> list[Event]:
        return self.obey(Resign(ID, MATCH, seat), PEOPLE[seat], at_ms)

    def vote(self, seat: int, for_seat: int, choice: str, at_ms: int = 0) -> list[Event]:
        return self.obey(ChooseStandIn(ID, MATCH, seat, for_seat, choice), PEOPLE[seat], at_ms)  # type: ignore[arg-type]

    def wait(self, until_ms: int) -> list[Event]:
        return self.store(decide_due(self.match, until_ms), until_ms)

    def refusal_of(self, command: MatchCommand, player: Player) -> Code:
        with pytest.raises(Refusal) as refused:
            decide(self.match, command, player, 0)
        return refused.value.code
