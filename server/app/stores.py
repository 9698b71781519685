"""All stores of a server, which share one database."""

from dataclasses import dataclass

from ..archive.archive_store import ArchiveStore
from ..callers.restriction_store import RestrictionStore
from ..chat.chat_store import ChatStore
from ..journal.journal_store import Journal
from ..learning.analysis.analysis_store import AnalysisStore
from ..learning.openings.opening_store import OpeningStore
from ..learning.puzzles.puzzle_store import PuzzleStore
from ..learning.studies.study_store import StudyStore
from ..lobby.search_store import SearchStore
from ..moderation.moderation_store import ModerationStore
from ..moderation.report_store import ReportStore
from ..notifications.notification_store import NotificationStore
from ..notifications.push.push_store import PushStore
from ..players.accounts.account_store import AccountStore
from ..players.profiles.block_store import BlockStore
from ..players.profiles.leader_store import LeaderStore
from ..players.profiles.profile_store import ProfileStore
from ..ratings.rating_store import RatingStore
from ..rooms.plan_store import PlanStore


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores of a server."""

    journal: Journal
    archive: ArchiveStore
    accounts: AccountStore
    restrictions: RestrictionStore
    blocks: BlockStore
    chat: ChatStore
    ratings: RatingStore
    leaders: LeaderStore
    analyses: AnalysisStore
    profiles: ProfileStore
    moderation: ModerationStore
    reports: ReportStore
    notifications: NotificationStore
    puzzles: PuzzleStore
    plans: PlanStore
    push: PushStore
    openings: OpeningStore
    studies: StudyStore
    searches: SearchStore

    async def close(self) -> None:
        """Write what is pending and close the database."""
        await self.journal.close()
