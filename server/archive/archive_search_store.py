"""The statements that search the archive, and that count results.

A statement has only the conditions of its search, so that each is read along an index that fits it, from where the
search stands: `EXPLAIN` shows no table scan (`tests/server/archive/test_store.py`). Of each place that has matches, the
rows and what is packed, it reads only the latest, as many as are wanted.
"""

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    CompoundSelect,
    FromClause,
    Integer,
    Select,
    and_,
    bindparam,
    case,
    func,
    literal_column,
    or_,
    select,
    tuple_,
    union_all,
)

from millrace.protocol import (
    MatchId,
    ResultFilter,
)

from ..journal.packed_facts import NO_RESULT, RESULTS, number_of, standings_of
from ..journal.seats_store import is_game, result_text, seat_column, standing_column
from ..journal.tables import SEATS, events, match_players, matches, packed_games, packed_matches
from ..matches.built_in_bots import BOT_ID_PREFIX, BUILT_IN_BOTS
from ..storage.database import Parameters
from .archive_query import ArchiveQuery

OWN_SEARCHES = 4
"""Games of packed matches that have a search of their own when the latest of any game are wanted."""


class Conditions(NamedTuple):
    """Which conditions a search has, without their values."""

    has_importer: bool
    has_player: bool
    has_opponent: bool
    has_game: bool
    result: ResultFilter | None
    rated: bool | None


def conditions_of(wanted: ArchiveQuery) -> Conditions:
    """Return the conditions of a search."""
    return Conditions(
        wanted.imported_by is not None,
        wanted.player is not None,
        wanted.opponent is not None,
        wanted.game is not None,
        wanted.result,
        wanted.rated,
    )


def search_parameters(wanted: ArchiveQuery, most: int) -> Parameters:
    """Return the parameters of a search's statement."""
    before_ms, before_match = wanted.cursor
    return {
        "importer": wanted.imported_by,
        "player": wanted.player,
        "player_number": wanted.player and number_of(wanted.player),
        "opponent": wanted.opponent,
        "opponent_number": wanted.opponent and number_of(wanted.opponent),
        "game": wanted.game,
        "since_ms": wanted.since_ms,
        "before_ms": before_ms,
        "before_match": before_match,
        "most": most,
    }


@cache
def search_statement(conditions: Conditions) -> Select[Any]:
    """Return the search: `(match, ended_ms, plies, rest, body)`, a row for each event except the plies and notes.

    It is built once for all searches with the same conditions: that takes a millisecond of the event loop.
    """
    if conditions.has_importer:
        places = [_by_importer()]
    elif conditions.has_player:
        places = [_by_player(conditions), *(_packed_by_player(conditions, seat) for seat in SEATS)]
    else:
        places = [_by_time(conditions), *_packed_by_time(conditions)]
    most = bindparam("most", type_=Integer)
    latest = (_latest_first(each).limit(most).subquery(f"place_{number}") for number, each in enumerate(places))
    found = union_all(*map(select, latest)).subquery("latest")
    return _whole(_latest_first(select(found)).limit(most).subquery("found"))


def _latest_first(found: Select[str, int]) -> Select[str, int]:
    match, ended_ms = found.selected_columns
    return found.order_by(ended_ms.desc(), match.desc())


def _named(named: Sequence[MatchId]) -> CompoundSelect[str, int]:
    rows, packed = matches.c, packed_matches.c
    found = select(rows.id.label("match"), rows.archived_ms.label("archived_ms"))
    return union_all(
        found.where(rows.id.in_(named), rows.archived_ms.is_not(None)),
        select(packed.match, packed.ended_ms).where(packed.match.in_(named), packed.result.is_not(None)),
    )


def found_statement(named: Sequence[MatchId]) -> Select[Any]:
    """Return the statement for those of some matches that are in the archive, the latest first."""
    return _whole(_named(named).subquery())


