"""What a server needs of PostgreSQL, checked at its start: its own sessions, texts in UTF-8, and writes that last."""

from sqlalchemy import URL, Connection, text

from .address import describe
from .database import connect_to_postgres
from .errors import StorageError

UTF8 = "UTF8"

_SESSION = "SELECT pg_backend_pid()"


async def require_sessions(url: URL) -> None:
    """Refuse a pooler that gives the server's sessions to others between two transactions.

    The lock of the database would stay with a session that is no longer the server's. Two clients of such a pooler meet
    in one session, or one client in two; which of the two depends on the order in which it hands sessions out.
    Raises: StorageError, and what the driver does.
    """
    import asyncpg  # noqa: PLC0415  # an extra

    first, second = await connect_to_postgres(url), await connect_to_postgres(url)
    try:
        session = await first.fetchval(_SESSION)
        async with second.transaction():
            is_alone = await second.fetchval(_SESSION) != session and await first.fetchval(_SESSION) == session
    except (asyncpg.InvalidSQLStatementNameError, asyncpg.DuplicatePreparedStatementError):
        is_alone = False  # a statement was prepared in another session
    finally:
        first.terminate()
        second.terminate()
    if not is_alone:
        raise StorageError(
            f"the database {describe(url)} is behind a pooler that pools transactions; have it pool sessions "
            "(in PgBouncer, pool_mode = session), or name the address of PostgreSQL itself"
        )


async def require_writable(url: URL) -> None:
    """Refuse a database that is read-only, such as a standby, or answers before it has stored what it was given.

    Raises: StorageError, and what the driver does.
    """
    connection = await connect_to_postgres(url)
    try:
        if await connection.fetchval("SELECT current_setting('transaction_read_only')::boolean"):
            raise StorageError(
                f"the database {describe(url)} is read-only; name the primary server if this is a standby, or else "
                "turn default_transaction_read_only off"
            )
        if await connection.fetchval("SELECT current_setting('synchronous_commit')") == "off":
            raise StorageError(
                f"the database {describe(url)} would lose the last moves if it crashed; turn synchronous_commit on for "
                "it and its user"
            )
    finally:
        connection.terminate()


def require_utf8(connection: Connection, place: str) -> None:
    """Refuse a database that cannot store every text. Raises: StorageError."""
    encoding = connection.execute(text("SELECT current_setting('server_encoding')")).scalar_one()
    if encoding != UTF8:
        raise StorageError(
            f"the database {place} has the encoding {encoding}, which cannot store every name; create another one: "
            f"CREATE DATABASE millrace ENCODING '{UTF8}' TEMPLATE template0"
        )
