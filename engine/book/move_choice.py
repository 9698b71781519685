"""The move that a book plays: drawn from the moves about as good as the best, weighted by the number of plays."""

from math import isqrt

from ..state import State
from .book import Book
from .seeded_random import fraction_of, pick

CLOSE = 0.04
"""By so much a move may score less than the best one, 0 to 1, so that matches are not alike."""


def choose_from_book(book: Book, state: State, seed: int) -> int | None:
    """Return a move that the book has for a state, or None; the same seed makes the same choice.

    It is legal, brings no earlier position back, was weighed (`engine.book.position_scoring`), and scores about as well as the
    best of these; the oftener it was played, the likelier it is.
    """
    onlooker = book.onlooker
    if state.outcome is not None or not onlooker.knows(state):
        return None
    sight = onlooker.sight_of(state)
    alike = onlooker.alike(state, sight, (move for move in state.legal_moves if not state.after(move).repeats))
    node = book.nodes.get(sight.key, {})
    scores = {
        clicks: tally.score for clicks, tally in sorted(node.items()) if clicks in alike and tally.worth is not None
    }
    least = max(scores.values(), default=0.0) - CLOSE
    good = [clicks for clicks, score in scores.items() if score >= least]
    if not good:
        return None
    # What hardly any match has tried is known by one search alone.
    weights = [1 + isqrt(node[clicks].matches) for clicks in good]
    clicks = pick(good, weights, fraction_of(seed, state.ply))
    return pick(alike[clicks], [1] * len(alike[clicks]), fraction_of(seed, state.ply, 1))


def main_line(book: Book) -> tuple[str, ...]:
    """Return the line of the moves that were played most often."""
    state = State.of(book.game)
    while node := book.node_at(state):
        sight = book.onlooker.sight_of(state)
        alike = book.onlooker.alike(state, sight, state.legal_moves)
        clicks = max(node, key=lambda clicks: (node[clicks].matches, clicks))
        if clicks not in alike:
            break
        state = state.play(alike[clicks][0])
    return state.move_texts