def _whole(found: FromClause) -> Select[Any]:
    """Return `(match, ended_ms, plies, rest, body)` of some matches, a row for each event except the plies and notes.

    A packed match has one row, unless more happened to it later.
    """
    is_shown = (~events.c.body.like('{"type":"moved"%'), ~events.c.body.like('{"type":"annotated"%'))
    plies = func.coalesce(matches.c.plies, packed_matches.c.ply_count)
    return (
        select(found.c.match, found.c.archived_ms, plies, packed_matches.c.rest, events.c.body)
        .join_from(found, matches, matches.c.id == found.c.match, isouter=True)
        .join(packed_matches, packed_matches.c.match == found.c.match, isouter=True)
        .join(events, and_(events.c.match == found.c.match, *is_shown), isouter=True)
        .order_by(found.c.archived_ms.desc(), found.c.match.desc(), events.c.seq)
    )


def _crosstable() -> Select[Any]:
    """Return `(game, won, drawn, lost)` of the matches of two players, from the first one's view."""
    first, second = match_players.alias("one"), match_players.alias("other")
    is_pair = (first.c.identity == bindparam("one"), second.c.identity == bindparam("other"))
    # Both rows have the time of the match, so the index finds the other. Only a player's first seat has a rank.
    is_same = (second.c.archived_ms == first.c.archived_ms, first.c.rank.is_not(None), second.c.rank.is_not(None))
    ranks = select(first.c.game, first.c.rank.label("own"), second.c.rank.label("others"))
    ranks = ranks.join_from(first, second, first.c.match == second.c.match).where(*is_pair, *is_same)
    pairs = union_all(ranks, *map(_packed_ranks, SEATS)).subquery()
    own, others = pairs.c.own, pairs.c.others
    found = select(pairs.c.game, *map(_count, (own < others, own == others, own > others)))
    return found.group_by(pairs.c.game).order_by(func.count().desc(), pairs.c.game)


def _packed_ranks(seat: int) -> Select[Any]:
    """Return `(game, own, others)` of the packed matches in which one player has a seat and the other any."""
    own, other = standing_column(seat), _number("other")
    is_others = {each: and_(seat_column(each) == other, standing_column(each) > NO_RESULT) for each in SEATS}
    others = case(*((condition, standing_column(each)) for each, condition in is_others.items()))
    found = select(packed_games.c.game, own, others)
    found = found.join_from(packed_matches, packed_games, packed_games.c.number == packed_matches.c.game)
    return found.where(seat_column(seat) == _number("one"), own > NO_RESULT, or_(*is_others.values()))


def _number(player: str) -> ColumnElement[int]:
    return bindparam(f"{player}_number", type_=BigInteger)


