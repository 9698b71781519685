"""The tournaments of a server: loaded ones as values, and the way of a change: decided, stored, then published.

Of one tournament, waiting commands are decided one after another and stored together, so that a thousand who join
within a second need a few transactions. Every node may store; a node that comes second reads what is new and decides
again.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import structlog

from millrace.protocol import Code, IdentityId, Notification, Player, TournamentId
from millrace.protocol.refusal import Refusal

from ..callers.credentials import DELETED_NAME
from ..callers.presence import PlayerUpdated
from ..cluster.bus import Bus
from ..cluster.bus_events import BusRestored
from ..cluster.events import AccountDeleted, BusEvent, PlayerRenamed, SharedEvent
from ..journal.rereading import Rereading
from ..journal.unavailable import refusal_of
from ..matches.built_in_bots import BUILT_IN_BOTS
from ..players.accounts.account_store import AccountStore
from ..rooms.notifier_interface import InboxChanges
from ..runtime.cancellation import cancel_and_wait
from ..runtime.system_clock import NowMs
from ..storage.database import Step
from ..storage.errors import StorageError
from ..storage.fences import Fence
from .events import Announced, AnyEvent
from .tournament import SITE, Tournament, after, announced
from .tournament_notices import notices_of
from .tournament_store import TournamentStore

log = structlog.get_logger()

SHOWN_OVER = 20
"""How many tournaments that are over stay loaded."""
MOST_DECIDED = 100
"""Maximum commands decided and stored together."""
ATTEMPTS = 5
"""Maximum attempts to store a decision after a write conflict."""
PLAYERS_AT_ONCE = 500
"""Maximum accounts that one query asks about."""

Decide = Callable[[Tournament, int], Sequence[AnyEvent]]
"""Returns what a command leads to, given the tournament and the time. Raises: Refusal."""

Notify = Callable[[Sequence[IdentityId], Notification], InboxChanges]
"""Prepares a notification for those of some players who want it."""


class TournamentStored(SharedEvent, frozen=True):
    """A node has stored events of a tournament, or announced it."""

    tournament: TournamentId
    seq: int


class TournamentChanged(BusEvent, frozen=True):
    """This node has folded new events of a tournament."""

    tournament: TournamentId


class _Asked(NamedTuple):
    decide: Decide
    fence: Fence | None
    answer: asyncio.Future[Tournament]


class Tournaments:
    """The loaded tournaments."""

    def __init__(self, store: TournamentStore, accounts: AccountStore, notify: Notify, bus: Bus, now_ms: NowMs) -> None:
        self._store = store
        self._notify = notify
        self._accounts = accounts
        self._bus = bus
        self._now_ms = now_ms
        self.loaded: dict[TournamentId, Tournament] = {}
        """Those that are not over, and the latest of the others."""
        self._players: dict[IdentityId, Player] = {SITE.id: SITE, **BUILT_IN_BOTS}
        self._asked: dict[TournamentId, list[_Asked]] = {}
        self._working: dict[TournamentId, asyncio.Task[None]] = {}
        self._outdated: set[TournamentId] = set()
        """Those of which something may be stored that is not folded yet."""
        self._rereading: Rereading[TournamentId] = Rereading(self._reread)
        bus.subscribe_elsewhere(TournamentStored, self._stored_elsewhere)
        bus.subscribe(BusRestored, lambda _: self._rereading.ask(self.loaded))
        bus.subscribe(AccountDeleted, self._account_deleted)
        bus.subscribe(PlayerUpdated, lambda event: self._rename(event.player))
        bus.subscribe(PlayerRenamed, lambda event: self._rename(event.player))

    async def load(self) -> None:
        """Load the tournaments that are not over, and the latest of the others. Raises: StorageError."""
        for tournament in (*await self._store.unfinished(), *await self._store.latest(SHOWN_OVER)):
            await self._reread(tournament)

    async def run(self) -> None:
        """Read what other nodes have stored, until cancelled."""
        await self._rereading.run()

    async def close(self) -> None:
        """Stop deciding commands."""
        await cancel_and_wait([*self._working.values()])

    async def find(self, tournament: TournamentId) -> Tournament:
        """Return a tournament, loaded if necessary. Raises: Refusal."""
        found = self.loaded.get(tournament)
        if found is not None:
            return found
        try:
            await self._reread(tournament)
        except StorageError as error:
            raise refusal_of(error, "The server cannot look this up now; please try again.") from None
        if tournament not in self.loaded:
            raise Refusal(Code.UNKNOWN_TOURNAMENT, "There is no such tournament.")
        return self.loaded[tournament]

    def player(self, identity: IdentityId) -> Player:
        """Return a player of a loaded tournament, or its organiser."""
        return self._players.get(identity) or Player(identity, DELETED_NAME)

    async def announce(self, tournament: TournamentId, event: Announced, by: Player, *steps: Step) -> bool:
        """Store a new tournament; returns False, with nothing stored, if a further step fails. Raises: StorageError."""
        if not await self._store.announce(tournament, event, self._now_ms(), *steps):
            return False
        self._players[by.id] = by
        self._keep(announced(tournament, event))
        self._bus.publish(TournamentStored(tournament, 1))
        return True

    async def change(
        self, tournament: TournamentId, decide: Decide, fence: Fence | None = None, by: Player | None = None
    ) -> Tournament:
        """Decide something about a tournament, store it, and return the tournament then. Raises: Refusal."""
        await self.find(tournament)
        if by is not None:
            self._players[by.id] = by
        asked = _Asked(decide, fence, asyncio.get_running_loop().create_future())
        self._asked.setdefault(tournament, []).append(asked)
        if tournament not in self._working:
            self._working[tournament] = asyncio.create_task(self._work(tournament))
        return await asyncio.shield(asked.answer)

    async def _work(self, tournament: TournamentId) -> None:
        """Decide and store what is asked for, until there is nothing more."""
        queue = self._asked[tournament]
        try:
            while queue:
                fence = queue[0].fence
                batch = list[_Asked]()
                while queue and len(batch) < MOST_DECIDED and queue[0].fence == fence:
                    batch.append(queue.pop(0))
                try:
                    await self._decide_together(tournament, batch, fence)
                except StorageError as error:
                    log.error("tournament not stored", tournament=tournament, error=str(error))
                    self._outdated.add(tournament)
                    _fail(batch, refusal_of(error, "The server cannot store this now; please try again."))
                except Exception as error:
                    # The task's boundary: those who asked get the fault, and do not wait for ever.
                    _fail(batch, error)
        finally:
            del self._working[tournament]
            _fail(queue, Refusal(Code.UNAVAILABLE, "The server is restarting; please try again."))
            queue.clear()

    async def _decide_together(self, tournament: TournamentId, batch: Sequence[_Asked], fence: Fence | None) -> None:
        """Decide some commands one after another, and store their events together. Raises: StorageError."""
        for _ in range(ATTEMPTS):
            if tournament in self._outdated or tournament not in self.loaded:
                await self._reread(tournament)
            before, now_ms = self.loaded[tournament], self._now_ms()
            then, events, refusals = before, list[AnyEvent](), dict[int, Refusal]()
            for number, asked in enumerate(batch):
                try:
                    new = asked.decide(then, now_ms)
                except Refusal as refusal:
                    refusals[number] = refusal
                    continue
                then = after(then, [(event, now_ms) for event in new])
                events += new
            inboxes = [self._notify(*notice) for notice in notices_of(then, events, now_ms, self.player)]
            more = [insertion for inbox in inboxes for insertion in inbox.insertions]
            if not events or await self._store.append(tournament, before.seq, events, now_ms, fence, more):
                for inbox in inboxes:
                    inbox.announce()
                if events:
                    self._keep(then)
                    self._bus.publish(TournamentStored(tournament, then.seq))
                _answer(batch, then, refusals)
                return
            self._outdated.add(tournament)
        _fail(batch, Refusal(Code.UNAVAILABLE, "This tournament is busy; nothing was done. Please try again."))

    async def _reread(self, tournament: TournamentId) -> None:
        """Fold what others have stored, or load the tournament. Raises: StorageError."""
        self._outdated.discard(tournament)
        known = self.loaded.get(tournament)
        found = await self._store.load(tournament) if known is None else await self._store.read_new(known)
        if found is None:
            return
        await self._find_players(found)
        now = self.loaded.get(tournament)
        if now is None or now.seq < found.seq:
            self._keep(found)

    async def _find_players(self, tournament: Tournament) -> None:
        missing = [each for each in (tournament.by, *tournament.entrants) if each not in self._players]
        for start in range(0, len(missing), PLAYERS_AT_ONCE):
            self._players |= await self._accounts.players_of(missing[start : start + PLAYERS_AT_ONCE])

    def _keep(self, tournament: Tournament) -> None:
        self.loaded[tournament.id] = tournament
        over = [each for each in self.loaded.values() if each.status == "over"]
        if len(over) > 2 * SHOWN_OVER:
            for each in sorted(over, key=lambda each: (len(each.entrants) > 0, each.ends_at_ms))[:SHOWN_OVER]:
                del self.loaded[each.id]
        self._bus.publish(TournamentChanged(tournament.id))

    def _stored_elsewhere(self, event: TournamentStored) -> None:
        known = self.loaded.get(event.tournament)
        if known is None or known.seq < event.seq:
            self._rereading.ask([event.tournament])

    def _account_deleted(self, event: AccountDeleted) -> None:
        """Load the tournaments of a deleted account again, in whose events it has another identity now."""
        self._players.pop(event.identity, None)
        for tournament in tuple(self.loaded.values()):
            if event.identity in (tournament.by, *tournament.entrants):
                del self.loaded[tournament.id]
                self._rereading.ask([tournament.id])

    def _rename(self, player: Player) -> None:
        if player.id in self._players:
            self._players[player.id] = player
            for tournament in self.loaded.values():
                if player.id in tournament.entrants:
                    self._bus.publish(TournamentChanged(tournament.id))


def _answer(batch: Sequence[_Asked], then: Tournament, refusals: Mapping[int, Refusal]) -> None:
    for number, asked in enumerate(batch):
        if number in refusals:
            _fail([asked], refusals[number])
        elif not asked.answer.done():
            asked.answer.set_result(then)


def _fail(batch: Sequence[_Asked], error: Exception) -> None:
    for asked in batch:
        if not asked.answer.done():
            asked.answer.set_exception(error)
            asked.answer.exception()  # a caller that has gone never asks
