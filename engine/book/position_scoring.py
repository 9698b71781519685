"""Weighing the positions of a book: what their moves are worth to a search longer than anybody has in a match.

Matches tell which positions are worth a look, but those of one move are few, and both sides hurry. So the engine looks
long at each position to which several matches came: at the best few moves, so that there is a choice, and as deeply at
each that was tried there. What it expects is backed up from answer to move, as in any tree (Lincke, "Strategies for the
Automatic Construction of Opening Books", 2000), and what a book plays next, and whoever plays by it, goes by that and
by the matches (`Tally.score`). Knows no processes and no files.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..analysis import Limits, analyse, no_clock
from ..analysis.expected_score import expectation_of
from ..game import Game
from ..state import State
from ..transposition_table import new_table
from .book import Book, Recipe, Tally, is_weighed
from .canonical_form import Key, Onlooker

WEIGHED_FROM = 8
"""Matches that must have come to a position, or to a move that was not known when it was weighed."""

TRIED_FROM = 2
"""Matches in which a move must have been tried there."""

VARIATIONS = 3
"""So many of the best moves are found."""

WEIGHING_MEGABYTES = 64


class Question(NamedTuple):
    """A position to weigh: texts, so that any process can do it."""

    moves: tuple[str, ...]
    """How it comes up."""
    tried: tuple[str, ...]
    """The moves that were tried there."""


class Weighed(NamedTuple):
    """What the moves of a position are worth."""

    moves: tuple[str, ...]
    worths: tuple[tuple[str, float], ...]
    """By move, as in `Tally.worth`; the best ones come first."""


def questions_of(book: Book) -> tuple[Question, ...]:
    """Return what is still to be weighed in a book."""
    return tuple(_questions_below(book, State.of(book.game), set()))


def weigh(game: Game, recipe: Recipe, question: Question) -> Weighed:
    """Search for the best moves of a position one after another, and then for each that was tried, all as deeply."""
    onlooker, state = Onlooker(game), State.from_moves(game, "", question.moves)
    sight = onlooker.sight_of(state)
    left = {clicks: moves[0] for clicks, moves in onlooker.alike(state, sight, state.legal_moves).items()}
    tried = [onlooker.clicks_of(state, sight, state.parse_move(text)) for text in question.tried]
    limits, table = Limits(nodes=recipe.nodes), new_table(WEIGHING_MEGABYTES)
    worths = dict[str, float]()

    def search(candidates: tuple[int, ...]) -> int:
        """Note what the best of some moves is worth, and return the depth that was reached."""
        found = analyse(state, limits, no_clock, table=table, candidates=candidates)
        assert found.best_move is not None
        worths[found.best_move] = round(expectation_of(game, found.value), 3)
        del left[onlooker.clicks_of(state, sight, state.parse_move(found.best_move))]
        return found.depth

    depth = search(tuple(left.values()))
    limits = Limits(depth=max(depth, 1), nodes=recipe.nodes)
    for _ in range(min(VARIATIONS - 1, len(left))):
        search(tuple(left.values()))
    for clicks in tried:
        if clicks in left:
            search((left[clicks],))
    return Weighed(question.moves, tuple(worths.items()))


def add_weighed(book: Book, weighed: Weighed) -> None:
    """Add to a book what the moves of a position are worth, also of those that nobody has tried."""
    state = State.from_moves(book.game, "", weighed.moves)
    sight = book.onlooker.sight_of(state)
    for text, worth in weighed.worths:
        clicks = book.onlooker.clicks_of(state, sight, state.parse_move(text))
        book.nodes[sight.key].setdefault(clicks, Tally()).worth = worth


def back_up(book: Book) -> None:
    """Let a move be worth what the best answer to it leaves, where the position behind it was weighed too: there the
    engine looked further."""
    _worth_at(book, State.of(book.game), {})


def _questions_below(book: Book, state: State, seen: set[Key]) -> Iterator[Question]:
    """Yield what is to be weighed at a state and behind it."""
    sight = book.onlooker.sight_of(state)
    node = book.nodes.get(sight.key, {})
    if sight.key in seen or sum(tally.matches for tally in node.values()) < WEIGHED_FROM:
        return
    seen.add(sight.key)
    moves = book.onlooker.alike(state, sight, state.legal_moves)
    tried = [clicks for clicks in sorted(node) if clicks in moves and node[clicks].matches >= TRIED_FROM]
    if not is_weighed(node) or any(node[move].matches >= WEIGHED_FROM and node[move].worth is None for move in tried):
        yield Question(state.move_texts, tuple(state.format_move(moves[clicks][0]) for clicks in tried))
    for clicks in tried:
        yield from _questions_below(book, state.after(moves[clicks][0]), seen)


def _worth_at(book: Book, state: State, known: dict[Key, float | None]) -> float | None:
    """Back up what is behind a state, and return what its best move is worth, or None where it was not weighed."""
    sight = book.onlooker.sight_of(state)
    if sight.key in known:
        return known[sight.key]
    known[sight.key] = None  # while it is being found out: what leads back to it goes by its own weight
    node = book.nodes.get(sight.key, {})
    moves = book.onlooker.alike(state, sight, state.legal_moves)
    worths = list[float]()
    for clicks, tally in sorted(node.items()):
        if clicks in moves and tally.worth is not None:
            answer = _worth_at(book, state.after(moves[clicks][0]), known)
            tally.worth = tally.worth if answer is None else round(1 - answer, 3)
            worths.append(tally.worth)
    known[sight.key] = max(worths, default=None)
    return known[sight.key]
