"""The ladders of a server: loaded ones as values, and the way of a change: decided, stored, then published.

Every node may store; a node that comes second reads what is new and decides again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from millrace.protocol import Code, IdentityId, LadderSummary, Notification, Player, TournamentId
from millrace.protocol.refusal import Refusal

from ...callers.credentials import DELETED_NAME
from ...callers.presence import PlayerUpdated
from ...cluster.bus import Bus
from ...cluster.bus_events import BusRestored
from ...cluster.events import AccountDeleted, BusEvent, PlayerRenamed, SharedEvent
from ...journal.journal_store import Journal
from ...journal.rereading import Rereading
from ...journal.unavailable import refusing_failures
from ...players.accounts.account_store import AccountStore
from ...rooms.notifier_interface import InboxChanges
from ...runtime.system_clock import NowMs
from ...storage.appends import Insertion
from .ladder import Ladder, after, all_ladders, with_replacement
from .ladder_events import AnyLadderEvent
from .ladder_store import LadderStore, insertions_of
from .ladder_views import notices_of, summary_of

ATTEMPTS = 5
"""Maximum attempts to store a decision after a write conflict."""
PLAYERS_AT_ONCE = 500
"""Maximum accounts that one query asks about."""

Decide: TypeAlias = Callable[[Ladder, int], Sequence[AnyLadderEvent]]
"""Returns what a command leads to, given the ladder and the time. Raises: Refusal."""
Append: TypeAlias = Callable[[Sequence[Insertion]], Awaitable[bool]]
"""Stores what has been prepared, and perhaps a new match, or returns False with nothing stored after a conflict."""
Notify: TypeAlias = Callable[[Sequence[IdentityId], Notification], InboxChanges]
"""Prepares a notification for those of some players who want it."""


class LadderStored(SharedEvent, frozen=True):
    """A node has stored events of a ladder."""

    ladder: TournamentId
    seq: int


class LadderUpdated(BusEvent, frozen=True):
    """This node has folded new events of a ladder, or a player on it has another name."""

    ladder: TournamentId


class Ladders:
    """The ladders of every game for two."""

    def __init__(
        self, store: LadderStore, journal: Journal, accounts: AccountStore, notify: Notify, bus: Bus, now_ms: NowMs
    ) -> None:
        self._store, self._journal, self._accounts = store, journal, accounts
        self._notify, self._bus, self._now_ms = notify, bus, now_ms
        self.loaded = all_ladders()
        self._deciding = {ladder: asyncio.Lock() for ladder in self.loaded}
        self._outdated: set[TournamentId] = set()
        """Those of which something may be stored that is not folded yet."""
        self._players: dict[IdentityId, Player] = {}
        self._rereading: Rereading[TournamentId] = Rereading(self._reread)
        bus.subscribe_elsewhere(LadderStored, self._stored_elsewhere)
        bus.subscribe(BusRestored, lambda _: self._rereading.ask(self.loaded))
        bus.subscribe(AccountDeleted, self._account_deleted)
        bus.subscribe(PlayerUpdated, lambda event: self._rename(event.player))
        bus.subscribe(PlayerRenamed, lambda event: self._rename(event.player))

    async def load(self) -> None:
        """Load the ladders. Raises: StorageError."""
        for ladder in self.loaded:
            await self._reread(ladder)

    async def run(self) -> None:
        """Read what other nodes have stored, until cancelled."""
        await self._rereading.run()

    def find(self, ladder: TournamentId) -> Ladder:
        """Return a ladder. Raises: Refusal."""
        found = self.loaded.get(ladder)
        if found is None:
            raise Refusal(Code.UNKNOWN_TOURNAMENT, "There is no such ladder.")
        return found

    async def read(self, ladder: TournamentId) -> Ladder:
        """Return a ladder with all that is stored, also by a node that died before it told others.

        Raises: StorageError.
        """
        await self._reread(ladder)
        return self.loaded[ladder]

    def player(self, identity: IdentityId) -> Player:
        """Return a player who is named on a ladder."""
        return self._players.get(identity) or Player(identity, DELETED_NAME)

    def has_account(self, identity: IdentityId, *, bot: bool) -> bool:
        """Return whether a player of a ladder has an account, of a bot or of a person."""
        player = self._players.get(identity)
        return player is not None and player.bot == bot

    def of(self, identity: IdentityId) -> Sequence[LadderSummary]:
        """Return the ladders that a player is on."""
        return [summary_of(ladder, identity) for ladder in self.loaded.values() if identity in ladder.places]

    async def change(
        self,
        ladder: TournamentId,
        decide: Decide,
        players: Sequence[Player] = (),
        append: Append | None = None,
    ) -> None:
        """Decide something about a ladder and store it, with what else `append` stores. Raises: Refusal.

        `players` are those whom the ladder may not know yet.
        """
        self.find(ladder)
        async with self._deciding[ladder]:
            self._players |= {player.id: player for player in players}
            with refusing_failures("ladder not stored", ladder=ladder):
                for _ in range(ATTEMPTS):
                    if await self._decide(ladder, decide, append or self._journal.store):
                        return
                    self._outdated.add(ladder)
        raise Refusal(Code.UNAVAILABLE, "This ladder is busy; nothing was done. Please try again.")

    async def _decide(self, ladder_id: TournamentId, decide: Decide, append: Append) -> bool:
        """Return whether what was decided is stored. Raises: Refusal, StorageError."""
        if ladder_id in self._outdated:
            await self._reread(ladder_id)
        before, now_ms = self.loaded[ladder_id], self._now_ms()
        events = decide(before, now_ms)
        if not events:
            return True
        then = after(before, [(event, now_ms) for event in events])
        notices = notices_of(before, then, events, now_ms, self.player)
        inboxes = [self._notify([to], notice) for to, notice in notices if not self.player(to).bot]
        more = [insertion for inbox in inboxes for insertion in inbox.insertions]
        self._outdated.add(ladder_id)
        if not await append([*insertions_of(before, events, now_ms), *more]):
            return False
        self._outdated.discard(ladder_id)
        for inbox in inboxes:
            inbox.announce()
        self._keep(then)
        self._bus.publish(LadderStored(ladder_id, then.seq))
        return True

    async def _reread(self, ladder_id: TournamentId) -> None:
        """Fold what others have stored. Raises: StorageError."""
        self._outdated.discard(ladder_id)
        found = await self._store.read_new(self.loaded[ladder_id])
        await self._find_players(found)
        if self.loaded[ladder_id].seq < found.seq:
            self._keep(found)

    async def _find_players(self, ladder: Ladder) -> None:
        missing = [each for each in ladder.everybody if each not in self._players]
        for start in range(0, len(missing), PLAYERS_AT_ONCE):
            self._players |= await self._accounts.players_of(missing[start : start + PLAYERS_AT_ONCE])

    def _keep(self, ladder: Ladder) -> None:
        self.loaded[ladder.id] = ladder
        self._bus.publish(LadderUpdated(ladder.id))

    def _stored_elsewhere(self, event: LadderStored) -> None:
        known = self.loaded.get(event.ladder)
        if known is not None and known.seq < event.seq:
            self._rereading.ask([event.ladder])

    def _account_deleted(self, event: AccountDeleted) -> None:
        """Put another identity in the place of a deleted account, as it has been put into the stored events."""
        self._players.pop(event.identity, None)
        for ladder in tuple(self.loaded.values()):
            if event.identity in ladder.everybody:
                self._keep(with_replacement(ladder, event.identity, event.replacement.id))

    def _rename(self, player: Player) -> None:
        if player.id in self._players:
            self._players[player.id] = player
            for ladder in self.loaded.values():
                if player.id in ladder.everybody:
                    self._bus.publish(LadderUpdated(ladder.id))
