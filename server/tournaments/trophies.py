"""Trophies: the first three places of tournaments that are over. They follow from the stored events alone."""

from collections.abc import Sequence
from typing import NamedTuple

from millrace.protocol import IdentityId, TournamentId, TournamentPlan, Trophy

from .kinds.all_kinds import standings_of
from .tournament import Tournament
from .tournament_store import TournamentStore

PLACES = 3
LEAST_PLAYERS = 5
"""How many must have played for there to be trophies."""
MOST_READ = 100
"""Of a player's tournaments, only the latest are looked through."""
REMEMBERED = 2_000
"""How many results are remembered; the earliest read are forgotten first."""


class Result(NamedTuple):
    """What a tournament that is over leaves to its players."""

    plan: TournamentPlan
    ends_at_ms: int
    players: int
    """Those who have played."""
    places: tuple[IdentityId, ...]
    """The first three, if enough have played."""


def result_of(tournament: Tournament) -> Result:
    """Return the result of a tournament."""
    ordered = [each.entrant for each in standings_of(tournament) if each.has_played]
    played = [each.identity for each in ordered if not each.is_disqualified]
    places = tuple(played[:PLACES]) if len(played) >= LEAST_PLAYERS else ()
    return Result(tournament.plan, tournament.ends_at_ms, len(played), places)


class Trophies:
    """Finds players' trophies, and remembers the results that it has read."""

    def __init__(self, store: TournamentStore) -> None:
        self._store = store
        self._results: dict[tuple[TournamentId, int], Result] = {}
        """By tournament and its latest event, since a player may be disqualified afterwards."""

    async def of(self, identity: IdentityId) -> Sequence[Trophy]:
        """Return a player's trophies, the latest first. Raises: StorageError."""
        trophies = []
        for tournament, seq in await self._store.ended_of(identity, MOST_READ):
            result = await self._result(tournament, seq)
            if identity in result.places:
                plan, place = result.plan, result.places.index(identity) + 1
                trophies.append(Trophy(tournament, plan.name, plan.game, place, result.players, result.ends_at_ms))
        return trophies

    async def _result(self, tournament: TournamentId, seq: int) -> Result:
        """Raises: StorageError."""
        known = self._results.get((tournament, seq))
        if known is not None:
            return known
        loaded = await self._store.load(tournament)
        assert loaded is not None
        if len(self._results) >= REMEMBERED:
            del self._results[next(iter(self._results))]
        result = self._results[tournament, seq] = result_of(loaded)
        return result
