"""The SQL of the journal, built once from the tables and compiled for each database.

Runs nothing.

The texts go to the drivers as they stand: SQLAlchemy's own execution would cost more than the databases do.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Dialect,
    Select,
    Table,
    bindparam,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ClauseElement

from .tables import events, heartbeats, match_players, matches, rating_history, ratings

Row = tuple[object, ...]

ZERO: ColumnElement[int] = literal_column("0")
ONE: ColumnElement[int] = literal_column("1")
EMPTY: ColumnElement[str] = literal_column("''")
"""Written into the texts as they are, so that they are no parameters."""

BEGINNING = ("id", "origin_by", "origin_command", "game", "created_ms", "imported")
"""The columns of a match that begins."""
_END = ("ended_ms", "archived_ms", "rated", "plies", "termination", "result")
_SEAT = ("match", "seat", "identity")
_SEAT_END = ("archived_ms", "game", "rated", "rank", "result")


class Statements(NamedTuple):
    """The SQL texts for one database; each says which values it takes, in order."""

    insert_match: str
    """`(id, origin_by, origin_command, game, created_ms, imported)` of `matches`."""
    insert_event: str
    """A row of `events`; inserts nothing unless `seq - 1` is the match's last event (0 when it has none).
    In PostgreSQL, whose driver counts no inserts, it gives `(seq,)`."""
    insert_player: str
    """`(match, seat, identity)` of `match_players`, in place of one of the same seat."""
    end_match: str
    """`(ended_ms, archived_ms, rated, plies, termination, result, match)`."""
    end_seat: str
    """`(archived_ms, game, rated, rank, result, match, seat)`."""
    put_rating: str
    """A row of `ratings`; changes nothing unless it rests on one match more than what is stored (0 when nothing is).
    In PostgreSQL, whose driver counts no inserts, it gives `(identity,)`."""
    insert_history: str
    """A row of `rating_history`."""
    ended_since: str
    """`(ended_ms,)`; gives `(match,)`."""
    load: str
    """`(match,)`; gives `(seq, at_ms, seat, command_id, body)` in order of seq."""
    find_created: str
    """`(origin_by, origin_command)`; gives `(match,)`."""
    unfinished: str
    """`()`; gives `(match,)`, the oldest first."""
    matches_of: str
    """`(identity,)`; gives `(match,)`, the latest first."""
    unfinished_of: str
    """`(identity,)`; gives `(match,)` of those that have not ended, the latest first."""
    beat: str
    """`(node, at_ms)`."""
    last_beat: str
    """`()`; gives `(at_ms or null,)`."""


def compile_statements(dialect: Dialect) -> Statements:
    """Return the statements in the words and with the placeholders of a dialect."""
    return Statements(
        insert_match=compile_text(dialect, insert(matches).values(_typed(matches, BEGINNING)), *BEGINNING),
        insert_event=compile_text(dialect, _insert_event(returning=dialect.name == "postgresql"), *events.c.keys()),
        insert_player=compile_text(dialect, _insert_player(), *_SEAT),
        end_match=compile_text(dialect, _end_match(), *_END, "match"),
        end_seat=compile_text(dialect, _end_seat(), *_SEAT_END, "of_match", "of_seat"),
        put_rating=compile_text(dialect, _put_rating(returning=dialect.name == "postgresql"), *ratings.c.keys()),
        insert_history=compile_text(
            dialect,
            insert(rating_history).values({c.name: bindparam(c.name, type_=c.type) for c in rating_history.c}),
            *rating_history.c.keys(),
        ),
        ended_since=compile_text(
            dialect, select(matches.c.id).where(matches.c.ended_ms >= bindparam("since_ms")), "since_ms"
        ),
        load=compile_text(
            dialect,
            select(events.c.seq, events.c.at_ms, events.c.seat, events.c.command_id, events.c.body)
            .where(events.c.match == bindparam("match"))
            .order_by(events.c.seq),
            "match",
        ),
        find_created=compile_text(
            dialect,
            select(matches.c.id).where(
                matches.c.origin_by == bindparam("by"), matches.c.origin_command == bindparam("command")
            ),
            "by",
            "command",
        ),
        unfinished=compile_text(
            dialect, select(matches.c.id).where(matches.c.ended_ms.is_(None)).order_by(matches.c.created_ms)
        ),
        matches_of=compile_text(dialect, _matches_of(), "identity"),
        unfinished_of=compile_text(dialect, _matches_of().where(matches.c.ended_ms.is_(None)), "identity"),
        beat=compile_text(dialect, _beat(), "node", "at_ms"),
        last_beat=compile_text(dialect, select(func.max(heartbeats.c.at_ms))),
    )


def _typed(table: Table, names: Sequence[str]) -> dict[str, BindParameter[object]]:
    return {name: bindparam(name, type_=table.c[name].type) for name in names}


def _end_match() -> Executable:
    return update(matches).where(matches.c.id == bindparam("match")).values(_typed(matches, _END))


def _end_seat() -> Executable:
    is_seat = (match_players.c.match == bindparam("of_match"), match_players.c.seat == bindparam("of_seat"))
    return update(match_players).where(*is_seat).values(_typed(match_players, _SEAT_END))


def _insert_event(*, returning: bool) -> Executable:
    entry = select(*(bindparam(c.name, type_=c.type).label(c.name) for c in events.c)).subquery("entry")
    last_seq = select(func.max(events.c.seq)).where(events.c.match == entry.c.match).scalar_subquery()
    follows = select(entry).where(func.coalesce(last_seq, ZERO) == entry.c.seq - ONE)
    statement = insert(events).from_select(events.c.keys(), follows)
    return statement.returning(events.c.seq) if returning else statement


def _insert_player() -> Executable:
    # As for `_beat`.
    insertion = postgresql.insert(match_players).values({name: bindparam(name) for name in _SEAT})
    return insertion.on_conflict_do_update(
        index_elements=["match", "seat"], set_={"identity": insertion.excluded.identity}
    )


def _put_rating(*, returning: bool) -> Executable:
    # As for `_beat`.
    put = postgresql.insert(ratings).values({c.name: bindparam(c.name, type_=c.type) for c in ratings.c})
    new = put.excluded
    statement = put.on_conflict_do_update(
        index_elements=["identity", "game", "seats", "speed"],
        set_={"mu": new.mu, "sigma": new.sigma, "matches": new.matches, "updated_ms": new.updated_ms},
        where=ratings.c.matches == new.matches - ONE,
    )
    return statement.returning(ratings.c.identity) if returning else statement


def _matches_of() -> Select[tuple[str]]:
    held = select(match_players.c.match).where(match_players.c.identity == bindparam("identity"))
    return select(matches.c.id).where(matches.c.id.in_(held)).order_by(matches.c.created_ms.desc())


def _beat() -> Executable:
    # PostgreSQL's insert says ON CONFLICT, in words that SQLite shares.
    beat = postgresql.insert(heartbeats).values(node=bindparam("node"), at_ms=bindparam("at_ms"))
    return beat.on_conflict_do_update(index_elements=["node"], set_={"at_ms": beat.excluded.at_ms})


def compile_text(dialect: Dialect, statement: Executable, *parameters: str) -> str:
    """Return a statement in the words of a dialect; it takes those parameters, in that order."""
    assert isinstance(statement, ClauseElement)
    compiled = statement.compile(dialect=dialect)
    assert isinstance(compiled, SQLCompiler)
    assert tuple(compiled.positiontup or ()) == parameters, compiled
    return str(compiled)
