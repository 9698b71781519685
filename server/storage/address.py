"""Parses the address of a database: the value of `--database`.

Opens nothing.
"""

import re
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from .errors import StorageError

SQLITE = "sqlite+aiosqlite"
POSTGRES = "postgresql+asyncpg"
_POSTGRES_SCHEMES = ("postgresql", "postgres")
_SCHEME = re.compile(r"(sqlite|postgres(ql)?|mysql|mariadb|file|https?):", re.IGNORECASE)
"""The beginning of an address that has lost its slashes."""


def parse_address(text: str) -> URL:
    """Parse `sqlite:///PATH`, a bare path, `postgresql://...` or `postgres://...`.

    A bare path has a folder or a suffix, unless the file exists. As in SQLAlchemy, three slashes begin a relative path
    and four an absolute one.
    Raises: StorageError, with a message for the operator.
    """
    scheme, separator, rest = text.partition("://")
    if not separator:
        if not _is_path(text):
            raise StorageError(
                f"there is no database {text!r}; for a new file write sqlite:///{text or 'PATH'}, or a path such as "
                f"./{text or 'millrace'}.sqlite3, and for PostgreSQL postgresql://HOST/NAME"
            )
        return _sqlite_url(text, text)
    if scheme == "sqlite":
        if not rest.startswith("/"):
            raise StorageError(f"the database {text!r} has no path; write sqlite:///PATH")
        # The whole rest is a path: it may contain a question mark, which `make_url` would read as options.
        return _sqlite_url(rest[1:], text)
    if scheme in _POSTGRES_SCHEMES:
        try:
            url = make_url(text).set(drivername=POSTGRES)
            connect_seconds(url)
        except (ArgumentError, ValueError) as error:
            raise StorageError(
                f"the address of the PostgreSQL database cannot be parsed: {error}; "
                "write postgresql://USER@HOST:PORT/NAME"
            ) from None
        return url
    raise StorageError(
        f"the server supports no database at {scheme + separator!r}; "
        "write a file's path, sqlite:///PATH or postgresql://HOST/NAME"
    )


def connect_seconds(url: URL) -> int:
    """Return the `connect_timeout` of a PostgreSQL address, as libpq knows it; 0 for none. Raises: ValueError."""
    given = url.query.get("connect_timeout", "0")
    if not isinstance(given, str) or not given.isdecimal():
        raise ValueError("connect_timeout is a number of seconds")
    return int(given)


def is_sqlite(url: URL) -> bool:
    """Return whether a parsed address names an SQLite file."""
    return url.drivername == SQLITE


def sqlite_path(url: URL) -> Path:
    """Return the file of an SQLite database."""
    assert is_sqlite(url)
    return Path(url.database or "")


def describe(url: URL) -> str:
    """Return an address as messages show it: without user, password and options."""
    if is_sqlite(url):
        return str(sqlite_path(url))
    return URL.create("postgresql", host=url.host, port=url.port, database=url.database).render_as_string()


def _is_path(text: str) -> bool:
    """Return whether a text without a scheme can only mean a file: a lone word may be a mistake, unless it is one."""
    if _SCHEME.match(text):
        return False
    path = Path(text)
    return bool(path.suffix) or len(path.parts) > 1 or path.exists()


def _sqlite_url(path_text: str, text: str) -> URL:
    if not path_text or path_text == ":memory:" or "\0" in path_text:
        raise StorageError(f"the database {text!r} is not a file's path; only a file outlives the server")
    try:
        path = Path(path_text).expanduser()
    except RuntimeError:
        raise StorageError(f"there is no home folder for the database {text!r}; write its whole path") from None
    if path.is_dir():
        raise StorageError(f"the database {path} is a folder; name a file in it")
    return URL.create(SQLITE, database=str(path))
