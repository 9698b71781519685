"""The book's choice of a move: a random one of the best ones, weighted by how often each was played."""

from collections.abc import Callable
from math import isqrt

from ..state import State
from .book import Book
from .seeded_random import random_fraction, weighted_choice

CLOSE = 0.04
"""Maximum difference from the best score of a chosen move, 0 to 1, for variety."""


def choose_book_move(
    book: Book, state: State, seed: int, is_sound: Callable[[int], bool] = lambda _move: True
) -> int | None:
    """Return a book move for a state, or None. The same seed makes the same choice.

    The move is legal, repeats no earlier position, was scored by a search (`engine.book.position_scoring`), scores
    about as well as the best such move, and is sound. Moves that were played more often are more likely. `is_sound` is
    called for one of several symmetric moves, and only until one is found.
    """
    canonicalizer = book.canonicalizer
    if state.outcome is not None or not canonicalizer.covers(state):
        return None
    form = canonicalizer.canonical_form(state)
    equivalent = canonicalizer.equivalent_moves(
        state, form, (move for move in state.legal_moves if not state.after(move).repetitions)
    )
    node = book.nodes.get(form.key, {})
    scores = {
        clicks: book_move.score
        for clicks, book_move in sorted(node.items())
        if clicks in equivalent and book_move.expected_score is not None
    }
    least = max(scores.values(), default=0.0) - CLOSE
    good = [clicks for clicks, score in scores.items() if score >= least]
    while good:
        # A move tried by few matches is supported by one search only.
        weights = [1 + isqrt(node[clicks].matches) for clicks in good]
        clicks = weighted_choice(good, weights, random_fraction(seed, state.ply))
        alike = equivalent[clicks]
        move = weighted_choice(alike, [1] * len(alike), random_fraction(seed, state.ply, 1))
        if is_sound(move):
            return move
        good.remove(clicks)
    return None


def main_line(book: Book) -> tuple[str, ...]:
    """Return the line of the most played moves."""
    state = State.of(book.game)
    while node := book.node_at(state):
        form = book.canonicalizer.canonical_form(state)
        equivalent = book.canonicalizer.equivalent_moves(state, form, state.legal_moves)
        clicks = max(node, key=lambda clicks: (node[clicks].matches, clicks))
        if clicks not in equivalent:
            break
        state = state.play(equivalent[clicks][0])
    return state.move_texts
