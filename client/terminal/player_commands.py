"""The terminal's commands about players, notifications and finished matches."""

import asyncio
from collections.abc import Callable, Iterable
from typing import get_args

from millrace.server.protocol import IdentityId, MatchId, Notification, PastMatch, ReportReason

from ..connection import Connection
from .command import Command, UsageError
from .formatting import notification_line, online_lines, past_line, profile_lines
from .replay import Replay, load_replay

MOST_FOUND = 10
"""Maximum number of matches to list."""


class PlayerCommands:
    """The commands that need no open match."""

    def __init__(self, me: Connection, say: Callable[[str], None]) -> None:
        self._me = me
        self._say = say
        self._notifications: tuple[Notification, ...] = ()
        self._replay: Replay | None = None
        self.commands = [
            Command("who", "list who is online", self._list_online),
            Command("profile NAME", "show a player's profile", self._show_profile),
            Command("follow NAME", "be notified when a player comes online or plays", self._follow),
            Command("unfollow NAME", "stop following a player", self._unfollow),
            Command("block NAME", "avoid a player: no pairing, no challenges", self._block),
            Command("unblock NAME", "remove a block", self._unblock),
            Command("report NAME REASON [TEXT...]", "report a name or a profile to the moderators", self._report),
            Command("notifications", "list your notifications", self._list_notifications),
            Command("archive [NAME] [GAME]", "list your latest finished matches, or NAME's", self._search),
            Command("replay MATCH", "replay a match from its start", self._open_replay),
            Command("next", "go to the next ply of the replay", self._go_on),
            Command("back", "go to the previous ply", self._go_back),
            Command("ply NUMBER", "go to a ply", self._go_to),
            Command("export MATCH", "print a match as text", self._export),
        ]

    async def announce_notifications(self) -> None:
        """Print each new notification, at first only their number. Raises: ConnectionLostError."""
        known: set[Notification] | None = None
        async for notifications in self._me.notifications.follow():
            self._notifications = notifications
            unread = [each for each in notifications if not each.read]
            if known is None and unread:
                self._say(f"You have {len(unread)} new notifications; type notifications to read them.")
            for each in reversed(unread):
                if known is not None and each not in known:
                    self._say(f"* {notification_line(each)}")
            known = set(unread)

    async def _list_notifications(self, _: list[str]) -> None:
        lines = (f"{' ' if each.read else '*'} {notification_line(each)}" for each in self._notifications)
        self._say_all(lines, "You have no notifications.")
        if any(not each.read for each in self._notifications):
            await self._me.notifications.mark_read()

    async def _list_online(self, _: list[str]) -> None:
        async for online in self._me.players.online():
            self._say_all(online_lines(online), "")
            return

    async def _show_profile(self, arguments: list[str]) -> None:
        name = arguments[0]
        profile, ratings = await asyncio.gather(self._me.players.profile(name), self._me.players.ratings(name))
        self._say_all(profile_lines(profile, ratings), "")

    async def _follow(self, arguments: list[str]) -> None:
        await self._me.players.follow(await self._player(arguments[0]))
        self._say(f"You follow {arguments[0]}.")

    async def _unfollow(self, arguments: list[str]) -> None:
        await self._me.players.follow(await self._player(arguments[0]), on=False)
        self._say(f"You no longer follow {arguments[0]}.")

    async def _block(self, arguments: list[str]) -> None:
        await self._me.players.block(await self._player(arguments[0]))
        self._say(f"You have blocked {arguments[0]}.")

    async def _unblock(self, arguments: list[str]) -> None:
        await self._me.players.unblock(await self._player(arguments[0]))
        self._say(f"You have unblocked {arguments[0]}.")

    async def _report(self, arguments: list[str]) -> None:
        name, typed, *rest = arguments
        reasons: tuple[ReportReason, ...] = get_args(ReportReason)
        reason = next((each for each in reasons if each == typed), None)
        if reason is None:
            raise UsageError(f"The reason must be one of: {', '.join(reasons)}.")
        await self._me.moderation.report(None, reason, player=await self._player(name), note=" ".join(rest))
        self._say("Your report was sent to the moderators.")

    async def _search(self, arguments: list[str]) -> None:
        games = {game.name for game in self._me.games}
        game = next((word for word in arguments if word in games), None)
        name = next((word for word in arguments if word not in games), None)
        found: list[PastMatch] = []
        async for match in self._me.archive.search(player=name, mine=name is None, game=game):
            found.append(match)
            if len(found) == MOST_FOUND:
                break
        self._say_all(map(past_line, found), "No matches found.")

    async def _open_replay(self, arguments: list[str]) -> None:
        self._replay = await load_replay(self._me, MatchId(arguments[0]))
        self._show(0)

    async def _go_on(self, _: list[str]) -> None:
        self._show(self._opened().ply + 1)

    async def _go_back(self, _: list[str]) -> None:
        self._show(self._opened().ply - 1)

    async def _go_to(self, arguments: list[str]) -> None:
        if not arguments[0].isdecimal():
            raise UsageError("Usage: ply NUMBER")
        self._show(int(arguments[0]))

    async def _export(self, arguments: list[str]) -> None:
        self._say((await self._me.archive.export(MatchId(arguments[0]))).rstrip())

    def _show(self, ply: int) -> None:
        self._say_all(self._opened().go_to(ply), "")

    def _opened(self) -> Replay:
        """Return the open replay. Raises: UsageError."""
        if self._replay is None:
            raise UsageError("Open a replay first: replay MATCH")
        return self._replay

    async def _player(self, name: str) -> IdentityId:
        """Return the id of the owner of an account. Raises: RefusedError."""
        return (await self._me.players.profile(name)).status.player.id

    def _say_all(self, lines: Iterable[str], otherwise: str) -> None:
        self._say("\n".join(lines) or otherwise)
