"""Turns what drivers and SQLAlchemy raise into a StorageError with a message for the operator."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from ..runtime.child_process import is_refused
from .address import describe, is_sqlite, sqlite_path
from .errors import StorageError, UnstorableError
from .fences import leases

_FAILURES = (SQLAlchemyError, sqlite3.Error, OSError, TimeoutError, UnicodeError, OverflowError)

_VALUE_ERRORS = (sqlite3.DataError, sqlite3.ProgrammingError, sqlite3.InterfaceError, OverflowError)
"""What SQLite's driver raises for values that cannot be stored."""

_DATA, _CONSTRAINTS, _ROLLBACK = "22", "23", "40"
"""Classes of PostgreSQL's codes: values that do not fit, constraints, and deadlocks or serialization failures."""

_ERROR_NUMBER = re.compile(r"\[Errno -?\d+\] ")

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
    except Exception as error:
        raise as_storage_error(url, error)  # noqa: B904  # it has its cause


def as_storage_error(url: URL, error: Exception) -> Exception:
    """Return the StorageError for a failure of the database at an address; any other error as it is."""
    if isinstance(error, msgspec.ValidationError):
        found = StorageError(f"the database {describe(url)} holds a row that cannot be read: {error}")
    elif isinstance(error, _failures(url)):
        found = explain(url, error)
    elif is_refused(error):  # each of SQLite's connections has a thread
        found = StorageError("the system does not allow this process enough threads or memory")
    else:
        return error
    found.__cause__ = error
    return found


def explain(url: URL, error: Exception) -> StorageError:
    """Return the StorageError for a failure of the database at an address."""
    if is_sqlite(url) and not (folder := sqlite_path(url).parent).is_dir():
        return StorageError(f"the database {describe(url)} cannot be opened: there is no folder {folder}; create it")
    cause = error.orig if isinstance(error, DBAPIError) else error
    message = _ERROR_NUMBER.sub("", str(cause)) or type(cause).__name__
    advice = next((f"; {advice}" for part, advice in _ADVICE.items() if part in message), "")
    kind = UnstorableError if is_unstorable(error) else StorageError
    return kind(f"the database {describe(url)}: {message}{advice}")


def is_conflict(error: BaseException | None) -> bool:
    """Return whether a statement failed because it would have violated a constraint."""
    return isinstance(error, (IntegrityError, sqlite3.IntegrityError)) or _sqlstate(error).startswith(_CONSTRAINTS)


def is_stale_lease(error: BaseException | None) -> bool:
    """Return whether a statement failed because a lease has another holder (`server.storage.fences`)."""
    column = f"{leases.name}.{leases.c.number.name}"
    if isinstance(error, sqlite3.IntegrityError):
        return str(error) == f"NOT NULL constraint failed: {column}"
    return f"{getattr(error, 'table_name', '')}.{getattr(error, 'column_name', '')}" == column


def is_unstorable(error: BaseException | None) -> bool:
    """Return whether a failure concerns a value that no column can hold, not the database."""
    # Both drivers have kinds of ValueError for values; a plain one means that the connection is closed.
    is_value_error = isinstance(error, ValueError) and type(error) is not ValueError
    if isinstance(error, sqlite3.ProgrammingError) and "closed database" in str(error):
        return False
    return is_value_error or isinstance(error, _VALUE_ERRORS) or _sqlstate(error).startswith(_DATA)


def is_retryable(error: BaseException | None) -> bool:
    """Return whether PostgreSQL rolled a transaction back because of another one, as in a deadlock."""
    return _sqlstate(error).startswith(_ROLLBACK)


def _failures(url: URL) -> tuple[type[Exception], ...]:
    """Return what a database may raise."""
    if is_sqlite(url):
        return _FAILURES
    try:
        import asyncpg  # noqa: PLC0415  # an extra
    except ModuleNotFoundError:
        return _FAILURES
    return (*_FAILURES, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


def _sqlstate(error: BaseException | None) -> str:
    """Return PostgreSQL's code for a failure, from the driver's error or SQLAlchemy's around it."""
    return getattr(getattr(error, "orig", error), "sqlstate", None) or ""
