"""Enforcement: applies moderation actions to a running server, such as ending the sessions of a banned player.

Every server follows the moderation log. It reads the log each second, and at once after its own actions and those
reported by other nodes, so it makes no difference where an action was taken. Each node ends its own sessions and
updates its own rooms, without informing the others; the owner of a match resigns it, or another node if the owner is
gone. If enforcement fails, the failure is logged and not retried: the action itself is stored, and takes full effect
after a restart, when the server looks for matches of banned players.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import structlog

from millrace.protocol import Code, IdentityId, MatchId, ModerationAction, Player
from millrace.protocol.frames import frame_of
from millrace.protocol.refusal import Refusal

from ..callers.presence import Presence, SessionFilter, SessionsEnded
from ..callers.restriction_store import Restriction, RestrictionStore
from ..callers.restrictions import Restrictions, ban_text
from ..callers.site_rules import BLOCKED_TEXT, SITE_ACTIONS, SiteAction, SiteRules
from ..cluster.bus import Bus
from ..cluster.bus_events import BusRestored, NodeGone, NodeWasAway
from ..cluster.events import (
    AccountDeleted,
    ChatLineRemoved,
    ModerationApplied,
    PlayerRenamed,
    ReportsChanged,
    ReportUpheld,
    RestrictionsChanged,
)
from ..cluster.membership import Membership
from ..journal.journal_store import Journal
from ..players.accounts.account_store import AccountStore
from ..ratings.ratings import Ratings
from ..rooms.farewells import give_up
from ..rooms.rooms import Rooms
from ..storage.errors import StorageError
from .moderation_store import ActionRecord, ModerationStore
from .report_store import ReportStore

log = structlog.get_logger()

POLL_SECONDS = 1.0
"""Interval of reading the log."""

_RESTRICTING = frozenset(
    {
        *(ModerationAction.MAKE_ADMIN, ModerationAction.MAKE_MODERATOR, ModerationAction.REMOVE_ROLE),
        *(ModerationAction.MUTE, ModerationAction.UNMUTE, ModerationAction.BAN, ModerationAction.UNBAN),
        *(ModerationAction.REMOVE_NAME, ModerationAction.CHOOSE_NAME),
    }
)
"""Actions that change a player's role or restrictions."""

ACCOUNT_DELETED = "Your account was deleted."

Withdraw = Callable[[Player], Awaitable[None]]
"""Ends a player's searches and declines challenges to them. Raises: Refusal."""


