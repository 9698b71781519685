"""The move that a book plays: one of those that did well, by chance, the more often played the likelier.

Imported by `engine.uci`, by the bots' processes and by `server.books`.
"""

from math import sqrt

from engine.book.chance import fraction_of, pick
from engine.book.record import Book
from engine.state import State

LEAST_MATCHES = 3
"""Of a move that was played less often nothing is known yet; see `_least_matches_in`."""

LEAST_SCORE = 0.4
"""A side that has done worse had better think itself: what the book knows of its moves is how others lost by them."""


def choose_from_book(book: Book, state: State, seed: int) -> int | None:
    """Return a move that the book has for a state, or None; the same seed makes the same choice.

    It is legal, brings no earlier position back, has not done badly, nor worse than the most played one by more than
    chance would explain.
    """
    onlooker = book.onlooker
    if state.outcome is not None or not onlooker.knows(state):
        return None
    sight = onlooker.sight_of(state)
    node = book.nodes.get(sight.key)
    if not node:
        return None
    usual = max(node.values(), key=lambda tally: (tally.matches, tally.score))
    alike = onlooker.alike(state, sight, (move for move in state.legal_moves if not state.after(move).repeats))
    least_matches = _least_matches_in(book)
    good = {
        clicks: tally
        for clicks, tally in sorted(node.items())
        if clicks in alike
        and tally.matches >= least_matches
        and tally.score >= LEAST_SCORE
        and tally.score + tally.error >= usual.score
    }
    if not good:
        return None
    clicks = pick(list(good), [tally.matches for tally in good.values()], fraction_of(seed, state.ply))
    return pick(alike[clicks], [1] * len(alike[clicks]), fraction_of(seed, state.ply, 1))


def _least_matches_in(book: Book) -> float:
    """Return how often a move must have been played to be trusted.

    The more moves a book has tried, the more of them did well by luck alone: it asks for the square root of
    half its matches.
    """
    return max(LEAST_MATCHES, sqrt(book.matches / 2))


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
