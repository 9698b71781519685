"""What follows from what moderators do, in a running server: sessions end, matches are given up, names and lines go.

Every server learns of it from the log, which it reads again each second, and at once when it has done something itself:
whether another server did it or the command line makes no difference. What fails is noted and not tried again: what
counts is stored, and a restart finds it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

import structlog

from ..accounts.restriction_store import ActionRecord, Restriction
from ..accounts.restriction_texts import closed_words
from ..accounts.restrictions import Standings
from ..accounts.store import AccountStore
from ..identity.presence import Presence
from ..journal.store import Journal, StorageError
from ..protocol import Code, Deed, IdentityId, MatchId, Player
from ..protocol.frames import frame_of
from ..protocol.refusal import Refusal
from ..ratings.ratings import Ratings
from ..rooms.rooms import Rooms
from .store import Numbered, OrderStore, ReportEntry, ReportStore

log = structlog.get_logger()

LOOK_SECONDS = 1.0
"""The log is read again so often."""


_TOLD = frozenset(
    {
        *(Deed.MAKE_ADMIN, Deed.MAKE_MODERATOR, Deed.TAKE_ROLE),
        *(Deed.MUTE, Deed.UNMUTE, Deed.REMOVE_NAME, Deed.CHOOSE_NAME),
    }
)
"""After these somebody is told how they stand."""


class Talk(Protocol):
    """Where people talk: `server.chat.handler.ChatDesk`."""

    async def remove_line(self, match_id: MatchId, number: int) -> None:
        """Tell those who listen that a line has lost its text."""

    async def rename(self, player: Player) -> None:
        """Put a player's new name to what was said."""


class Meetings(Protocol):
    """Where people meet: `server.lobby.handler.MeetingDesk`."""

    async def withdraw(self, player: Player) -> None:
        """Have somebody look for nobody any more, and decline what waits for an answer. Raises: Refusal."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The parts of a server upon which order works."""

    accounts: AccountStore
    journal: Journal
    presence: Presence
    rooms: Rooms
    ratings: Ratings
    talk: Talk
    meetings: Meetings


class Enforcer:
    """Follows the log."""

    def __init__(self, store: OrderStore, reports: ReportStore, standings: Standings, reach: Reach) -> None:
        self._store = store
        self._reports = reports
        self._standings = standings
        self._reach = reach
        self._number = 0
        self._turn = asyncio.Lock()
        self.followers: list[Callable[[], None]] = []
        """Whoever is told when something was done."""
        self.thanks: list[Callable[[ReportEntry], None]] = []
        """Whoever is told of each report that was right."""

    async def load(self) -> None:
        """Read how everybody stands. Raises: StorageError."""
        # The number first: what is done meanwhile is then followed once more, which changes nothing.
        self._number = await self._store.latest_number()
        await self._standings.load()

    async def keep(self) -> None:
        """Follow what is done elsewhere, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.catch_up()
            except StorageError as error:
                log.warning("what moderators did is not read", error=str(error))

    async def catch_up(self) -> None:
        """Do what follows from all that was done. Raises: StorageError."""
        async with self._turn:
            entries = await self._store.entries_after(self._number)
            for entry in entries:
                self._number = entry.number
                await self._follow(entry)
        if entries:
            for follower in self.followers:
                follower()

    async def _follow(self, entry: Numbered) -> None:
        record = entry.record
        log.info("moderated", number=entry.number, by=record.by_name, deed=record.deed)
        self._standings.follow(record)
        try:
            await self._act(record)
            for report in await self._reports.upheld_by(entry.number):
                for thank in self.thanks:
                    thank(report)
        except (Refusal, StorageError) as error:
            log.error("what follows from a deed failed", number=entry.number, error=str(error))

    async def _act(self, record: ActionRecord) -> None:
        match record.deed:
            case Deed.VOID if record.match is not None:
                await self._void(record.match)
            case Deed.REMOVE_LINE if record.match is not None and record.line is not None:
                await self._reach.talk.remove_line(record.match, record.line)
            case Deed.CLOSE if record.player is not None:
                player = Player(record.player.id, record.player.name, registered=True)
                await self._close(player, Restriction(record.reason))
            case Deed.REMOVE_NAME | Deed.CHOOSE_NAME if record.player is not None:
                await self._rename(record.player.id)
            case _:
                pass
        if record.player is not None and record.deed in _TOLD:
            standing = self._standings.standing_of(record.player.id)
            self._reach.presence.deliver(record.player.id, [frame_of(standing)])

    async def _void(self, match_id: MatchId) -> None:
        await self._reach.rooms.refresh(match_id)
        match = (await self._reach.rooms.find(match_id)).match
        await self._reach.ratings.reload([player.id for player in match.players if player is not None])

    async def _close(self, player: Player, closure: Restriction) -> None:
        reach, identity = self._reach, player.id
        # Once more: somebody may have signed in before this server knew.
        await reach.accounts.revoke_all(identity)
        reach.presence.dismiss(identity, lambda _: True, Code.CLOSED, closed_words(closure))
        await _each(
            lambda: reach.meetings.withdraw(player),
            *(
                lambda match=match: reach.rooms.give_up(match, player)
                for match in await reach.journal.matches_of(identity, unfinished=True)
            ),
        )

    async def _rename(self, identity: IdentityId) -> None:
        account = await self._reach.accounts.find(identity)
        if account is None:
            return
        for session in self._reach.presence.sessions_of(identity):
            session.introduce_as(account.player)
        await self._reach.talk.rename(account.player)
        await self._reach.rooms.rename(await self._reach.journal.matches_of(identity))


async def _each(*works: Callable[[], Awaitable[None]]) -> None:
    """Do one after another, even if some cannot be done; raise the last failure. Raises: Refusal, StorageError."""
    failure: Refusal | StorageError | None = None
    for work in works:
        try:
            await work()
        except (Refusal, StorageError) as error:
            failure = error
    if failure is not None:
        raise failure
