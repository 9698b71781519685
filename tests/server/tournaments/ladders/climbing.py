"""Ladders as values, for tests of what is decided."""

from collections.abc import Mapping

from msgspec.structs import replace

from millrace.protocol import Created, Ended, IdentityId, MatchId, Player, SeatPlan, Termination, TournamentId
from millrace.server.matches.match import Match
from millrace.server.ratings.rating import MU, POINTS_OF_START, POINTS_PER_MU, Rating
from millrace.server.tournaments.ladders.ladder import (
    CLOCK,
    Ladder,
    RatingOf,
    after,
    all_ladders,
    decide_challenge,
    decide_join,
    decide_settlement,
)
from millrace.server.tournaments.ladders.ladder_events import AnyLadderEvent, LadderChallenged

START_MS = 1_764_000_000_000
MORRIS = all_ladders()[TournamentId("ladder-morris")]
OF_BOTS = all_ladders()[TournamentId("ladder-morris-bots")]


def player(name: str, *, bot: bool = False) -> Player:
    return Player(IdentityId(name), name.title(), registered=True, bot=bot)


def rating_of(points: Mapping[str, int]) -> RatingOf:
    """Return the rating of each player: that of a newcomer unless given."""
    return lambda identity: Rating(MU + (points.get(identity, POINTS_OF_START) - POINTS_OF_START) / POINTS_PER_MU)


def ended_match(match: MatchId, winner_seat: int | None, reason: Termination = Termination.RESIGNATION) -> Match:
    """Return a match that is over; drawn without a winner."""
    ranks = (1, 1) if winner_seat is None else (1, 2) if winner_seat == 0 else (2, 1)
    begun = Match.of(match, Created("morris", "", (SeatPlan("open"),) * 2, CLOCK, rated=True, tournament=MORRIS.id))
    return replace(begun, ended=Ended(ranks, reason, ""), ended_at_ms=START_MS)


class Climb:
    """A ladder that is played without boards."""

    def __init__(self, *names: str, points: Mapping[str, int] | None = None) -> None:
        self.now_ms = START_MS
        self.ladder = MORRIS
        self.events: list[tuple[AnyLadderEvent, int]] = []
        self.rating_of = rating_of(points or {})
        for name in names:
            self.store(*decide_join(self.ladder, player(name)))

    def store(self, *events: AnyLadderEvent) -> None:
        new = [(event, self.now_ms) for event in events]
        self.ladder = after(self.ladder, new)
        self.events += new

    def replayed(self) -> Ladder:
        """Return the ladder that all events lead to at once."""
        return after(MORRIS, self.events)

    def challenge(self, challenger: str, challenged: str, seat: int = 0) -> MatchId:
        """Begin a match, in which the challenger has a seat. Raises: Refusal."""
        match = MatchId(f"m{len(self.events)}")
        event = LadderChallenged(match, IdentityId(challenger), IdentityId(challenged), seat)
        self.store(*decide_challenge(self.ladder, event, self.rating_of, self.now_ms))
        return match

    def end(self, match: MatchId, winner_seat: int | None, reason: Termination = Termination.RESIGNATION) -> None:
        self.store(*decide_settlement(self.ladder, ended_match(match, winner_seat, reason)))

    @property
    def names(self) -> str:
        return "".join(self.ladder.places)