@dataclass(eq=False)
class Enforcement:
    """Follows the moderation log and applies each action to this server."""

    _store: ModerationStore
    _reports: ReportStore
    _restrictions: Restrictions
    _stored: RestrictionStore
    _accounts: AccountStore
    _journal: Journal
    _presence: Presence
    _rooms: Rooms
    _ratings: Ratings
    _withdraw: Withdraw
    _bus: Bus
    _membership: Membership
    _site_rules: SiteRules

    def __post_init__(self) -> None:
        self._number = 0
        """The latest applied log entry."""
        self._lock = asyncio.Lock()
        self._has_news = asyncio.Event()
        self._has_taken_over = True
        """Whether this node may have taken over matches of banned players that another node should have resigned."""
        self._bus.subscribe_elsewhere(ReportsChanged, lambda _: self._has_news.set())
        self._bus.subscribe(BusRestored, lambda _: self._has_news.set())
        self._bus.subscribe(NodeGone, lambda _: self._take_over())
        self._bus.subscribe(NodeWasAway, lambda _: self._take_over())

    async def load(self) -> None:
        """Read all restrictions. Raises: StorageError."""
        # Read the number first: an action taken in between is then applied a second time, which changes nothing.
        self._number = await self._store.latest_number()
        self._restrictions.replace(
            await self._accounts.roles(), await self._stored.all(), await self._store.removed_names()
        )
        for site in await self._store.site_actions():
            self._site_rules.apply(site)

    async def follow(self) -> None:
        """Apply actions taken elsewhere, until cancelled; also finish what a crash may have interrupted."""
        read = None
        while True:
            if self._has_taken_over:
                self._has_taken_over = False
                await self._finish_bans()
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._has_news.wait()
            self._has_news.clear()
            change = self._store.last_change()
            if change is not None and change == read:
                continue
            try:
                await self.catch_up()
                read = change
            except StorageError as error:
                log.warning("moderation log not read", error=str(error))

    async def catch_up(self) -> None:
        """Apply every action that is not applied yet. Raises: StorageError."""
        async with self._lock:
            entries = await self._store.entries_after(self._number)
            for entry in entries:
                self._number = entry.number
                await self._apply(entry)
        if entries:
            self._bus.publish(ModerationApplied())

    async def _apply(self, record: ActionRecord) -> None:
        log.info("moderation action", number=record.number, by=record.by_name, action=record.action)
        if record.player is not None:
            restriction = Restriction(record.reason, record.until_ms)
            self._restrictions.apply(record.player.id, record.action, restriction)
        if record.action in SITE_ACTIONS:
            self._control_site(SiteAction(record.action, record.detail, record.reason, record.until_ms))
        try:
            await self._enforce(record)
            for report in await self._reports.upheld_by(record.number):
                self._bus.publish(ReportUpheld(report.reporter.id, report.player.id, report.match, record.at_ms))
        except (Refusal, StorageError) as error:
            log.error("moderation action not enforced", number=record.number, error=str(error))

    async def _enforce(self, record: ActionRecord) -> None:
        match record.action:
            case ModerationAction.VOID if record.match is not None:
                await self._void(record.match)
            case ModerationAction.REMOVE_LINE if record.match is not None and record.line is not None:
                self._bus.publish(ChatLineRemoved(record.match, record.line))
            case ModerationAction.BAN if record.player is not None:
                player = Player(record.player.id, record.player.name, registered=True)
                await self._ban(player, Restriction(record.reason))
            case ModerationAction.CLEAR_IMPORT if record.match is not None:
                await self._rooms.rename_here([record.match])
            case ModerationAction.DELETE_ACCOUNT if record.player is not None:
                await self._delete(record.player.id, Player(IdentityId(record.detail), record.player.name))
            case ModerationAction.REMOVE_NAME | ModerationAction.CHOOSE_NAME if record.player is not None:
                await self._rename(record.player.id)
            case _:
                pass
        if record.player is not None and record.action in _RESTRICTING:
            self._bus.publish(RestrictionsChanged(record.player.id))

    async def _void(self, match_id: MatchId) -> None:
        await self._rooms.refresh_here(match_id)
        match = (await self._rooms.find(match_id)).match
        await self._ratings.reload([player.id for player in match.players if player is not None])

    async def _ban(self, player: Player, ban: Restriction) -> None:
        self._presence.disconnect_here(SessionsEnded(player.id, SessionFilter(), Code.BANNED, ban_text(ban)))
        await self._end_play(player)

    def _control_site(self, site: SiteAction) -> None:
        """Apply an action about the whole site, and let the players here notice."""
        self._site_rules.apply(site)
        if site.action in (ModerationAction.ANNOUNCE, ModerationAction.END_ANNOUNCEMENT):
            frame = frame_of(self._site_rules.announcement)
            for session in self._presence.sessions_here:
                session.deliver([frame])
        elif site.action is ModerationAction.BLOCK_ADDRESS:
            for session in self._presence.sessions_here:
                if self._site_rules.is_blocked(session.address):
                    session.disconnect(Code.ADDRESS_BLOCKED, BLOCKED_TEXT)

    async def _delete(self, identity: IdentityId, replacement: Player) -> None:
        """End the sessions of a deleted account here, and let those who play on in its place resign."""
        self._presence.disconnect_here(SessionsEnded(identity, SessionFilter(), Code.SIGNED_OUT, ACCOUNT_DELETED))
        matches = await self._journal.matches_of(replacement.id)
        await self._rooms.rename_here(matches)
        self._bus.publish(AccountDeleted(identity, replacement))
        await self._end_play(replacement)

    async def _end_play(self, player: Player) -> None:
        """End a banned player's searches, challenges and matches. Raises: Refusal, StorageError."""
        unfinished = await self._journal.matches_of(player.id, unfinished=True)
        matches = filter(self._membership.owns, unfinished)
        leave_matches = [partial(self._give_up, match, player) for match in matches]
        await _run_all([partial(self._withdraw, player), *leave_matches])

    async def _give_up(self, match: MatchId, player: Player) -> None:
        await give_up(await self._rooms.find(match), player)

    def _take_over(self) -> None:
        self._has_taken_over = True
        self._has_news.set()

    async def _finish_bans(self) -> None:
        """End the play of banned players that continues because a server crashed after storing the ban."""
        identities = await self._rooms.resumed_players()
        for identity in sorted(identity for identity in identities if self._restrictions.ban_of(identity) is not None):
            try:
                account = await self._accounts.find(identity)
                if account is not None:
                    await self._end_play(account.player)
            except (Refusal, StorageError) as error:
                log.error("ban not enforced", player=identity, error=str(error))

    async def _rename(self, identity: IdentityId) -> None:
        account = await self._accounts.find(identity)
        if account is None:
            return
        self._presence.update_player_here(account.player)
        self._bus.publish(PlayerRenamed(account.player))
        await self._rooms.rename_here(await self._journal.matches_of(identity))


async def _run_all(steps: Iterable[Callable[[], Awaitable[None]]]) -> None:
    """Run one step after another even if some fail, then raise the last failure. Raises: Refusal, StorageError."""
    failure: Refusal | StorageError | None = None
    for step in steps:
        try:
            await step()
        except (Refusal, StorageError) as error:
            failure = error
    if failure is not None:
        raise failure
