"""The desk for reports: anybody tells moderators of a player, a line, a name or the words about oneself.

What moderators do with them is in `server.moderation.handler`.
"""

from collections.abc import Callable
from typing import Protocol

import structlog

from ..accounts.rate_limits import Attempts
from ..accounts.store import AccountStore
from ..identity.caller import Caller
from ..identity.presence import PlayerSession
from ..identity.user_text import require_showable
from ..journal.unavailable import refusing_failures
from ..profiles.store import PeopleStore
from ..protocol import ChatLine, Code, Done, IdentityId, MatchId, NamedPlayer, Player, Report, ReportReason
from ..protocol.refusal import Refusal
from ..rooms.rooms import Rooms
from ..system_clock import NowMs
from .store import ReportStore, StoredReport

log = structlog.get_logger()

REPORTS = 5
WINDOW_MS = 600_000
"""So many reports in so long."""


class Talk(Protocol):
    """Where people talk: `server.chat.handler.ChatHandler`."""

    async def find_line(self, match_id: MatchId, number: int, hearer: IdentityId) -> ChatLine:
        """Return a line that somebody may hear. Raises: Refusal, StorageError."""


class ReportHandler:
    """Takes reports."""

    commands = (Report,)

    def __init__(
        self,
        store: ReportStore,
        accounts: AccountStore,
        people: PeopleStore,
        rooms: Rooms,
        talk: Talk,
        now_ms: NowMs,
    ) -> None:
        self._store = store
        self._accounts = accounts
        self._people = people
        self._rooms = rooms
        self._talk = talk
        self._now_ms = now_ms
        self._reported = Attempts(REPORTS, WINDOW_MS)
        self.followers: list[Callable[[], None]] = []
        """Whoever is told when there is another report."""

    async def handle(self, command: Report, caller: Caller) -> None:
        """Take a report. Raises: Refusal."""
        with refusing_failures("report not stored"):
            await self._take(command, caller)

    def leave(self, caller: PlayerSession) -> None:
        """Nothing is kept of a connection."""

    async def _take(self, command: Report, caller: Caller) -> None:
        reporter, now_ms = caller.authentication.player, self._now_ms()
        if not self._reported.may_try(reporter.id, now_ms):
            raise Refusal(Code.RATE_LIMITED, "You have sent several reports; please wait before you send another.")
        words = "\n".join(" ".join(line.split()) for line in command.words.strip().splitlines())
        require_showable(words)
        player, text = await self._subject(command, reporter.id)
        if player.id == reporter.id:
            raise Refusal(Code.NOT_FOR_YOU, "You cannot report yourself.")
        self._reported.begin(reporter.id, now_ms)
        who, about = NamedPlayer(reporter.id, reporter.name), NamedPlayer(player.id, player.name)
        said = (command.reason, words, now_ms)
        await self._store.add(StoredReport(who, command.id, command.match, about, command.line, text, *said))
        log.info("report", match=command.match, player=player.id, reason=command.reason)
        caller.send(Done(command.id))
        for follower in self.followers:
            follower()

    async def _subject(self, command: Report, reporter: IdentityId) -> tuple[Player, str]:
        """Return whom a report is about, and the text that it is about. Raises: Refusal, StorageError."""
        if command.line is not None:
            if command.match is None:
                raise Refusal(Code.UNKNOWN_LINE, "A line is found by its match, which was not named.")
            line = await self._talk.find_line(command.match, command.line, reporter)
            return line.player, line.text
        if command.player is None:
            raise Refusal(Code.UNKNOWN_LINE, "A report is about a player or a line; neither was named.")
        seated = () if command.match is None else (await self._rooms.find(command.match)).match.players
        account = await self._accounts.find(command.player)
        players = [*seated, None if account is None else account.player]
        player = next((each for each in players if each is not None and each.id == command.player), None)
        if player is None:
            raise Refusal(Code.UNKNOWN_PLAYER, "There is no such player here.")
        return player, await self._about(player, command.reason)

    async def _about(self, player: Player, reason: ReportReason) -> str:
        """Return the name, or the words about oneself, as they are now. Raises: StorageError."""
        if reason == "name":
            return player.name
        return (await self._people.find(player.id)).bio if reason == "bio" else ""
