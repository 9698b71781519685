"""Opens the stores: migrates, connects, and puts them together over one database.

No SQL here.
"""

from .accounts import DatabaseAccounts
from .address import SqliteAddress, parse_address
from .analyses import DatabaseAnalyses
from .archive import DatabaseArchive
from .blocks import DatabaseBlocks
from .chat import DatabaseChat
from .journal import DatabaseJournal
from .migrate import migrate
from .moderation import DatabaseModeration
from .notifications import DatabaseNotifications
from .overview import DatabaseOverview
from .profiles import DatabaseProfiles
from .ratings import DatabaseRatings
from .reports import DatabaseReports
from .sqlite import SqliteDatabase
from .statements import Statements
from .stores import Stores
from .writer import Database


async def open_storage(url: str) -> Stores:
    """Open the stores in a database, which is created (a file) and brought up to date as needed.

    `url` is `sqlite:///PATH`, a path, `postgresql://...` or `postgres://...`.
    Raises: StorageError, in words for people, if the address means nothing or the database cannot be used.
    """
    database, statements = await _open_database(url)
    accounts = DatabaseAccounts(database)
    # A second way to the same file, or a second pool: no ply waits for a search.
    return Stores(
        DatabaseJournal(database, statements),
        DatabaseArchive(*await _open_database(url)),
        accounts,
        DatabaseBlocks(database),
        DatabaseChat(database),
        DatabaseRatings(database),
        DatabaseAnalyses(database),
        DatabaseProfiles(database),
        DatabaseModeration(database, accounts),
        DatabaseReports(database),
        DatabaseNotifications(database),
    )


async def open_journal(url: str) -> DatabaseJournal:
    """Open the journal alone, as `open_storage` does; for what measures or tests it."""
    return DatabaseJournal(*await _open_database(url))


async def open_overview(url: str) -> DatabaseOverview:
    """Open what tells of the whole of a database, as `open_storage` does; for the command line."""
    database, _ = await _open_database(url)
    return DatabaseOverview(database)


async def _open_database(url: str) -> tuple[Database, Statements]:
    await migrate(url)
    address = parse_address(url)
    if isinstance(address, SqliteAddress):
        file = SqliteDatabase(address.path)
        return file, file.statements
    from .postgres import PostgresDatabase  # noqa: PLC0415 - its driver is an extra

    shared = await PostgresDatabase.open(address)
    return shared, shared.statements
