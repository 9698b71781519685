"""What the tables of all features share: one metadata, and how they are written down.

Each feature defines its tables beside its statements, and `server.app.tables` lists them all. How a database gets them
is in `migrations`; a test holds the two equal.
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Column, MetaData, PrimaryKeyConstraint, Table
from sqlalchemy.types import TypeEngine

metadata = MetaData()


def define_table(name: str, key: Iterable[str], *columns: Column[Any]) -> Table:
    """Return a new table with a primary key."""
    return Table(name, metadata, *columns, PrimaryKeyConstraint(*key, name=f"{name}_pkey"))


def required(column_type: type[TypeEngine[Any]], *names: str) -> list[Column[Any]]:
    """Return columns of a type that are never null."""
    return [Column(name, column_type, nullable=False) for name in names]


def optional(column_type: type[TypeEngine[Any]], *names: str) -> list[Column[Any]]:
    """Return columns of a type that may be null."""
    return [Column(name, column_type) for name in names]
