"""Opens the stores: migrates the database, connects, and makes each store.

No SQL here.
"""

from .accounts import DatabaseAccounts
from .address import parse_address
from .analyses import DatabaseAnalyses
from .archive import DatabaseArchive
from .blocks import DatabaseBlocks
from .chat import DatabaseChat
from .database import Database
from .journal import DatabaseJournal
from .migrate import migrate
from .moderation import DatabaseModeration
from .notifications import DatabaseNotifications
from .openings import DatabaseOpenings
from .overview import DatabaseOverview
from .plans import DatabasePlans
from .profiles import DatabaseProfiles
from .push import DatabasePush
from .puzzles import DatabasePuzzles
from .ratings import DatabaseRatings
from .reports import DatabaseReports
from .searches import DatabaseSearches
from .stores import Stores
from .studies import DatabaseStudies


async def open_storage(address: str, *, is_served: bool = False) -> Stores:
    """Open the stores in a database, which is created (if it is a file) and migrated as needed.

    `is_served` says that the caller is the server that has the database's lock.
    `address` is `sqlite:///PATH`, a path, `postgresql://...` or `postgres://...`.
    Raises: StorageError, if the address cannot be parsed or the database cannot be used.
    """
    database = await _open_database(address)
    database.is_served = is_served
    accounts = DatabaseAccounts(database)
    return Stores(
        DatabaseJournal(database),
        DatabaseArchive(database),
        accounts,
        DatabaseBlocks(database),
        DatabaseChat(database),
        DatabaseRatings(database),
        DatabaseAnalyses(database),
        DatabaseProfiles(database),
        DatabaseModeration(database, accounts),
        DatabaseReports(database),
        DatabaseNotifications(database),
        DatabasePuzzles(database),
        DatabasePlans(database),
        DatabasePush(database),
        DatabaseOpenings(database),
        DatabaseStudies(database),
        DatabaseSearches(database),
    )


async def open_journal(address: str) -> DatabaseJournal:
    """Open the journal alone, as `open_storage` does; for benchmarks and tests."""
    return DatabaseJournal(await _open_database(address))


async def open_overview(address: str) -> DatabaseOverview:
    """Open the overview alone, as `open_storage` does; for the command line."""
    return DatabaseOverview(await _open_database(address))


async def _open_database(address: str) -> Database:
    await migrate(address)
    return Database(parse_address(address))
