"""The desk for moderators: the open reports, what is done about them, how people stand, and the log.

Whoever is no moderator is refused.
"""

import asyncio
from typing import get_args

import structlog

from ..accounts.restrictions import Restrictions
from ..accounts.store import Account, AccountStore
from ..identity.caller import Caller
from ..identity.names import skeleton_of
from ..identity.presence import PlayerSession
from ..journal.store import StorageError
from ..journal.unavailable import refusing_failures
from ..protocol import (
    ChatContext,
    Code,
    CommandId,
    Done,
    GetChatContext,
    GetModerationLog,
    GetModerationRecord,
    IdentityId,
    Moderate,
    ModerationAction,
    ModerationLog,
    ModerationLogEntry,
    ModerationRecord,
    ModeratorCommand,
    NamedPlayer,
    OpenReports,
    Player,
    SettleReports,
    TakeReports,
    WatchReports,
)
from ..protocol.frames import WireFrame, frame_of
from ..protocol.refusal import Refusal
from .actions import Moderation, Order
from .enforcement import Enforcement
from .permissions import Actor, check_reports_about, require_moderator
from .report_queue import ReportQueue
from .store import LogFilter, ModerationStore, NumberedRecord, ReportStore, ReportTally

log = structlog.get_logger()

INTERVAL_SECONDS = 0.5
"""Changed reports are told after so long, with all that has changed by then."""
SHOWN_ENTRIES = 50
LINES_AROUND = 8
"""So many lines before and after a reported one are shown."""


