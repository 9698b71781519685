"""All stores of a server, which share one database, and what opens them."""

from ..archive import import_store
from ..archive.archive_store import ArchiveStore
from ..archive.retention_store import RetentionStore
from ..callers import answer_store, restriction_store
from ..callers.answer_store import AnswerStore
from ..callers.restriction_store import RestrictionStore
from ..chat import chat_store
from ..chat.chat_store import ChatStore
from ..journal.journal_store import Journal
from ..journal.packing_store import PackingStore
from ..learning.analysis.analysis_store import AnalysisStore
from ..learning.endings import ending_store
from ..learning.endings.ending_store import EndingStore
from ..learning.mistakes import mistake_store
from ..learning.mistakes.mistake_store import MistakeStore
from ..learning.openings.opening_store import OpeningStore
from ..learning.puzzles import puzzle_store
from ..learning.puzzles.puzzle_store import PuzzleStore
from ..learning.races import race_store
from ..learning.races.race_store import RaceStore
from ..learning.storms import storm_store
from ..learning.storms.storm_store import StormStore
from ..learning.studies import study_store
from ..learning.studies.study_store import StudyStore
from ..lobby import search_store
from ..lobby.search_store import SearchStore
from ..moderation import report_store
from ..moderation.actions import ModerationActions
from ..moderation.moderation_store import ModerationStore
from ..moderation.overview_store import Overview
from ..moderation.report_store import ReportStore
from ..notifications import notification_store
from ..notifications.notification_store import NotificationStore, notification_of_upheld
from ..notifications.push import push_store
from ..notifications.push.push_store import PushStore
from ..players.accounts import account_store
from ..players.accounts.account_store import AccountStore
from ..players.mail import mail_store
from ..players.mail.mail_store import MailStore
from ..players.profiles import profile_store
from ..players.profiles.profile_store import BlockStore, ProfileStore
from ..players.vacations import vacation_store
from ..players.vacations.vacation_store import VacationStore
from ..ratings import rating_store
from ..ratings.rating_store import RatingStore
from ..rooms.plan_store import PlanStore
from ..runtime.system_clock import NowMs
from ..storage.address import is_sqlite, parse_address, sqlite_path
from ..storage.database import Database
from ..storage.errors import StorageError
from ..storage.migrate import migrate
from ..tournaments import tournament_store
from ..tournaments.ladders import ladder_store
from ..tournaments.ladders.ladder_store import LadderStore
from ..tournaments.tournament_store import TournamentStore

PREPARED = (
    *import_store.STATEMENTS,
    *rating_store.STATEMENTS,
    *notification_store.STATEMENTS,
    *search_store.STATEMENTS,
    *tournament_store.STATEMENTS,
    *ladder_store.STATEMENTS,
)
"""The statements that features prepare for the journal, in the order in which a batch runs them."""

DELETIONS = tuple(
    feature.deletion_steps
    for feature in (
        *(profile_store, chat_store, notification_store, push_store, restriction_store, answer_store, mail_store),
        *(
            search_store,
            puzzle_store,
            ending_store,
            storm_store,
            race_store,
            mistake_store,
            study_store,
            report_store,
            rating_store,
            tournament_store,
            ladder_store,
            vacation_store,
        ),
    )
)
"""Each feature's steps to forget a deleted account, all in one transaction."""


class Stores:
    """The stores of a server."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.journal = Journal(database, PREPARED)
        self.archive = ArchiveStore(database)
        self.packing = PackingStore(database)
        self.retention = RetentionStore(database)
        self.accounts = AccountStore(database, DELETIONS)
        self.answers = AnswerStore(database)
        self.mails = MailStore(database)
        self.restrictions = RestrictionStore(database)
        self.blocks = BlockStore(database)
        self.chat = ChatStore(database)
        self.ratings = RatingStore(database)
        self.analyses = AnalysisStore(database)
        self.profiles = ProfileStore(database)
        self.reports = ReportStore(database)
        self.moderation = ModerationStore(
            database, self.accounts, self.restrictions, self.reports, self.chat, notification_of_upheld
        )
        self.overview = Overview(database)
        self.notifications = NotificationStore(database)
        self.puzzles = PuzzleStore(database)
        self.endings = EndingStore(database)
        self.mistakes = MistakeStore(database)
        self.storms = StormStore(database)
        self.races = RaceStore(database, account_store.name_of)
        self.plans = PlanStore(database)
        self.push = PushStore(database)
        self.openings = OpeningStore(database)
        self.studies = StudyStore(database)
        self.searches = SearchStore(database)
        self.tournaments = TournamentStore(database, self.journal)
        self.ladders = LadderStore(database)
        self.vacations = VacationStore(database)

    async def open_connections(self) -> None:
        """Open the connections to the database that have threads. Raises: StorageError."""
        await self._database.open_connections()

    async def close(self) -> None:
        """Write what is pending and close the database."""
        await self.journal.close()


async def open_storage(address: str) -> Stores:
    """Open the stores in a database, which is created (if it is a file) and migrated as needed.

    `address` is `sqlite:///PATH`, a path, `postgresql://...` or `postgres://...`.
    Raises: StorageError, if the address cannot be parsed or the database cannot be used.
    """
    return Stores(await _open_database(address))


async def open_existing_storage(address: str) -> Stores:
    """Open the stores in a database as `open_storage` does, unless it would be a new file. Raises: StorageError."""
    url = parse_address(address)
    if is_sqlite(url) and not (path := sqlite_path(url)).exists():
        raise StorageError(f"there is no database at {path}; name the server's with --data-dir or --database")
    return await open_storage(address)


def moderation_actions(stores: Stores, now_ms: NowMs) -> ModerationActions:
    """Return a service that takes moderation actions in these stores."""
    return ModerationActions(
        *(stores.moderation, stores.reports, stores.profiles, stores.ratings, stores.journal, stores.chat),
        stores.studies,
        now_ms,
    )


async def open_journal(address: str) -> Journal:
    """Open the journal alone, as `open_storage` does; for benchmarks and tests."""
    return Journal(await _open_database(address), PREPARED)


async def _open_database(address: str) -> Database:
    await migrate(address)
    return Database(parse_address(address))
