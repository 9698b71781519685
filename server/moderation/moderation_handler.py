"""The messages of moderation: open reports, actions, records of players and the log, all for moderators only.

Also `ChooseName`, for a player whose name was removed.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass

import structlog

from millrace.protocol import (
    ChatContext,
    ChooseName,
    Code,
    CommandId,
    Done,
    GetChatContext,
    GetModerationLog,
    GetModerationRecord,
    GetSiteControls,
    IdentityId,
    Moderate,
    ModerationAction,
    ModerationLog,
    ModerationLogEntry,
    ModerationRecord,
    NamedPlayer,
    OpenReports,
    SettleReports,
    SiteControl,
    SiteControls,
    TakeReports,
    WatchReports,
)
from millrace.protocol.frames import WireFrame, frame_of
from millrace.protocol.refusal import Refusal

from ..callers.caller import Caller, account_of
from ..callers.feature import Access, Feature, Route
from ..callers.names import check_name, skeleton_of
from ..callers.presence import PlayerSession, Presence
from ..callers.restrictions import Restrictions
from ..callers.site_rules import SiteRules
from ..chat.chat_store import ChatStore
from ..cluster.bus import Bus
from ..cluster.events import AccountDeleted, ModerationApplied, ReportsChanged, RestrictionsChanged
from ..journal.unavailable import refusing_failures
from ..players.accounts.account_store import Account, AccountStore
from ..storage.errors import StorageError
from .actions import ActionRequest, ModerationActions
from .enforcement import Enforcement
from .moderation_store import ActionRecord, LogFilter, ModerationStore
from .permissions import Actor, check_reports_about, require_admin, require_moderator
from .report_queue import read_queue
from .report_store import ReportStore

log = structlog.get_logger()

UPDATE_SECONDS = 0.5
"""Delay between a change of the reports and the message about it, which then covers all changes so far."""
SHOWN_ENTRIES = 50
"""Maximum entries of the log in one message."""
CONTEXT_LINES = 8
"""Number of chat lines shown before and after a reported line."""


@dataclass(eq=False)
class ModerationHandler(Feature):
    """Answers the messages of moderation, and applies actions taken elsewhere."""

    _accounts: AccountStore
    _store: ModerationStore
    _reports: ReportStore
    _chat: ChatStore
    _restrictions: Restrictions
    _actions: ModerationActions
    _enforcement: Enforcement
    _presence: Presence
    _bus: Bus
    _reserved_names: Sequence[str]
    _site_rules: SiteRules

    def __post_init__(self) -> None:
        self._subscribers: dict[PlayerSession, WireFrame | None] = {}
        """The sessions that follow the open reports, with the latest frame sent to each."""
        self._update: asyncio.Task[None] | None = None
        self._bus.subscribe(ReportsChanged, lambda _: self._schedule_update())
        self._bus.subscribe(ModerationApplied, lambda _: self._schedule_update())
        self._bus.subscribe(RestrictionsChanged, lambda event: self._send_restrictions(event.identity))
        self._bus.subscribe(AccountDeleted, lambda event: self._restrictions.forget(event.identity))
        self.routes = (
            Route(WatchReports, self.watch_reports, Access.SIGNED_IN),
            Route(TakeReports, self.take_reports, Access.SIGNED_IN),
            Route(SettleReports, self.settle_reports, Access.SIGNED_IN),
            Route(Moderate, self.moderate, Access.SIGNED_IN),
            Route(GetChatContext, self.get_chat_context, Access.SIGNED_IN),
            Route(GetModerationRecord, self.get_record, Access.SIGNED_IN),
            Route(GetModerationLog, self.get_log, Access.SIGNED_IN),
            Route(GetSiteControls, self.get_site_controls, Access.SIGNED_IN),
            Route(ChooseName, self.choose_name, Access.SIGNED_IN),
        )

    async def load(self) -> None:
        """Read all restrictions. Raises: StorageError."""
        await self._enforcement.load()

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Follow the moderation log."""
        return (self._enforcement.follow(),)

    def greet(self, caller: Caller) -> Sequence[WireFrame]:
        """Return the announcement, and the restrictions of a caller, if there are any."""
        announced, yours = self._site_rules.announcement, self._restrictions.your_restrictions(caller.identity)
        is_restricted = yours.role or yours.mute_text or yours.name_removed
        return [frame_of(each) for each, is_sent in ((announced, announced.text), (yours, is_restricted)) if is_sent]

    def disconnect(self, caller: Caller) -> None:
        """Unsubscribe a connection that has ended."""
        self._subscribers.pop(caller, None)

    async def close(self) -> None:
        """Send no more updates."""
        self._subscribers.clear()
        if self._update is not None:
            self._update.cancel()

    async def watch_reports(self, command: WatchReports, caller: Caller) -> None:
        """Subscribe the caller to the open reports, or unsubscribe. Raises: Refusal."""
        self._moderator(caller)
        if not command.on:
            self._subscribers.pop(caller, None)
            return
        with refusing_failures("open reports not read", "read the reports"):
            frame = await self._open_reports()
        self._subscribers[caller] = frame
        caller.deliver([frame])

    async def take_reports(self, command: TakeReports, caller: Caller) -> None:
        """Reserve the reports about a player for the caller, or release them. Raises: Refusal."""
        actor = self._moderator(caller)
        check_reports_about(actor, command.player)
        with refusing_failures("reports not taken"):
            if not command.on:
                await self._reports.release(command.player, caller.identity)
            elif not await self._reports.take(command.player, caller.identity):
                raise Refusal(Code.REPORTS_TAKEN, "Another moderator is handling these reports, or they are settled.")
        self._bus.publish(ReportsChanged())
        caller.send(Done(command.id))

    async def settle_reports(self, command: SettleReports, caller: Caller) -> None:
        """Uphold or dismiss reports. Raises: Refusal."""
        action = ModerationAction.UPHOLD if command.upheld else ModerationAction.DISMISS
        request = ActionRequest(action, command.reason, command.id, command.player, reports=command.reports)
        await self._perform(request, caller)

    async def moderate(self, command: Moderate, caller: Caller) -> None:
        """Take an action against a player, a chat line or a match. Raises: Refusal."""
        self._moderator(caller)
        if command.action in (ModerationAction.UPHOLD, ModerationAction.DISMISS, ModerationAction.CHOOSE_NAME):
            raise Refusal(Code.MALFORMED, "There is a separate message for the action {action}.", action=command.action)
        target = (command.player, command.match, command.line, command.duration_ms, command.reports, command.study)
        await self._perform(ActionRequest(command.action, command.reason, command.id, *target, command.subject), caller)

    async def get_site_controls(self, command: GetSiteControls, caller: Caller) -> None:
        """Send what is announced, blocked and switched off. Raises: Refusal."""
        require_admin(self._moderator(caller).role)
        controls = [SiteControl(*each) for each in self._site_rules.active]
        caller.send(SiteControls(command.id, tuple(controls)))

    async def choose_name(self, command: ChooseName, caller: Caller) -> None:
        """Rename the caller, whose name moderators removed. Raises: Refusal."""
        owner = account_of(caller)
        check_name(command.name, self._reserved_names)
        with refusing_failures("name not stored"):
            await self._actions.choose_name(owner.id, command.name, command.id)
            await self._enforce()
        caller.send(Done(command.id))

    async def get_chat_context(self, command: GetChatContext, caller: Caller) -> None:
        """Send the chat lines around a line. Raises: Refusal."""
        self._moderator(caller)
        with refusing_failures("chat context not read", "read the chat"):
            lines = await self._chat.lines_around(command.match, command.line, CONTEXT_LINES)
        caller.send(ChatContext(command.id, command.match, tuple(lines)))

    async def get_record(self, command: GetModerationRecord, caller: Caller) -> None:
        """Send the moderators' record of an account. Raises: Refusal."""
        self._moderator(caller)
        with refusing_failures("moderation record not read", "read this"):
            account = await self._accounts.find_named(skeleton_of(command.name))
            if account is None:
                raise Refusal(Code.UNKNOWN_PLAYER, "There is no player called {name}.", name=command.name)
            caller.send(await self._record_of(account, command.id))

    async def get_log(self, command: GetModerationLog, caller: Caller) -> None:
        """Send the latest entries of the moderation log. Raises: Refusal."""
        self._moderator(caller)
        with refusing_failures("moderation log not read", "read the log"):
            wanted = LogFilter(command.before, command.name, command.action)
            entries = await self._store.log(wanted, SHOWN_ENTRIES + 1)
        shown = tuple(_log_entry(entry) for entry in entries[:SHOWN_ENTRIES])
        caller.send(ModerationLog(command.id, shown, len(entries) > SHOWN_ENTRIES))

    def _moderator(self, caller: Caller) -> Actor:
        """Return the caller as a moderator. Raises: Refusal for other players."""
        actor = Actor(caller.identity, caller.player.name, self._restrictions.role_of(caller.identity))
        require_moderator(actor.role)
        return actor

    async def _perform(self, request: ActionRequest, caller: Caller) -> None:
        actor = self._moderator(caller)
        with refusing_failures("moderation action not stored"):
            await self._actions.perform(actor, request)
            await self._enforce()
        caller.send(Done(request.command_id))

    async def _enforce(self) -> None:
        """Apply a stored action, and let the other nodes read it. Raises: StorageError."""
        self._bus.publish(ReportsChanged())
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


def _log_entry(record: ActionRecord) -> ModerationLogEntry:
    return ModerationLogEntry(
        number=record.number,
        at_ms=record.at_ms,
        by=record.by_name,
        action=record.action,
        player=record.player,
        match=record.match,
        line=record.line,
        until_ms=record.until_ms,
        detail=record.detail,
        reason=record.reason,
        study=record.study,
    )
