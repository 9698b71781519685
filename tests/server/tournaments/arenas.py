"""Tournaments as values, for tests of what is decided, and as clients ask for them."""

from itertools import count

from millrace.protocol import ClockSettings, IdentityId, MatchId, Player, TournamentId, TournamentPlan
from millrace.server.tournaments.decisions import Candidate, due, join, wave_of, whom_to_pair
from millrace.server.tournaments.events import Announced, AnyEvent, Pair, Scored
from millrace.server.tournaments.kinds.all_kinds import standings_of
from millrace.server.tournaments.tournament import Tournament, after, announced

START_MS = 1_764_000_000_000
PLAN = TournamentPlan("Evening arena", "morris", ClockSettings(180_000, 2_000), START_MS, 60)


def plan(now_ms: int, **more: object) -> dict[str, object]:
    """Return a plan as clients send it."""
    clock = {"initial_ms": 180_000, "increment_ms": 2_000}
    return {"name": "Evening arena", "game": "morris", "clock": clock, "starts_at_ms": now_ms, "minutes": 60, **more}


def player(name: str, *, bot: bool = False) -> Player:
    return Player(IdentityId(name.lower()), name, registered=True, bot=bot)


def candidate(name: str, rating: int = 1500, *, bot: bool = False, matches: int = 0, password: str = "") -> Candidate:
    return Candidate(player(name, bot=bot), rating, False, matches, password)


class Arena:
    """An arena, or a tournament in rounds, that is played without clocks and boards."""

    def __init__(self, *names: str, plan: TournamentPlan = PLAN, password: str = "") -> None:
        self.now_ms = START_MS - 60_000
        self._announced = announced(TournamentId("t"), Announced(plan, IdentityId("organiser"), password))
        self.tournament: Tournament = self._announced
        self._events: list[tuple[AnyEvent, int]] = []
        self._numbers = count(1)
        self.waves: list[tuple[Pair, ...]] = []
        for number, name in enumerate(names):
            self.store(*join(self.tournament, candidate(name, 2000 - 10 * number)))

    def store(self, *events: AnyEvent) -> None:
        new = [(event, self.now_ms) for event in events]
        self.tournament = after(self.tournament, new)
        self._events += new

    def replayed(self) -> Tournament:
        """Return the tournament that all events lead to at once."""
        return after(self._announced, self._events)

    def begin(self) -> "Arena":
        self.now_ms = START_MS
        self.store(*due(self.tournament, self.now_ms))
        return self

    def pair(
        self, after_ms: int = 60_000, away: tuple[str, ...] = (), asked: Tournament | None = None
    ) -> tuple[Pair, ...]:
        """Hold a wave or a round, if it is due, and return its pairs; `asked` is the tournament when that began."""
        self.now_ms += after_ms
        asked = asked or self.tournament
        online = {identity for identity in asked.entrants if identity not in away}
        question = whom_to_pair(asked, online, self.now_ms)
        before = set(self.tournament.pairs)
        if question is not None:
            ids = (MatchId(f"m{number}") for number in self._numbers)
            wave = question.answer(*question.arguments)
            self.store(*wave_of(asked, self.tournament, wave, ids, len(self.waves)))
        pairs = tuple(pair for match, pair in self.tournament.pairs.items() if match not in before)
        if pairs:
            self.waves.append(pairs)
        return pairs

    def end(self, pair: Pair, winner: str | None, plies: int = 40, berserk: tuple[str, ...] = ()) -> None:
        """End a match: won by a player, or drawn."""
        ranks = (1, 1) if winner is None else (1, 2) if pair.players[0] == winner else (2, 1)
        seats = tuple(seat for seat, identity in enumerate(pair.players) if identity in berserk)
        self.now_ms += 1_000
        self.store(Scored(pair.match, ranks, plies, seats))

    def end_table(
        self, pair: Pair, *ranks: int, cells: tuple[int, ...] | None = None, left: tuple[int, ...] = ()
    ) -> None:
        """End the match of a table with ranks by seat."""
        self.now_ms += 1_000
        self.store(Scored(pair.match, ranks, 40, left=left, cells=cells))

    def play(self, *winners: str | None, plies: int = 40) -> None:
        """Pair two players again and again, and let these win."""
        for winner in winners:
            (pair,) = self.pair()
            self.end(pair, winner, plies)

    def table(self) -> list[tuple[str, int]]:
        """Return the names and scores in order."""
        return [(each.entrant.identity, each.score) for each in standings_of(self.tournament)]
