"""Statistics about a position from the index of openings and the opening book, as sent to clients. Pure."""

from collections.abc import Mapping, Sequence

from millrace.engine.book.book import HALF_POINTS, Book, BookMove
from millrace.engine.book.canonical_form import Clicks
from millrace.engine.game import Game
from millrace.engine.state import State
from millrace.protocol import Opening, OpeningMove

from .opening_store import MoveCount
from .positions import find_position, name_of, names_by_position

NOT_TRIED = BookMove()


def known_moves(state: State, counts: Sequence[MoveCount], book: Book | None) -> tuple[OpeningMove, ...]:
    """Return the legal moves played in matches or in the book, most played first.

    Symmetric moves count as one.
    """
    position = find_position(state)
    if position is None or state.outcome is not None:
        return ()
    counted = {count.move: count for count in counts}
    in_book: Mapping[Clicks, BookMove] = book.node_at(state) if book is not None and book.covers(state) else {}
    equivalent = position.canonicalizer.equivalent_moves(state, position.form, state.legal_moves)
    known = [
        _known_move(state, moves, counted.get(name_of(clicks)), in_book.get(clicks, NOT_TRIED))
        for clicks, moves in equivalent.items()
        if name_of(clicks) in counted or clicks in in_book
    ]
    return tuple(sorted(known, key=_rank))


def named_openings(game: Game) -> tuple[Opening, ...]:
    """Return the named openings of a game, with their positions."""
    openings = []
    for named in game.named_openings:
        state = State.from_moves(game, "", named.moves)
        openings.append(Opening(named.name, named.moves, state.position_text, state.seat))
    return tuple(openings)


def _known_move(state: State, moves: Sequence[int], count: MoveCount | None, in_book: BookMove) -> OpeningMove:
    first = moves[0]
    after = find_position(state.after(first))
    won, drawn, lost = (0, 0, 0) if count is None else (count.won, count.drawn, count.lost)
    return OpeningMove(
        state.format_move(first),
        tuple(map(state.format_move, moves[1:])),
        state.clicks_of(first),
        won,
        drawn,
        lost,
        None if count is None else count.latest,
        in_book.matches,
        round(in_book.half_points / HALF_POINTS / in_book.matches, 3) if in_book.matches else None,
        in_book.expected_score,
        "" if after is None else names_by_position(state.game).get(after.number, ""),
    )


def _rank(move: OpeningMove) -> tuple[int, int, float, str]:
    return -(move.won + move.drawn + move.lost), -move.book_matches, -(move.expectation or 0.0), move.move
