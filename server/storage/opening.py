"""Opens the stores: migrates, connects, and puts them together over one database.

No SQL here. Imported by `server.app` through `server.storage`.
"""

from server.storage.accounts import DatabaseAccounts
from server.storage.address import SqliteAddress, parse_address
from server.storage.analyses import DatabaseAnalyses
from server.storage.archive import DatabaseArchive
from server.storage.blocks import DatabaseBlocks
from server.storage.chat import DatabaseChat
from server.storage.journal import DatabaseJournal
from server.storage.migrate import migrate
from server.storage.notices import DatabaseNotices
from server.storage.order import DatabaseOrder
from server.storage.overview import DatabaseOverview
from server.storage.people import DatabasePeople
from server.storage.ratings import DatabaseRatings
from server.storage.reports import DatabaseReports
from server.storage.sqlite import SqliteDatabase
from server.storage.statements import Statements
from server.storage.writer import Database
from server.stores import Stores


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
        DatabasePeople(database),
        DatabaseOrder(database, accounts),
        DatabaseReports(database),
        DatabaseNotices(database),
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
    from server.storage.postgres import PostgresDatabase  # noqa: PLC0415 - its driver is an extra

    shared = await PostgresDatabase.open(address)
    return shared, shared.statements
