"""Weighing the positions of a book: what their moves are worth to a search longer than anybody has in a match.

Matches tell which positions are worth a look, but those of one move are few, and both sides hurry. So the engine looks
long at each position to which several matches came: at the best few moves, so that there is a choice, and as deeply at
each that was tried there. What it expects is backed up from answer to move, as in any tree (Lincke, "Strategies for the
Automatic Construction of Opening Books", 2000), and what a book plays next, and whoever plays by it, goes by that and
by the matches (`BookMove.score`). Knows no processes and no files.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..analysis import Limits, analyse, no_clock
from ..analysis.expected_score import expected_score
from ..game import Game
from ..state import State
from ..transposition_table import new_table
from .book import Book, BookMove, Recipe, is_scored
from .canonical_form import Canonicalizer, Key

SCORED_FROM = 8
"""Matches that must have come to a position, or to a move that was not known when it was scored."""

TRIED_FROM = 2
"""Matches in which a move must have been tried there."""

VARIATIONS = 3
"""So many of the best moves are found."""

SCORING_MEGABYTES = 64


class ScoringTask(NamedTuple):
    """A position to weigh: texts, so that any process can do it."""

    moves: tuple[str, ...]
    """How it comes up."""
    tried: tuple[str, ...]
    """The moves that were tried there."""


class ScoredPosition(NamedTuple):
    """What the moves of a position are worth."""

    moves: tuple[str, ...]
    expected_scores: tuple[tuple[str, float], ...]
    """By move, as in `BookMove.worth`; the best ones come first."""


def scoring_tasks(book: Book) -> tuple[ScoringTask, ...]:
    """Return what is still to be scored in a book."""
    return tuple(_questions_below(book, State.of(book.game), set()))


def score_position(game: Game, recipe: Recipe, task: ScoringTask) -> ScoredPosition:
    """Search for the best moves of a position one after another, and then for each that was tried, all as deeply."""
    canonicalizer, state = Canonicalizer(game), State.from_moves(game, "", task.moves)
    form = canonicalizer.canonical_form(state)
    left = {
        clicks: moves[0] for clicks, moves in canonicalizer.equivalent_moves(state, form, state.legal_moves).items()
    }
    tried = [canonicalizer.canonical_clicks(state, form, state.parse_move(text)) for text in task.tried]
    limits, table = Limits(nodes=recipe.nodes), new_table(SCORING_MEGABYTES)
    expected_scores = dict[str, float]()

    def search(candidates: tuple[int, ...]) -> int:
        """Note what the best of some moves is worth, and return the depth that was reached."""
        found = analyse(state, limits, no_clock, table=table, candidates=candidates)
        assert found.best_move is not None
        expected_scores[found.best_move] = round(expected_score(game, found.value), 3)
        del left[canonicalizer.canonical_clicks(state, form, state.parse_move(found.best_move))]
        return found.depth

    depth = search(tuple(left.values()))
    limits = Limits(depth=max(depth, 1), nodes=recipe.nodes)
    for _ in range(min(VARIATIONS - 1, len(left))):
        search(tuple(left.values()))
    for clicks in tried:
        if clicks in left:
            search((left[clicks],))
    return ScoredPosition(task.moves, tuple(expected_scores.items()))


def add_scored(book: Book, scored: ScoredPosition) -> None:
    """Add to a book what the moves of a position are worth, also of those that nobody has tried."""
    state = State.from_moves(book.game, "", scored.moves)
    form = book.canonicalizer.canonical_form(state)
    for text, expected in scored.expected_scores:
        clicks = book.canonicalizer.canonical_clicks(state, form, state.parse_move(text))
        book.nodes[form.key].setdefault(clicks, BookMove()).expected_score = expected


def back_up(book: Book) -> None:
    """Let a move be worth what the best answer to it leaves, where the position behind it was scored too: there the
    engine looked further."""
    _back_up_from(book, State.of(book.game), {})


def _questions_below(book: Book, state: State, seen: set[Key]) -> Iterator[ScoringTask]:
    """Yield what is to be scored at a state and behind it."""
    form = book.canonicalizer.canonical_form(state)
    node = book.nodes.get(form.key, {})
    if form.key in seen or sum(book_move.matches for book_move in node.values()) < SCORED_FROM:
        return
    seen.add(form.key)
    moves = book.canonicalizer.equivalent_moves(state, form, state.legal_moves)
    tried = [clicks for clicks in sorted(node) if clicks in moves and node[clicks].matches >= TRIED_FROM]
    if not is_scored(node) or any(
        node[move].matches >= SCORED_FROM and node[move].expected_score is None for move in tried
    ):
        yield ScoringTask(state.move_texts, tuple(state.format_move(moves[clicks][0]) for clicks in tried))
    for clicks in tried:
        yield from _questions_below(book, state.after(moves[clicks][0]), seen)


def _back_up_from(book: Book, state: State, known: dict[Key, float | None]) -> float | None:
    """Back up what is behind a state, and return what its best move is worth, or None where it was not scored."""
    form = book.canonicalizer.canonical_form(state)
    if form.key in known:
        return known[form.key]
    known[form.key] = None  # while it is being found out: what leads back to it goes by its own weight
    node = book.nodes.get(form.key, {})
    moves = book.canonicalizer.equivalent_moves(state, form, state.legal_moves)
    expected_scores = list[float]()
    for clicks, book_move in sorted(node.items()):
        if clicks in moves and book_move.expected_score is not None:
            answer = _back_up_from(book, state.after(moves[clicks][0]), known)
            book_move.expected_score = book_move.expected_score if answer is None else round(1 - answer, 3)
            expected_scores.append(book_move.expected_score)
    known[form.key] = max(expected_scores, default=None)
    return known[form.key]
