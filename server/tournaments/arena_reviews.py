"""Reviews matches of bots' arenas that are over, one after another, in the background.

What is left follows from the stored reviews, so a restarted server, or another node, goes on where it was.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from time import perf_counter

import structlog

from millrace.protocol import MatchId, TournamentId
from millrace.protocol.refusal import Refusal

from ..bots.requests import Bots
from ..callers.feature import Feature
from ..cluster.leases import Lease
from ..learning.analysis.analysis_store import AnalysisStore
from ..learning.analysis.match_review import Reviews
from ..rooms.rooms import Rooms
from ..storage.errors import StorageError
from .built_in_entrants import built_in
from .tournament import Tournament
from .tournaments import Tournaments

log = structlog.get_logger()

MOST_REVIEWED = 40
"""Maximum matches of an arena that are reviewed; a review takes up to half a minute of a processor."""
WAIT_SECONDS = 15.0
"""Pause when nothing is left to review, or the bots are busy."""
REST = 4.0
"""Pause after a review, as a multiple of its time."""


def matches_to_review(tournament: Tournament) -> Sequence[MatchId]:
    """Return the counted matches of a bots' arena that is over, first those of visitors."""
    bots = built_in(tournament)
    if tournament.status != "over" or not bots:
        return ()
    visitors_first = sorted(tournament.entrants.values(), key=lambda entrant: entrant.identity in bots)
    matches = dict.fromkeys(game.match for entrant in visitors_first for game in entrant.games)
    return tuple(matches)[:MOST_REVIEWED]


class ArenaReviews(Feature):
    """Reviews the matches, on the node with the lease."""

    def __init__(
        self, tournaments: Tournaments, rooms: Rooms, reviews: Reviews, store: AnalysisStore, bots: Bots, lease: Lease
    ) -> None:
        self._tournaments = tournaments
        self._rooms = rooms
        self._reviews = reviews
        self._store = store
        self._bots = bots
        self._lease = lease
        self._done: set[TournamentId] = set()
        self._tried: set[MatchId] = set()
        """Matches whose review has been stored or has failed, of tournaments that are not done."""

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Return what reviews the matches."""
        return (self._run(),)

    async def _run(self) -> None:
        while True:
            began, match = perf_counter(), None
            try:
                if self._lease.fence is not None and not self._bots.is_busy:
                    match = await self._next()
                if match is not None:
                    await self._reviews.review((await self._rooms.find(match)).match)
            except (Refusal, StorageError) as error:
                log.warning("match of an arena not reviewed", match=match, error=str(error))
            await asyncio.sleep(WAIT_SECONDS if match is None else REST * (perf_counter() - began))

    async def _next(self) -> MatchId | None:
        """Return a match to review, each once; None if there is none. Raises: StorageError."""
        for tournament in tuple(self._tournaments.loaded.values()):
            matches = matches_to_review(tournament)
            if not matches or tournament.id in self._done or tournament.plan.game in self._bots.waiting_games:
                continue
            known = {*await self._store.reviewed(matches)} | self._tried
            match = next((each for each in matches if each not in known), None)
            if match is not None:
                self._tried.add(match)
                return match
            self._tried.difference_update(matches)
            self._done.add(tournament.id)
        return None