def _count(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


def _scores_of_player() -> Select[Any]:
    """Return `(game, won, drawn, lost)` of the matches of a player."""
    columns = match_players.c
    rows = select(columns.game, columns.result).where(columns.identity == bindparam("player"))
    places = [rows.where(columns.archived_ms.is_not(None)), *map(_packed_results, SEATS)]
    seats = union_all(*places).subquery()
    won, drawn, lost = (_count(seats.c.result == result) for result in ("won", "drawn", "lost"))
    found = select(seats.c.game, won, drawn, lost)
    return found.group_by(seats.c.game).order_by(func.count().desc(), seats.c.game)


def _packed_results(seat: int) -> Select[Any]:
    standing = standing_column(seat)
    found = select(packed_games.c.game, result_text(standing))
    found = found.join_from(packed_matches, packed_games, packed_games.c.number == packed_matches.c.game)
    return found.where(seat_column(seat) == _number("player"), standing.is_not(None))


def _bot_records() -> Select[Any]:
    """Return `(bot, won, drawn, lost)` of a player's matches in a game, by the bots of the server in them."""
    own, bot = match_players.alias("own"), match_players.alias("bot")
    rows = (
        select(bot.c.identity.label("bot"), own.c.rank.label("own"), bot.c.rank.label("others"))
        .join_from(own, bot, own.c.match == bot.c.match)
        .where(own.c.identity == bindparam("player"), own.c.game == bindparam("game"))
        .where(own.c.archived_ms.is_not(None), own.c.rank.is_not(None), bot.c.rank.is_not(None))
        .where(func.substr(bot.c.identity, 1, len(BOT_ID_PREFIX)) == BOT_ID_PREFIX)
    )
    met = union_all(rows, *(_packed_meetings(*seats) for seats in permutations(SEATS, 2))).subquery()
    ranks = (met.c.own < met.c.others, met.c.own == met.c.others, met.c.own > met.c.others)
    return select(met.c.bot, *map(_count, ranks)).group_by(met.c.bot)


def _packed_meetings(own: int, bot: int) -> Select[Any]:
    """Return `(bot, own, others)` of the packed matches in which a player has one seat and a bot another."""
    bots = {number_of(each): each for each in BUILT_IN_BOTS}
    found = select(case(bots, value=seat_column(bot)), standing_column(own), standing_column(bot))
    have_results = (standing_column(own) > NO_RESULT, standing_column(bot) > NO_RESULT)
    is_pair = (seat_column(own) == _number("player"), seat_column(bot).in_(bots))
    return found.where(*is_pair, *have_results, is_game(bindparam("game")))


CROSSTABLE = _crosstable()
BOT_RECORDS = _bot_records()
SCORES_OF_PLAYER = _scores_of_player()


def _by_time(conditions: Conditions) -> Select[str, int]:
    columns = matches.c
    filters = _filters(conditions, columns.game == bindparam("game"), columns.rated)
    if conditions.result is not None:
        filters.append(columns.result == conditions.result)
    return _latest(columns.archived_ms, columns.id).where(*filters)


def _packed_by_time(conditions: Conditions) -> list[Select[str, int]]:
    """Return the searches of each game: their index begins with it. Those of the last games are one."""
    columns = packed_matches.c
    filters = [columns.result.is_not(None), *_filters(conditions, is_game(bindparam("game")), columns.rated)]
    if conditions.result is not None:
        filters.append(columns.result == RESULTS.index(conditions.result))
    found = _latest(columns.ended_ms, columns.match).where(*filters)
    if conditions.has_game:
        return [found]
    # Part of the statement's text, as a condition that PostgreSQL plans with.
    numbers: list[ColumnElement[int]] = [literal_column(str(number)) for number in range(1, OWN_SEARCHES + 1)]
    return [*(found.where(columns.game == number) for number in numbers), found.where(columns.game > numbers[-1])]


def _by_importer() -> Select[str, int]:
    columns = matches.c
    is_import = (columns.origin_by == bindparam("importer"), columns.imported.is_(True))
    return _latest(columns.ended_ms, columns.id).where(*is_import)


def _by_player(conditions: Conditions) -> Select[str, int]:
    one, other = match_players.alias("one"), match_players.alias("other")
    filters = _filters(conditions, one.c.game == bindparam("game"), one.c.rated)
    if results := _results_of_player(conditions):
        filters.append(one.c.result.in_(results))
    found = _latest(one.c.archived_ms, one.c.match)
    found = found.where(one.c.identity == bindparam("player"), *filters)
    if not conditions.has_opponent:
        return found
    is_other = (other.c.match == one.c.match, other.c.identity == bindparam("opponent"), other.c.seat != one.c.seat)
    return found.where(select(other.c.seat).where(*is_other).correlate(one).exists())


def _packed_by_player(conditions: Conditions, seat: int) -> Select[str, int]:
    columns, standing = packed_matches.c, standing_column(seat)
    filters = _filters(conditions, is_game(bindparam("game")), columns.rated)
    results = _results_of_player(conditions)
    filters.append(standing.in_(standings_of(results)) if results else standing.is_not(None))
    if conditions.has_opponent:
        filters.append(or_(*(seat_column(other) == _number("opponent") for other in SEATS if other != seat)))
    return _latest(columns.ended_ms, columns.match).where(seat_column(seat) == _number("player"), *filters)


def _latest(ended_ms: ColumnElement[int], match: ColumnElement[str]) -> Select[str, int]:
    """Return the matches after a cursor."""
    found = select(match.label("match"), ended_ms.label("archived_ms"))
    cursor = (bindparam("before_ms", type_=ended_ms.type), bindparam("before_match", type_=match.type))
    is_after = tuple_(ended_ms, match) < tuple_(*cursor, types=(ended_ms.type, match.type))
    return found.where(is_after, ended_ms >= bindparam("since_ms"))


def _results_of_player(conditions: Conditions) -> Sequence[str]:
    if conditions.result == "decided":
        return "won", "lost"
    return () if conditions.result is None else (conditions.result,)


def _filters(
    conditions: Conditions, is_game: ColumnElement[bool], rated: ColumnElement[bool]
) -> list[ColumnElement[bool]]:
    filters = [is_game] if conditions.has_game else []
    if conditions.rated is not None:
        filters.append(rated == conditions.rated)
    return filters
