"""Deletes finished matches that need not be kept, in the background, some days after their end.

They are exhibitions, and matches of guests that ended without a result. A match that an account has ever had a seat in
is kept, and so is one that a study, a report or a moderator's action refers to.

How far it has come is stored, and each match is deleted in one transaction: a killed server goes on where it was. Of
several nodes, one does this.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from time import perf_counter
from typing import NamedTuple, TypeAlias

import structlog

from millrace.protocol import Created, Ended, MatchId, Seated, SeatFreed

from ..callers.feature import Feature
from ..cluster.leases import Lease
from ..journal.entries import Recorded
from ..runtime.system_clock import NowMs
from ..storage.errors import StorageError
from .packer import DAY_MS, REST, WAIT_SECONDS
from .retention_store import RetentionStore

log = structlog.get_logger()

WINDOW_MS = 600_000
"""The matches that are looked at together ended within this time."""

Candidates: TypeAlias = Callable[[int, int], Awaitable[list[MatchId]]]


class Rule(NamedTuple):
    """Which matches are deleted, and when."""

    name: str
    """Under which the progress is stored."""
    days: float
    """After the end of a match; 0 to delete none."""
    candidates: Candidates
    """Finds matches that ended since a moment and before another."""
    applies: Callable[[Sequence[Recorded]], bool]
    """Decides by the events of such a match."""


def is_exhibition(recorded: Sequence[Recorded]) -> bool:
    """Return whether a match was an exhibition."""
    created = recorded[0].entry.event
    return isinstance(created, Created) and created.exhibition


def is_guests_without_result(recorded: Sequence[Recorded]) -> bool:
    """Return whether a match ended without a result, and only guests and built-in bots ever had its seats."""
    events = [each.entry.event for each in recorded]
    created = events[0]
    assert isinstance(created, Created)
    if created.imported or created.tournament is not None or created.rated:
        return False
    if not any(isinstance(event, Ended) and event.ranks is None for event in events):
        return False
    players = [event.player for event in events if isinstance(event, Seated | SeatFreed)]
    return all(not each.registered and (each.level is not None or each.id.startswith("guest-")) for each in players)


class Retention(Feature):
    """Deletes matches by rules."""

    def __init__(
        self, store: RetentionStore, lease: Lease, now_ms: NowMs, *, exhibition_days: float, unfinished_days: float
    ) -> None:
        self._store = store
        self._lease = lease
        self._now_ms = now_ms
        self._rules = (
            Rule("exhibitions", exhibition_days, store.bot_matches, is_exhibition),
            Rule("without result", unfinished_days, store.without_result, is_guests_without_result),
        )

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Applying each rule."""
        return [self._run(rule) for rule in self._rules if rule.days > 0]

    async def _run(self, rule: Rule) -> None:
        """Apply a rule until cancelled."""
        while True:
            began, was_something = perf_counter(), False
            try:
                if self._lease.fence is not None:
                    was_something = await self.apply_once(rule)
            except StorageError as error:
                log.warning("matches not deleted", rule=rule.name, error=str(error))
            await asyncio.sleep(REST * (perf_counter() - began) if was_something else WAIT_SECONDS)

    async def apply_all(self) -> None:
        """Apply each rule to all matches that are old enough. Raises: StorageError."""
        for rule in self._rules:
            while rule.days > 0 and await self.apply_once(rule):
                pass

    async def apply_once(self, rule: Rule) -> bool:
        """Apply a rule to the next matches that are old enough; return whether there were any. Raises: StorageError."""
        old_ms = self._now_ms() - int(rule.days * DAY_MS)
        since_ms = await self._store.next_end(await self._store.progress(rule.name))
        if since_ms is None or since_ms >= old_ms:
            return False
        before_ms = min(since_ms + WINDOW_MS, old_ms)
        for match in await rule.candidates(since_ms, before_ms):
            recorded = await self._store.load(match)
            if recorded and rule.applies(recorded) and await self._store.delete(match):
                log.info("match deleted", match=match, rule=rule.name)
        await self._store.note_progress(rule.name, before_ms)
        return True
