"""Reports: players report a player, a chat line, a study, a name, a profile text or an imported match to moderators.

`server.moderation.moderation_handler` handles them.
"""

from dataclasses import dataclass

import structlog

from millrace.protocol import Code, Done, IdentityId, Player, Report, ReportReason, Scope
from millrace.protocol.refusal import Refusal

from ..callers.caller import Caller
from ..callers.feature import Feature, Route
from ..callers.limit import MINUTE_MS, Limit
from ..callers.limits import Limits
from ..callers.user_text import require_showable
from ..chat.chat_handler import ChatHandler
from ..cluster.bus import Bus
from ..cluster.events import ReportsChanged
from ..journal.journal_store import Journal
from ..journal.unavailable import refusing_failures
from ..learning.studies.study_store import StudyStore
from ..players.accounts.account_store import AccountStore
from ..players.profiles.profile_store import ProfileStore
from ..rooms.rooms import Rooms
from ..runtime.system_clock import NowMs
from .actions import GUEST
from .report_store import ReportStore, StoredReport

log = structlog.get_logger()

REPORTS = Limit(
    name="reports",
    counts="reports to the moderators",
    refusal="You have sent several reports; please wait before you send another.",
    code=Code.RATE_LIMITED,
    window_ms=10 * MINUTE_MS,
    account=5,
    guest=5,
    address=15,
)
MAX_TEXT = 2_000
"""Maximum characters of a study that a report keeps."""


@dataclass(eq=False)
class ReportHandler(Feature):
    """Accepts reports."""

    _store: ReportStore
    _accounts: AccountStore
    _profiles: ProfileStore
    _rooms: Rooms
    _journal: Journal
    _studies: StudyStore
    _chat: ChatHandler
    _bus: Bus
    _now_ms: NowMs
    _limits: Limits

    def __post_init__(self) -> None:
        self.routes = (Route(Report, self.report, Scope.CHAT),)

    async def report(self, command: Report, caller: Caller) -> None:
        """Store a report of the caller. Raises: Refusal."""
        with refusing_failures("report not stored"):
            await self._add(command, caller)
        caller.send(Done(command.id))
        self._bus.publish(ReportsChanged())

    async def _add(self, command: Report, caller: Caller) -> None:
        reporter, now_ms = caller.player, self._now_ms()
        self._limits.check(REPORTS, caller)
        note = "\n".join(" ".join(line.split()) for line in command.note.strip().splitlines())
        require_showable(note)
        player, text = await self._find_subject(command, reporter.id)
        if player.id == reporter.id:
            raise Refusal(Code.NOT_FOR_YOU, "You cannot report yourself.")
        self._limits.use(REPORTS, caller)
        report = StoredReport(
            reporter_id=reporter.id,
            command_id=command.id,
            match=command.match,
            player_id=player.id,
            line=command.line,
            text=text,
            reason=command.reason,
            note=note,
            at_ms=now_ms,
            reporter_name=reporter.name,
            player_name=player.name,
            study=command.study,
        )
        await self._store.add(report)
        log.info("report", request=command.id, match=command.match, player=player.id, reason=command.reason)

    async def _find_subject(self, command: Report, reporter: IdentityId) -> tuple[Player, str]:
        """Return the reported player and the reported text. Raises: Refusal, StorageError."""
        if command.line is not None:
            if command.match is None:
                raise Refusal(Code.UNKNOWN_LINE, "To report a line, name its match too.")
            line = await self._chat.find_line(command.match, command.line, reporter)
            return line.player, line.text
        if command.study is not None:
            return await self._reported_study(command.study)
        match = None if command.match is None else (await self._rooms.find(command.match)).match
        if match is not None and match.created.imported:
            names = ", ".join(each.name for each in match.players if each is not None)
            return await self._author(await self._journal.importer_of(match.id)), names
        if command.player is None:
            raise Refusal(Code.UNKNOWN_LINE, "A report must name a player or a line.")
        seated = () if match is None else match.players
        account = await self._accounts.find(command.player)
        players = [*seated, None if account is None else account.player]
        player = next((each for each in players if each is not None and each.id == command.player), None)
        if player is None:
            raise Refusal(Code.UNKNOWN_PLAYER, "There is no such player.")
        return player, await self._reported_text(player, command.reason)

    async def _reported_text(self, player: Player, reason: ReportReason) -> str:
        """Return the player's current name or profile text, if the report is about it. Raises: StorageError."""
        if reason == "name":
            return player.name
        return (await self._profiles.find(player.id)).bio if reason == "bio" else ""

    async def _reported_study(self, study: str) -> tuple[Player, str]:
        """Return whose a chapter is, with its titles and text. Raises: Refusal, StorageError."""
        found = await self._studies.find(study)
        if found is None:
            raise Refusal(Code.UNKNOWN_STUDY, "There is no such study.")
        return await self._author(found.identity), "\n".join(filter(None, (found.title, found.name, found.text)))[
            :MAX_TEXT
        ]

    async def _author(self, identity: IdentityId) -> Player:
        """Return who has saved or imported something, who may be a guest. Raises: StorageError."""
        account = await self._accounts.find(identity)
        return Player(identity, GUEST) if account is None else account.player
