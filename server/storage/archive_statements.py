"""The SQL of the archive, one statement for each kind of search, compiled when it is first asked for.

Runs nothing.

What is not asked for is not in the statement, so that each is read along an index that fits it, from where the search
stands: `EXPLAIN` shows neither a sort nor a table that is read through (`tests/server/archive/test_store.py`).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Dialect,
    Select,
    and_,
    bindparam,
    case,
    false,
    func,
    literal_column,
    select,
    true,
    tuple_,
)
from sqlalchemy.sql import FromClause
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ClauseElement

from ..archive.store import ArchiveQuery
from .statements import ONE, ZERO
from .tables import events, match_players, matches

LOADED_AT_ONCE = 20
"""So many matches are loaded by one statement."""


class Shape(NamedTuple):
    """What a search asks for, without the values."""

    has_player: bool
    has_opponent: bool
    has_game: bool
    results: tuple[str, ...]
    """Any of these; empty for whatever result."""
    rated: bool | None
    is_of_imports: bool = False


class NamedStatement(NamedTuple):
    """A statement, and the names of its parameters in the order in which a driver takes them."""

    text: str
    names: tuple[str, ...]

    def values(self, given: Mapping[str, object]) -> list[object]:
        """Return the values in that order."""
        return [given[name] for name in self.names]


def shape_of(wanted: ArchiveQuery) -> Shape:
    """Return what kind of search that is."""
    if wanted.imported_by is not None:
        return Shape(False, False, False, (), None, True)
    if wanted.result is None:
        results: tuple[str, ...] = ()
    elif wanted.result == "decided" and wanted.player is not None:
        results = ("won", "lost")
    else:
        results = (wanted.result,)
    return Shape(wanted.player is not None, wanted.opponent is not None, wanted.game is not None, results, wanted.rated)


@lru_cache
def search_statement(dialect: Dialect, shape: Shape) -> NamedStatement:
    """Return the search of a kind: it gives `(match, ended_ms, plies, body)`, a row for each event but the plies."""
    if shape.is_of_imports:
        found = _by_importer().subquery("found")
    else:
        found = (_by_player(shape) if shape.has_player else _by_time(shape)).subquery("found")
    is_ply = events.c.body.like(literal_column("""'{"type":"moved"%'"""))
    rows = (
        select(found.c.match, found.c.archived_ms, matches.c.plies, events.c.body)
        .join_from(found, matches, matches.c.id == found.c.match)
        .join(events, events.c.match == found.c.match)
        .where(~is_ply)
        .order_by(found.c.archived_ms.desc(), found.c.match.desc(), events.c.seq)
    )
    return compile_named(dialect, rows)


@lru_cache
def events_statement(dialect: Dialect) -> NamedStatement:
    """Return the statement that gives `(match, seq, at_ms, seat, command_id, body)` of the matches `match_0` and on,
    `LOADED_AT_ONCE` of them, the events of each in order."""
    names = [bindparam(f"match_{number}", type_=events.c.match.type) for number in range(LOADED_AT_ONCE)]
    found = select(*events.c).where(events.c.match.in_(names)).order_by(events.c.match, events.c.seq)
    return compile_named(dialect, found)


@lru_cache
def crosstable_statement(dialect: Dialect) -> NamedStatement:
    """Return the statement that gives `(game, won, drawn, lost)` of the matches of `player` and `opponent`."""
    one, other = match_players.alias("one"), match_players.alias("other")

    def count(is_so: ColumnElement[bool]) -> ColumnElement[int]:
        return func.sum(case((is_so, ONE), else_=ZERO))

    scores = (
        select(
            one.c.game,
            count(one.c.rank < other.c.rank),
            count(one.c.rank == other.c.rank),
            count(one.c.rank > other.c.rank),
        )
        .join_from(one, other, one.c.match == other.c.match)
        .where(
            one.c.identity == bindparam("player"),
            other.c.identity == bindparam("opponent"),
            # Both have the moment of the match, by which the index finds the other.
            other.c.archived_ms == one.c.archived_ms,
            # Which only the first seats of players have.
            one.c.rank.is_not(None),
            other.c.rank.is_not(None),
        )
        .group_by(one.c.game)
        .order_by(func.count().desc(), one.c.game)
    )
    return compile_named(dialect, scores)


def scores_statement(dialect: Dialect) -> NamedStatement:
    """Return the statement that gives `(game, won, drawn, lost)` of the matches of `player`."""
    won, drawn, lost = (
        func.sum(case((match_players.c.result == literal_column(f"'{result}'"), ONE), else_=ZERO))
        for result in ("won", "drawn", "lost")
    )
    scores = (
        select(match_players.c.game, won, drawn, lost)
        .where(match_players.c.identity == bindparam("player"), match_players.c.archived_ms.is_not(None))
        .group_by(match_players.c.game)
        .order_by(func.count().desc(), match_players.c.game)
    )
    return compile_named(dialect, scores)


def compile_named(dialect: Dialect, statement: Executable) -> NamedStatement:
    """Return a statement in the words of a dialect."""
    assert isinstance(statement, ClauseElement)
    compiled = statement.compile(dialect=dialect)
    assert isinstance(compiled, SQLCompiler)
    return NamedStatement(str(compiled), tuple(compiled.positiontup or ()))


def _by_time(shape: Shape) -> Select[tuple[str, int]]:
    columns = matches.c
    conditions = [
        *_within(columns.archived_ms, columns.id),
        *_filters(shape, columns.game, columns.rated, columns.result),
    ]
    found = select(columns.id.label("match"), columns.archived_ms).where(*conditions)
    return _latest(found, columns.archived_ms, columns.id)


def _by_importer() -> Select[tuple[str, int]]:
    columns = matches.c
    found = select(columns.id.label("match"), columns.ended_ms.label("archived_ms")).where(
        columns.origin_by == bindparam("importer"), columns.imported == true(), *_within(columns.ended_ms, columns.id)
    )
    return _latest(found, columns.ended_ms, columns.id)


def _by_player(shape: Shape) -> Select[tuple[str, int]]:
    one = match_players.alias("one")
    columns = one.c
    conditions = [
        columns.identity == bindparam("player"),
        *_within(columns.archived_ms, columns.match),
        *_filters(shape, columns.game, columns.rated, columns.result),
    ]
    if shape.has_opponent:
        conditions.append(_met(one))
    found = select(columns.match, columns.archived_ms).where(*conditions)
    return _latest(found, columns.archived_ms, columns.match)


def _met(one: FromClause) -> ColumnElement[bool]:
    other = match_players.alias("other")
    is_other = and_(other.c.match == one.c.match, other.c.identity == bindparam("opponent"), other.c.seat != one.c.seat)
    return select(ONE).select_from(other).where(is_other).correlate(one).exists()


def _within(ended_ms: ColumnElement[int], match: ColumnElement[str]) -> Sequence[ColumnElement[bool]]:
    before = tuple_(bindparam("ended_ms", type_=ended_ms.type), bindparam("behind", type_=match.type))
    return tuple_(ended_ms, match) < before, ended_ms >= bindparam("since_ms")


def _filters(
    shape: Shape, game: ColumnElement[str], rated: ColumnElement[bool], result: ColumnElement[str]
) -> list[ColumnElement[bool]]:
    filters: list[ColumnElement[bool]] = []
    if shape.has_game:
        filters.append(game == bindparam("game"))
    if shape.results:
        filters.append(result.in_([literal_column(f"'{each}'") for each in shape.results]))
    if shape.rated is not None:
        filters.append(rated == (true() if shape.rated else false()))
    return filters


def _latest(
    found: Select[tuple[str, int]], ended_ms: ColumnElement[int], match: ColumnElement[str]
) -> Select[tuple[str, int]]:
    return found.order_by(ended_ms.desc(), match.desc()).limit(bindparam("most")).offset(ZERO)