class ModerationHandler:
    """What moderators ask for."""

    commands = get_args(ModeratorCommand)

    def __init__(
        self,
        accounts: AccountStore,
        order: ModerationStore,
        reports: ReportStore,
        restrictions: Restrictions,
        moderation: Moderation,
        enforcer: Enforcement,
    ) -> None:
        self._accounts, self._order, self._reports = accounts, order, reports
        self._standings = restrictions
        self._moderation = moderation
        self._enforcer = enforcer
        self._queue = ReportQueue(reports, restrictions)
        self._watching: dict[PlayerSession, WireFrame | None] = {}
        """Who follows the reports, and what they were told."""
        self._telling: asyncio.Task[None] | None = None

    async def handle(self, command: ModeratorCommand, caller: Caller) -> None:
        """Follow a command and answer it. Raises: Refusal."""
        actor = self._actor(caller)
        require_moderator(actor.role)
        with refusing_failures("order not stored"):
            await self._handle(command, caller, actor)

    def greet(self, identity: IdentityId) -> tuple[WireFrame, ...]:
        """Return the frames that somebody gets who has just come, of whom anything holds that not everybody needs."""
        standing = self._standings.your_restrictions(identity)
        return (frame_of(standing),) if standing.role or standing.muted or standing.name_removed else ()

    async def choose_name(self, owner: Player, name: str, command_id: CommandId) -> None:
        """Give an account another name in place of the neutral one. Raises: Refusal, StorageError."""
        await self._moderation.choose_name(owner.id, name, command_id)
        await self._enforcer.catch_up()

    def leave(self, caller: PlayerSession) -> None:
        """Tell somebody nothing more."""
        self._watching.pop(caller, None)

    async def forget(self, identity: IdentityId, nobody: Player) -> None:
        """Forget what is kept of somebody whose account is deleted; the log stays. Raises: StorageError."""
        await self._order.forget(identity)
        await self._reports.forget(identity, nobody)
        self._standings.forget(identity)

    def changed(self) -> None:
        """Tell those who follow the reports that they may have changed, after a while."""
        if self._watching and self._telling is None:
            self._telling = asyncio.create_task(self._tell_later())

    def close(self) -> None:
        """Tell nobody anything more."""
        self._watching.clear()
        if self._telling is not None:
            self._telling.cancel()

    async def _handle(self, command: ModeratorCommand, caller: Caller, actor: Actor) -> None:
        match command:
            case WatchReports(on):
                await self._watch(caller, on)
            case TakeReports(id_, player, on):
                await self._take(player, on, actor)
                caller.send(Done(id_))
            case SettleReports(id_, player, reports, upheld, reason):
                action = ModerationAction.UPHOLD if upheld else ModerationAction.DISMISS
                await self._do(actor, Order(action, reason, id_, player, reports=reports))
                caller.send(Done(id_))
            case Moderate():
                await self._do(actor, _order_of(command))
                caller.send(Done(command.id))
            case GetChatContext(id_, match, line):
                caller.send(ChatContext(id_, match, tuple(await self._order.lines_around(match, line, LINES_AROUND))))
            case GetModerationRecord(id_, name):
                caller.send(await self._conduct(command, await self._find(name)))
            case GetModerationLog(id_, before, name, action):
                entries = await self._order.log(LogFilter(before, name, action), SHOWN_ENTRIES + 1)
                shown = tuple(_shown(entry) for entry in entries[:SHOWN_ENTRIES])
                caller.send(ModerationLog(id_, shown, len(entries) > SHOWN_ENTRIES))

    def _actor(self, caller: Caller) -> Actor:
        player = caller.authentication.player
        return Actor(player.id, player.name, self._standings.role_of(player.id))

    async def _do(self, actor: Actor, order: Order) -> None:
        await self._moderation.perform(actor, order)
        await self._enforcer.catch_up()

    async def _take(self, player: IdentityId, on: bool, actor: Actor) -> None:
        check_reports_about(actor, player)
        assert actor.identity is not None
        if not on:
            await self._reports.leave(player, actor.identity)
        elif not await self._reports.take(player, actor.identity):
            words = "Another moderator sees to these reports, or they have been settled."
            raise Refusal(Code.REPORTS_TAKEN, words)
        self.changed()

    async def _find(self, name: str) -> Account:
        account = await self._accounts.find_named(skeleton_of(name))
        if account is None:
            raise Refusal(Code.UNKNOWN_PLAYER, f"Nobody here is called {name}.")
        return account

    async def _conduct(self, command: GetModerationRecord, account: Account) -> ModerationRecord:
        identity, restrictions = account.id, self._standings
        mute, ban = restrictions.mute_of(identity), restrictions.ban_of(identity)
        tally: ReportTally = await self._reports.tally_about(identity)
        entries = await self._order.log(LogFilter(player=identity), SHOWN_ENTRIES)
        return ModerationRecord(
            command.id,
            NamedPlayer(identity, account.name),
            restrictions.role_of(identity),
            account.created_ms,
            "" if mute is None else mute.words,
            None if mute is None else mute.until_ms,
            "" if ban is None else ban.words,
            tally.upheld,
            tally.dismissed,
            tuple(_shown(entry) for entry in entries),
        )

    # The reports

    async def _watch(self, caller: Caller, on: bool) -> None:
        if not on:
            self.leave(caller)
            return
        frame = frame_of(OpenReports(await self._queue.cases()))
        self._watching[caller] = frame
        caller.deliver([frame])

    async def _tell_later(self) -> None:
        await asyncio.sleep(INTERVAL_SECONDS)
        self._telling = None
        try:
            frame = frame_of(OpenReports(await self._queue.cases()))
        except StorageError as error:
            log.warning("reports not read", error=str(error))
            return
        for watcher, told in tuple(self._watching.items()):
            if self._standings.role_of(watcher.identity) is None:
                self._watching.pop(watcher, None)
            elif frame != told and watcher in self._watching:
                self._watching[watcher] = frame
                watcher.deliver([frame])


def _order_of(command: Moderate) -> Order:
    if command.action in (ModerationAction.UPHOLD, ModerationAction.DISMISS, ModerationAction.CHOOSE_NAME):
        raise Refusal(Code.MALFORMED, "That is asked for by a message of its own.")
    upon = (command.player, command.match, command.line, command.duration_ms)
    return Order(command.action, command.reason, command.id, *upon, command.reports)


def _shown(entry: NumberedRecord) -> ModerationLogEntry:
    number, record = entry
    upon = (record.player, record.match, record.line, record.until_ms)
    return ModerationLogEntry(number, record.at_ms, record.by_name, record.action, *upon, record.detail, record.reason)
