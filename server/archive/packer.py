"""Packs finished matches in the background, a few at a time, or all of them for `millrace archive pack`.

How far it has come is stored, and each match is packed in one transaction: a killed server loses nothing and goes on
where it was. Of several nodes, one packs; if two do, the database lets one of them pack each match.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from time import perf_counter

import structlog

from millrace.protocol import MatchId

from ..bots.background_process import BackgroundProcess
from ..bots.search_workers import WorkerError
from ..callers.feature import Feature
from ..cluster.leases import Lease
from ..journal.packed_form import EventRow, Packed, pack
from ..journal.packing_store import START, PackingStore, PackRows
from ..runtime.system_clock import NowMs
from ..storage.errors import StorageError

log = structlog.get_logger()

DAY_MS = 86_400_000
MATCHES_AT_ONCE = 20
WAIT_SECONDS = 60.0
"""Pause when all matches that are old enough are packed."""
REST = 9.0
"""Pause after some matches, as a multiple of their time: this uses a tenth of a processor at most."""


class Packer(Feature):
    """Packs the matches that have been over for some days."""

    def __init__(
        self, store: PackingStore, background: BackgroundProcess, lease: Lease, now_ms: NowMs, after_days: float | None
    ) -> None:
        """`after_days` is None to pack none."""
        self._store = store
        self._background = background
        self._lease = lease
        self._now_ms = now_ms
        self._after_days = after_days

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Packing, if it is wanted."""
        return () if self._after_days is None else (self._run(self._after_days),)

    async def _run(self, after_days: float) -> None:
        """Pack matches until cancelled."""
        while True:
            began, packed = perf_counter(), False
            try:
                if self._lease.fence is not None:
                    before_ms = self._now_ms() - int(after_days * DAY_MS)
                    packed = await self.pack_some(before_ms)
            except (StorageError, WorkerError) as error:
                log.warning("matches not packed", error=str(error))
            await asyncio.sleep(REST * (perf_counter() - began) if packed else WAIT_SECONDS)

    async def pack_some(self, before_ms: int) -> bool:
        """Pack some matches that ended before a moment; return whether there were any. Raises: StorageError."""
        place = await self._store.progress()
        some = await self._store.next_matches(place, before_ms, MATCHES_AT_ONCE)
        for each in some:
            await _pack(self._store, each.match, before_ms, self._pack_in_background)
        if some:
            await self._store.note_progress(some[-1])
        return bool(some)

    async def _pack_in_background(self, rows: Sequence[EventRow]) -> Packed:
        return await self._background.run("packing", pack, rows)


async def pack_all(store: PackingStore, before_ms: int) -> AsyncIterator[int]:
    """Pack all matches that ended before a moment; yield for each how many events that packed. Raises: StorageError."""
    place = START
    while some := await store.next_matches(place, before_ms, MATCHES_AT_ONCE):
        for place in some:  # the last one is where the next query begins
            yield await _pack(store, place.match, before_ms, _pack_in_thread)
    match = MatchId("")
    while going_on := await store.matches_going_on(match, MATCHES_AT_ONCE):
        for match in going_on:
            yield await _pack(store, match, before_ms, _pack_in_thread)


async def _pack_in_thread(rows: Sequence[EventRow]) -> Packed:
    return await asyncio.to_thread(pack, rows)


async def _pack(store: PackingStore, match: MatchId, before_ms: int, pack_rows: PackRows) -> int:
    try:
        return await store.pack(match, before_ms, pack_rows)
    except ValueError as error:
        log.warning("a match stays unpacked", match=match, reason=str(error))
        return 0
