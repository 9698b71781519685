"""The messages of moderators: open reports, actions, records of players, and the log. Other players are refused."""

import asyncio
from typing import get_args

import structlog

from ..accounts.restrictions import Restrictions
from ..accounts.store import Account, AccountStore
from ..bus.bus import Bus
from ..bus.events import ReportsChanged, RestrictionsChanged
from ..identity.caller import Caller
from ..identity.names import skeleton_of
from ..identity.presence import PlayerSession, Presence
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
from .actions import ActionRequest, ModerationActions
from .enforcement import Enforcement
from .permissions import Actor, check_reports_about, require_moderator
from .report_queue import read_queue
from .store import LogFilter, ModerationStore, NumberedRecord, ReportStore

log = structlog.get_logger()

UPDATE_SECONDS = 0.5
"""Delay between a change of the reports and the message about it, which then covers all changes so far."""
SHOWN_ENTRIES = 50
"""Maximum entries of the log in one message."""
CONTEXT_LINES = 8
"""How many chat lines before and after a reported line are shown."""


class ModerationHandler:
    """Answers the messages of moderators."""

    commands = get_args(ModeratorCommand)

    def __init__(
        self,
        accounts: AccountStore,
        store: ModerationStore,
        reports: ReportStore,
        restrictions: Restrictions,
        actions: ModerationActions,
        enforcement: Enforcement,
        presence: Presence,
        bus: Bus,
    ) -> None:
        self._accounts, self._store, self._reports = accounts, store, reports
        self._restrictions = restrictions
        self._actions = actions
        self._enforcement = enforcement
        self._presence = presence
        self._bus = bus
        self._subscribers: dict[PlayerSession, WireFrame | None] = {}
        """The sessions that follow the open reports, with the latest frame sent to each."""
        self._update: asyncio.Task[None] | None = None
        bus.subscribe(ReportsChanged, lambda _: self._schedule_update())
        bus.subscribe(RestrictionsChanged, lambda event: self._send_restrictions(event.identity))

    async def handle(self, command: ModeratorCommand, caller: Caller) -> None:
        """Answer a message. Raises: Refusal."""
        actor = self._actor(caller)
        require_moderator(actor.role)
        with refusing_failures("moderation not stored"):
            await self._handle(command, caller, actor)

    def greet(self, identity: IdentityId) -> tuple[WireFrame, ...]:
        """Return the frames for a player who has just connected: their restrictions, if they have any."""
        yours = self._restrictions.your_restrictions(identity)
        return (frame_of(yours),) if yours.role or yours.mute_text or yours.name_removed else ()

    async def choose_name(self, owner: Player, name: str, command_id: CommandId) -> None:
        """Rename an account whose name was removed. Raises: Refusal, StorageError."""
        await self._actions.choose_name(owner.id, name, command_id)
        await self._enforcement.catch_up()

    def leave(self, caller: PlayerSession) -> None:
        """Unsubscribe a connection."""
        self._subscribers.pop(caller, None)

    async def forget(self, identity: IdentityId, replacement: Player) -> None:
        """Forget a player whose account is deleted. The log is kept. Raises: StorageError."""
        await self._store.forget(identity)
        await self._reports.forget(identity, replacement)
        self._restrictions.forget(identity)

    def close(self) -> None:
        """Send no more updates."""
        self._subscribers.clear()
        if self._update is not None:
            self._update.cancel()

    async def _handle(self, command: ModeratorCommand, caller: Caller, actor: Actor) -> None:
        match command:
            case WatchReports():
                await self._watch_reports(command, caller)
            case TakeReports():
                await self._take_reports(command, caller, actor)
            case SettleReports():
                await self._settle_reports(command, caller, actor)
            case Moderate():
                await self._moderate(command, caller, actor)
            case GetChatContext():
                await self._get_chat_context(command, caller)
            case GetModerationRecord():
                await self._get_record(command, caller)
            case GetModerationLog():
                await self._get_log(command, caller)

    async def _watch_reports(self, command: WatchReports, caller: Caller) -> None:
        if not command.on:
            self.leave(caller)
            return
        frame = await self._open_reports()
        self._subscribers[caller] = frame
        caller.deliver([frame])

    async def _take_reports(self, command: TakeReports, caller: Caller, actor: Actor) -> None:
        check_reports_about(actor, command.player)
        assert actor.identity is not None
        if not command.on:
            await self._reports.release(command.player, actor.identity)
        elif not await self._reports.take(command.player, actor.identity):
            raise Refusal(Code.REPORTS_TAKEN, "Another moderator is handling these reports, or they are settled.")
        self._bus.publish(ReportsChanged())
        caller.send(Done(command.id))

    async def _settle_reports(self, command: SettleReports, caller: Caller, actor: Actor) -> None:
        action = ModerationAction.UPHOLD if command.upheld else ModerationAction.DISMISS
        request = ActionRequest(action, command.reason, command.id, command.player, reports=command.reports)
        await self._perform(actor, request)
        caller.send(Done(command.id))

    async def _moderate(self, command: Moderate, caller: Caller, actor: Actor) -> None:
        if command.action in (ModerationAction.UPHOLD, ModerationAction.DISMISS, ModerationAction.CHOOSE_NAME):
            raise Refusal(Code.MALFORMED, f"There is a separate message for the action {command.action}.")
        target = (command.player, command.match, command.line, command.duration_ms)
        await self._perform(actor, ActionRequest(command.action, command.reason, command.id, *target, command.reports))
        caller.send(Done(command.id))

    async def _get_chat_context(self, command: GetChatContext, caller: Caller) -> None:
        lines = await self._store.lines_around(command.match, command.line, CONTEXT_LINES)
        caller.send(ChatContext(command.id, command.match, tuple(lines)))

    async def _get_record(self, command: GetModerationRecord, caller: Caller) -> None:
        account = await self._accounts.find_named(skeleton_of(command.name))
        if account is None:
            raise Refusal(Code.UNKNOWN_PLAYER, f"There is no player called {command.name}.")
        caller.send(await self._record_of(account, command.id))

    async def _get_log(self, command: GetModerationLog, caller: Caller) -> None:
        wanted = LogFilter(command.before, command.name, command.action)
        entries = await self._store.log(wanted, SHOWN_ENTRIES + 1)
        shown = tuple(_log_entry(entry) for entry in entries[:SHOWN_ENTRIES])
        caller.send(ModerationLog(command.id, shown, len(entries) > SHOWN_ENTRIES))

    def _actor(self, caller: Caller) -> Actor:
        return Actor(caller.player.id, caller.player.name, self._restrictions.role_of(caller.player.id))

    async def _perform(self, actor: Actor, request: ActionRequest) -> None:
        await self._actions.perform(actor, request)
        await self._enforcement.catch_up()

    async def _record_of(self, account: Account, command_id: CommandId) -> ModerationRecord:
        mute, ban = self._restrictions.mute_of(account.id), self._restrictions.ban_of(account.id)
        tally = await self._reports.tally_about(account.id)
        entries = await self._store.log(LogFilter(player=account.id), SHOWN_ENTRIES)
        return ModerationRecord(
            id=command_id,
            player=NamedPlayer(account.id, account.name),
            role=self._restrictions.role_of(account.id),
            since_ms=account.created_ms,
            mute_reason="" if mute is None else mute.reason,
            muted_until_ms=None if mute is None else mute.until_ms,
            ban_reason="" if ban is None else ban.reason,
            upheld=tally.upheld,
            dismissed=tally.dismissed,
            log=tuple(_log_entry(entry) for entry in entries),
        )

    def _send_restrictions(self, identity: IdentityId) -> None:
        """Send a player their restrictions. The sessions of a banned player are already being closed."""
        if self._restrictions.ban_of(identity) is None:
            self._presence.deliver(identity, [frame_of(self._restrictions.your_restrictions(identity))])

    # Open reports

    async def _open_reports(self) -> WireFrame:
        return frame_of(OpenReports(await read_queue(self._reports, self._restrictions)))

    def _schedule_update(self) -> None:
        if self._subscribers and self._update is None:
            self._update = asyncio.create_task(self._send_update())

    async def _send_update(self) -> None:
        await asyncio.sleep(UPDATE_SECONDS)
        self._update = None
        try:
            frame = await self._open_reports()
        except StorageError as error:
            log.warning("open reports not read", error=str(error))
            return
        for subscriber, sent in tuple(self._subscribers.items()):
            if self._restrictions.role_of(subscriber.identity) is None:
                self._subscribers.pop(subscriber, None)
            elif frame != sent and subscriber in self._subscribers:
                self._subscribers[subscriber] = frame
                subscriber.deliver([frame])


def _log_entry(entry: NumberedRecord) -> ModerationLogEntry:
    record = entry.record
    return ModerationLogEntry(
        number=entry.number,
        at_ms=record.at_ms,
        by=record.by_name,
        action=record.action,
        player=record.player,
        match=record.match,
        line=record.line,
        until_ms=record.until_ms,
        detail=record.detail,
        reason=record.reason,
    )
