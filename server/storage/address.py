"""Where the database is: what a person writes after `--database`.

Opens nothing.
"""

from pathlib import Path
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

from ..journal.store import StorageError

_POSTGRES_SCHEMES = ("postgresql", "postgres")


class SqliteAddress(NamedTuple):
    """A file."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)


class PostgresAddress(NamedTuple):
    """A PostgreSQL server and a database of it."""

    url: str
    """As the driver takes it; it may hold a password."""

    def __str__(self) -> str:
        """Return the address as it may be shown: without user and password."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


Address: TypeAlias = SqliteAddress | PostgresAddress


def parse_address(url: str) -> Address:
    """Read `sqlite:///PATH`, a bare path, `postgresql://...` or `postgres://...`.

    As SQLAlchemy has it, three slashes begin a relative path and four an absolute one.
    Raises: StorageError, with words for the person who wrote it.
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        return SqliteAddress(_parse_path(url, url))
    if scheme == "sqlite":
        if not rest.startswith("/"):
            raise StorageError(f"the database {url!r} has no path; write sqlite:///PATH")
        return SqliteAddress(_parse_path(rest[1:], url))
    if scheme in _POSTGRES_SCHEMES:
        try:
            _ = urlsplit(url).port
        except ValueError as error:
            raise StorageError(f"the address of the PostgreSQL database does not parse: {error}") from None
        return PostgresAddress(url)
    raise StorageError(
        f"no database is known by {scheme + separator!r}; write a file's path, sqlite:///PATH or postgresql://HOST/NAME"
    )


def _parse_path(text: str, url: str) -> Path:
    if not text or text == ":memory:" or "\0" in text:
        raise StorageError(f"the database {url!r} is not a file's path, and only a file outlives the server")
    path = Path(text).expanduser()
    if path.is_dir():
        raise StorageError(f"the database {path} is a folder; name a file in it")
    return path
