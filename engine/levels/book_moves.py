"""The strongest level's book moves, checked against the known results of a solved game.

It makes no proofs: if the tables exist but do not know a book move, the search replaces it, which has the time to prove
its move (`solved_play`).
"""

from ..book.book import Book
from ..book.move_choice import choose_book_move
from ..state import State
from ..tablebase.probing import Tablebase
from ..tablebase.results import DRAW, WIN, Results, known_only


def choose_sound_book_move(book: Book, state: State, seed: int, tablebase: Tablebase | None) -> int | None:
    """Return a book move that is not known to spoil the result of a state, or None.

    If the tables cover the state, it is known not to lose, and to win if the state is known to be won.
    """
    results = None if tablebase is None else tablebase.results
    if results is None:
        return choose_book_move(book, state, seed)
    return choose_book_move(book, state, seed, lambda move: _is_sound(results, state, move))


def _is_sound(results: Results, state: State, move: int) -> bool:
    """Return whether a move keeps the result of a state; if unknown, whether tables are missing."""
    after = state.after(move)
    loses = results.reaches(after, WIN, known_only())
    if loses is None:
        return not results.covers(state)
    if loses:
        return False
    return not results.reaches(state, WIN, known_only()) or results.reaches(after, DRAW, known_only()) is False
