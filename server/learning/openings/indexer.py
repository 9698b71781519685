"""Counts the moves of finished matches, a few matches at a time, in the background.

The remaining work is stored, so a killed server continues where it stopped. Of several nodes, one counts; while another
takes over, both may try, and the database accepts each match once. An archive older than the index is counted in the
same way.
"""

import asyncio
from collections.abc import Iterable, Sequence
from itertools import pairwise
from time import perf_counter

import structlog

from millrace.engine.game import EngineError
from millrace.protocol import MatchId

from ...archive.archive_store import ArchiveStore
from ...cluster.leases import Lease
from ...journal.entries import Recorded
from ...matches.finish import seat_results
from ...matches.fold import apply_event, replay
from ...matches.match import Match
from ...runtime.slices import in_slices
from ...storage.errors import StorageError
from .opening_store import MoveCount, OpeningStore, sum_of
from .positions import find_position

log = structlog.get_logger()

INDEXED_PLIES = 24
"""Number of plies of each match that are counted; later positions hardly ever repeat."""
MATCHES_AT_ONCE = 20
WAIT_SECONDS = 5.0
"""Pause when all matches are counted."""
REST = 4.0
"""Pause after some matches, as a multiple of their time: this uses a fifth of a processor at most."""


class OpeningIndexer:
    """Keeps the index of openings up to date."""

    def __init__(self, store: OpeningStore, archive: ArchiveStore, lease: Lease) -> None:
        self._store = store
        self._lease = lease
        self._archive = archive

    async def run(self) -> None:
        """Count matches until cancelled."""
        while True:
            began = perf_counter()
            try:
                counted = await self.count_some()
            except StorageError as error:
                log.warning("openings not counted", error=str(error))
                counted = 0
            await asyncio.sleep(REST * (perf_counter() - began) if counted else WAIT_SECONDS)

    async def count_some(self) -> int:
        """Count some due matches, unless another node does; return their number. Raises: StorageError."""
        if self._lease.fence is None:
            return 0
        due = await self._store.due(MATCHES_AT_ONCE)
        if not due:
            return 0
        changes = {each.match: each.change for each in due}
        counts: list[MoveCount] = []
        async for match_id, events in self._archive.load_each(list(changes)):
            try:
                match = await _replayed(match_id, events)
                await asyncio.to_thread(find_position, match.state)  # at the first use, it takes long to load
                counts += counts_of(match, changes[match_id], events[-1].entry.at_ms)
            except EngineError as error:
                # Such as a match of a game that is no longer installed.
                log.warning("openings of a match not counted", match=match_id, error=str(error))
            await asyncio.sleep(0)
        await self._store.add(due, summed(counts))
        return len(due)


async def _replayed(match_id: MatchId, events: Sequence[Recorded]) -> Match:
    """Return a match after its events, replayed in slices. Raises: EngineError."""
    match = replay(match_id, events[:1])
    async for recorded in in_slices(events[1:]):
        match = apply_event(match, recorded)
    return match


def counts_of(match: Match, change: int, ended_ms: int) -> list[MoveCount]:
    """Return the counts that a finished match adds for its moves, or subtracts with `change` -1.

    Forced passes and matches without a result do not count.
    """
    ended = match.ended
    if ended is None or ended.ranks is None:
        return []
    results = seat_results(ended.ranks, match.state.start.seats)
    people = all(player is not None and player.level is None and not player.bot for player in match.players)
    latest: tuple[MatchId | None, int] = (match.id, ended_ms) if change > 0 else (None, 0)
    counts = []
    for before, after in pairwise(match.state.line[: INDEXED_PLIES + 1]):
        position = None if before.forced_pass == after.move else find_position(before)
        if position is not None:
            result = results[before.seat]
            won, drawn, lost = (change * (result == each) for each in ("won", "drawn", "lost"))
            move = position.move_name(before, after.move)
            counts.append(MoveCount(position.number, move, people, won, drawn, lost, *latest))
    return counts


def summed(counts: Iterable[MoveCount]) -> list[MoveCount]:
    """Return counts added up by position, move and kind of match, in the order of these."""
    sums: dict[tuple[int, str, bool], MoveCount] = {}
    for count in counts:
        key = (count.position, count.move, count.people)
        sums[key] = count if key not in sums else sum_of(sums[key], count)
    return [sums[key] for key in sorted(sums)]
