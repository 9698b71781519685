"""Queries for the seats of players and the facts of matches, which have rows of their own or are packed.

Packing moves them in one transaction. A query that reads both places in one statement finds each match once.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, Select, Subquery, case, literal, null, select, union_all

from millrace.protocol import IdentityId

from .packed_facts import DRAWN, NO_RESULT, number_of
from .tables import SEATS, match_players, packed_games, packed_matches

game_numbers = select(packed_games.c.number)
"""All games: a condition `packed_matches.game IN` these lets a query use the index on that column and the next."""


def standing_column(seat: int) -> ColumnElement[int]:
    """Return the column with the standing of a seat."""
    return packed_matches.c[f"standing_{seat}"]


def seat_column(seat: int) -> ColumnElement[int]:
    """Return the column with the player of a seat."""
    return packed_matches.c[f"seat_{seat}"]


def is_game(game: ColumnElement[str]) -> ColumnElement[bool]:
    """Return the condition that a packed match is of a game."""
    return packed_matches.c.game == game_numbers.where(packed_games.c.game == game).scalar_subquery()


def matches_with(identity: IdentityId) -> CompoundSelect[str]:
    """Return the query for the matches in which a player has had a seat."""
    player = number_of(identity)
    packed = (select(packed_matches.c.match).where(seat_column(seat) == player) for seat in SEATS)
    return union_all(select(match_players.c.match).where(match_players.c.identity == identity), *packed)


def seats_of(identity: IdentityId) -> Subquery:
    """Return the seats of a player with the columns of `match_players`."""
    found = select(match_players).where(match_players.c.identity == identity)
    return union_all(found, *(_packed_seats(identity, seat) for seat in SEATS)).subquery("seats")


def _packed_seats(identity: IdentityId, seat: int) -> Select[Any]:
    columns, standing = packed_matches.c, standing_column(seat)
    is_counted = standing.is_not(None)
    values: Sequence[ColumnElement[Any]] = (
        columns.match,
        literal(seat),
        literal(identity),
        case((is_counted, columns.ended_ms)),
        case((is_counted, packed_games.c.game)),
        case((is_counted, columns.rated)),
        case((standing == DRAWN, 1), (standing == NO_RESULT, null()), else_=standing),
        result_text(standing),
    )
    named = (value.label(name) for value, name in zip(values, match_players.c.keys(), strict=True))
    found = select(*named).join(packed_games, packed_games.c.number == columns.game)
    return found.where(seat_column(seat) == number_of(identity))


def result_text(standing: ColumnElement[int]) -> ColumnElement[str]:
    """Return the result of a seat with a standing."""
    words = (
        (standing == NO_RESULT, "none"),
        (standing == 1, "won"),
        (standing == DRAWN, "drawn"),
        (standing > 1, "lost"),
    )
    return case(*((condition, literal(word)) for condition, word in words))
