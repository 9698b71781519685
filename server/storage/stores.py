"""All stores of a server, which share one database.

Interfaces only; `server.storage` implements them.
"""

from dataclasses import dataclass

from ..accounts.store import AccountStore
from ..analysis.store import AnalysisStore
from ..archive.store import ArchiveStore
from ..chat.store import ChatStore
from ..journal.plans import PlanStore
from ..journal.store import Journal
from ..lobby.search_store import SearchStore
from ..moderation.store import ModerationStore, ReportStore
from ..notifications.store import NotificationStore
from ..openings.store import OpeningStore
from ..profiles.blocks import BlockStore
from ..profiles.store import ProfileStore
from ..push.store import PushStore
from ..puzzles.store import PuzzleStore
from ..ratings.store import RatingStore
from ..studies.store import StudyStore


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores of a server."""

    journal: Journal
    archive: ArchiveStore
    accounts: AccountStore
    blocks: BlockStore
    chat: ChatStore
    ratings: RatingStore
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
