"""What the server keeps: one record with each of its stores, all of one database.

Interfaces only; `server.storage` opens them. Imported by `server.house` and `server.storage`.
"""

from dataclasses import dataclass

from server.accounts.store import AccountStore
from server.analysis.store import AnalysisStore
from server.archive.store import ArchiveStore
from server.chat.store import ChatStore
from server.journal import Journal
from server.meeting.blocks import BlockStore
from server.notices.store import NoticeStore
from server.order.store import OrderStore, ReportStore
from server.people.store import PeopleStore
from server.ratings.store import RatingStore


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
    people: PeopleStore
    order: OrderStore
    reports: ReportStore
    notices: NoticeStore

    async def close(self) -> None:
        """Write what is pending and let go of the database."""
        await self.archive.close()
        await self.journal.close()
