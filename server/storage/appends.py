"""Appends: what a batch consists of, their rows, and the statements that store them.

Stores nothing: `server.storage.sqlite_batches` and `server.storage.postgres_batches` do. The batches are
gathered by `server.storage.writer`; the `..._store` modules have the statements.

The drivers do not report how many of many rows a statement has inserted. The statements are therefore written so that a
conflicting row violates a constraint. The batch is then halved until each conflict stands alone.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from sqlalchemy import BindParameter, Executable, Table, bindparam
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ClauseElement

from millrace.protocol import CommandId, MatchId

from .errors import FencedError, StorageError, UnstorableError
from .failures import is_conflict, is_stale_lease

Row: TypeAlias = tuple[object, ...]

EVENT_COLUMNS = ("match", "seq", "at_ms", "seat", "command_id", "body")
"""The columns of `events` in the order in which the rows of appends have them."""

Command: TypeAlias = tuple[int, CommandId]
"""A seat and the id of its command."""


class Statement(NamedTuple):
    """A statement for many rows, and the names of its parameters in the order in which rows have them."""

    executable: Executable
    parameters: tuple[str, ...]


class Insertion(NamedTuple):
    """A step of an append: rows for a statement, beside those of the events."""

    statement: Statement
    rows: Sequence[Row]


class Append(NamedTuple):
    """Rows of one match that are stored together or not at all."""

    match: MatchId
    expected_seq: int = 0
    """The number of the match's last event."""
    events: Sequence[Row] = ()
    """The events after that one."""
    commands: Sequence[Command] = ()
    """The commands that led to them, which the match must not have had before."""
    steps: Sequence[Insertion] = ()
    """What is stored beside the events."""
    ends: bool = False
    """Whether the match is over with these events."""


Outcome: TypeAlias = bool | StorageError
"""Of an append: stored, refused because of a conflict, or fenced off or unstorable (which concerns it alone)."""


def parameters(table: Table, *names: str) -> dict[str, BindParameter[object]]:
    """Return a parameter for each of some columns, or for every column."""
    return {name: bindparam(name, type_=table.c[name].type) for name in names or table.c.keys()}


def compile_statement(statement: Statement, dialect: Dialect) -> str:
    """Return a statement as the driver takes it."""
    assert isinstance(statement.executable, ClauseElement)
    compiled = statement.executable.compile(dialect=dialect)
    assert isinstance(compiled, SQLCompiler)
    assert tuple(compiled.positiontup or ()) == statement.parameters, compiled
    return str(compiled)


def outcome_alone(error: StorageError) -> Outcome:
    """Return the outcome of an append that could not be stored though nothing else was in its batch.

    Raises: StorageError, if the database failed.
    """
    if is_stale_lease(error.__cause__):
        return FencedError("another server does this now")
    if is_conflict(error.__cause__):
        return False
    if isinstance(error, UnstorableError):
        return error
    raise error


def concerns_one(error: StorageError) -> bool:
    """Return whether a batch failed because of one of its appends, not of the database."""
    return is_conflict(error.__cause__) or isinstance(error, UnstorableError)
