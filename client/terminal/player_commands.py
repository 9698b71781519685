"""What may be typed at the terminal about people, notices and matches that are over."""

import asyncio
from collections.abc import Callable, Iterable
from typing import get_args

from millrace.server.protocol import IdentityId, MatchId, Notification, PastMatch, ReportReason

from ..connection import Connection
from .command import Command, UsageError
from .formatting import notice_line, online_lines, past_line, profile_lines
from .open_match import Replay, load_replay

MOST_FOUND = 10
"""Matches listed at once; a search that is narrower finds the others."""


class Others:
    """Commands that need no match to lie open."""

    def __init__(self, me: Connection, say: Callable[[str], None]) -> None:
        self._me = me
        self._say = say
        self._notices: tuple[Notification, ...] = ()
        self._replay: Replay | None = None
        self.commands = [
            Command("who", "who is online", self._list_online),
            Command("profile NAME", "what there is to see of somebody", self._show_profile),
            Command("follow NAME", "be told when somebody comes online or plays", self._follow),
            Command("unfollow NAME", "be told no longer", self._unfollow),
            Command("block NAME", "never meet somebody, nor be challenged", self._block),
            Command("unblock NAME", "take that back", self._unblock),
            Command("report NAME REASON [WORDS...]", "tell moderators of a name or a profile", self._report),
            Command("notices", "what has happened that concerns you", self._list_notices),
            Command("archive [NAME] [GAME]", "your latest matches that are over, or NAME's", self._search),
            Command("replay MATCH", "go through a match from its start", self._open_replay),
            Command("next", "one ply on in it", self._go_on),
            Command("back", "one ply back", self._go_back),
            Command("ply NUMBER", "to a ply", self._go_to),
            Command("export MATCH", "a match as text", self._export),
        ]

    async def tell_notices(self) -> None:
        """Tell each notice that comes, at first only how many there are. Raises: ConnectionLostError."""
        known: set[Notification] | None = None
        async for notices in self._me.notifications.follow():
            self._notices = notices
            unread = [notice for notice in notices if not notice.read]
            if known is None and unread:
                self._say(f"You have {len(unread)} new notices; type notices.")
            for notice in reversed(unread):
                if known is not None and notice not in known:
                    self._say(f"* {notice_line(notice)}")
            known = set(unread)

    async def _list_notices(self, _: list[str]) -> None:
        self._say_all((f"{' ' if each.read else '*'} {notice_line(each)}" for each in self._notices), "No notices.")
        if any(not notice.read for notice in self._notices):
            await self._me.notifications.mark_read()

    async def _list_online(self, _: list[str]) -> None:
        async for online in self._me.players.online():
            self._say_all(online_lines(online), "")
            return

    async def _show_profile(self, words: list[str]) -> None:
        about, profile = await asyncio.gather(self._me.players.profile(words[0]), self._me.players.ratings(words[0]))
        self._say_all(profile_lines(about, profile), "")

    async def _follow(self, words: list[str]) -> None:
        await self._me.players.follow(await self._player(words[0]))
        self._say(f"You follow {words[0]}.")

    async def _unfollow(self, words: list[str]) -> None:
        await self._me.players.follow(await self._player(words[0]), on=False)
        self._say(f"You follow {words[0]} no more.")

    async def _block(self, words: list[str]) -> None:
        await self._me.players.block(await self._player(words[0]))
        self._say(f"You will not meet {words[0]}.")

    async def _unblock(self, words: list[str]) -> None:
        await self._me.players.unblock(await self._player(words[0]))
        self._say(f"You may meet {words[0]} again.")

    async def _report(self, words: list[str]) -> None:
        name, typed, *rest = words
        reasons: tuple[ReportReason, ...] = get_args(ReportReason)
        reason = next((each for each in reasons if each == typed), None)
        if reason is None:
            raise UsageError(f"A reason is one of {', '.join(reasons)}.")
        await self._me.moderation.report(None, reason, player=await self._player(name), note=" ".join(rest))
        self._say("Moderators will see your report.")

    async def _search(self, words: list[str]) -> None:
        games = {game.name for game in self._me.games}
        game = next((word for word in words if word in games), None)
        name = next((word for word in words if word not in games), None)
        found: list[PastMatch] = []
        async for match in self._me.archive.search(player=name, mine=name is None, game=game):
            found.append(match)
            if len(found) == MOST_FOUND:
                break
        self._say_all(map(past_line, found), "No such match.")

    async def _open_replay(self, words: list[str]) -> None:
        self._replay = await load_replay(self._me, MatchId(words[0]))
        self._show(0)

    async def _go_on(self, _: list[str]) -> None:
        self._show(self._opened().ply + 1)

    async def _go_back(self, _: list[str]) -> None:
        self._show(self._opened().ply - 1)

    async def _go_to(self, words: list[str]) -> None:
        if not words[0].isdecimal():
            raise UsageError("Type: ply NUMBER")
        self._show(int(words[0]))

    async def _export(self, words: list[str]) -> None:
        self._say((await self._me.archive.export(MatchId(words[0]))).rstrip())

    def _show(self, ply: int) -> None:
        self._say_all(self._opened().go_to(ply), "")

    def _opened(self) -> Replay:
        """Return the match that is gone through. Raises: UsageError."""
        if self._replay is None:
            raise UsageError("Type first: replay MATCH")
        return self._replay

    async def _player(self, name: str) -> IdentityId:
        """Raises: RefusedError."""
        return (await self._me.players.profile(name)).status.player.id

    def _say_all(self, lines: Iterable[str], otherwise: str) -> None:
        self._say("\n".join(lines) or otherwise)
