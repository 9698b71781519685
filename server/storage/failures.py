"""Turns what drivers and SQLAlchemy raise into a StorageError with a message for the operator."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from sqlalchemy import URL
from sqlalchemy.exc import DataError, DBAPIError, InterfaceError, ProgrammingError, SQLAlchemyError

from ..journal.store import StorageError
from .address import describe, is_sqlite, sqlite_path

_VALUE_ERRORS = (DataError, InterfaceError, ProgrammingError, UnicodeError, OverflowError)
_SQLSTATE_OF_DATA = "22"
_SQLSTATE_OF_ROLLBACK = "40"
"""The classes of PostgreSQL's codes for values that do not fit, and for deadlocks and serialization failures."""

_ADVICE = {
    "database is locked": "another program is writing to it; try again when that has finished",
    "disk is full": "free some space on the disk",
    "readonly database": "check the permissions of the file and of its folder",
    "unable to open database file": "check the permissions of the file and of its folder",
    "is not a database": "name another file",
    "does not exist": "create it, or correct the address",
    "password authentication failed": "correct the user or the password",
    "onnect call failed": "start PostgreSQL, or correct the address",
    "onnection refused": "start PostgreSQL, or correct the address",
}
"""What to do, by a part of the driver's message."""


@contextmanager
def explained(url: URL) -> Iterator[None]:
    """Raise every failure of a database as a StorageError that says what is wrong, where, and what to do."""
    try:
        yield
    except msgspec.ValidationError as error:
        raise StorageError(f"the database {describe(url)} holds a row that cannot be read: {error}") from error
    except (SQLAlchemyError, sqlite3.Error, OSError, TimeoutError, UnicodeError, OverflowError) as error:
        raise explain(url, error) from error


def explain(url: URL, error: Exception) -> StorageError:
    """Return the StorageError for a failure of the database at an address."""
    if is_sqlite(url) and not (folder := sqlite_path(url).parent).is_dir():
        return StorageError(f"the database {describe(url)} cannot be opened: there is no folder {folder}; create it")
    cause = error.orig if isinstance(error, DBAPIError) else error
    message = str(cause) or type(cause).__name__
    advice = next((f"; {advice}" for part, advice in _ADVICE.items() if part in message), "")
    return StorageError(f"the database {describe(url)}: {message}{advice}")


def is_unstorable(error: Exception) -> bool:
    """Return whether a failure concerns a value that no column can hold, not the database."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return False
    return isinstance(error, _VALUE_ERRORS) or _sqlstate(error).startswith(_SQLSTATE_OF_DATA)


def is_retryable(error: Exception) -> bool:
    """Return whether PostgreSQL rolled a transaction back because of another one, as in a deadlock."""
    return _sqlstate(error).startswith(_SQLSTATE_OF_ROLLBACK)


def _sqlstate(error: Exception) -> str:
    return getattr(getattr(error, "orig", None), "sqlstate", None) or ""
