"""Scores the positions of a book: the expected scores of their moves, by a search longer than any in a match.

Matches show which positions matter, but there are few for one move, and they are played fast. So the engine searches
each position with several matches deeply: its best few moves, so that there is a choice, and, to the same depth, each
move that was tried there. Expected scores are backed up from answers to moves, as in any game tree (Lincke, Strategies
for the Automatic Construction of Opening Books, 2000). Both the next matches and the book's moves depend on them and on
the results of the matches (`BookMove.score`). No processes or files here.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..game import Game
from ..search import Limits, analyse, no_clock
from ..search.expected_score import expected_score
from ..state import State
from ..transposition_table import new_table
from .book import Book, BookMove, Recipe, is_scored
from .canonical_form import Canonicalizer, Key

SCORED_FROM = 8
"""Number of matches after which a position is scored, or a move that was unknown when its position was scored."""

TRIED_FROM = 2
"""Number of matches after which a move is searched there."""

VARIATIONS = 3
"""Number of best moves searched."""

SCORING_MEGABYTES = 64


class ScoringTask(NamedTuple):
    """A position to score, as texts, so that any process can do it."""

    moves: tuple[str, ...]
    """The moves that lead to it."""
    tried: tuple[str, ...]
    """The moves tried by matches there."""


class ScoredPosition(NamedTuple):
    """The expected scores of the moves of a position."""

    moves: tuple[str, ...]
    expected_scores: tuple[tuple[str, float], ...]
    """The expected score by move, as in `BookMove.expected_score`, best first."""


def scoring_tasks(book: Book) -> tuple[ScoringTask, ...]:
    """Return the positions that still have to be scored."""
    return tuple(_questions_below(book, State.of(book.game), set()))


def score_position(game: Game, recipe: Recipe, task: ScoringTask) -> ScoredPosition:
    """Search for the best moves of a position one after another, then for each tried move, all to the same depth."""
    canonicalizer, state = Canonicalizer(game), State.from_moves(game, "", task.moves)
    form = canonicalizer.canonical_form(state)
    left = {
        clicks: moves[0] for clicks, moves in canonicalizer.equivalent_moves(state, form, state.legal_moves).items()
    }
    tried = [canonicalizer.canonical_clicks(state, form, state.parse_move(text)) for text in task.tried]
    limits, table = Limits(nodes=recipe.nodes), new_table(SCORING_MEGABYTES)
    expected_scores = dict[str, float]()

    def search(candidates: tuple[int, ...]) -> int:
        """Record the expected score of the best of these moves, and return the depth reached."""
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
    """Add the expected scores of a position's moves to a book, including those of moves that no match has tried."""
    state = State.from_moves(book.game, "", scored.moves)
    form = book.canonicalizer.canonical_form(state)
    for text, expected in scored.expected_scores:
        clicks = book.canonicalizer.canonical_clicks(state, form, state.parse_move(text))
        book.nodes[form.key].setdefault(clicks, BookMove()).expected_score = expected


def back_up(book: Book) -> None:
    """Replace the expected score of each move by that of the best reply, if the position after it was scored: the
    engine searched further there.
    """
    _back_up_from(book, State.of(book.game), {})


def _questions_below(book: Book, state: State, seen: set[Key]) -> Iterator[ScoringTask]:
    """Yield the positions to score at a state and below it."""
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
    """Back up the scores below a state, and return the best move's expected score, or None if it was not scored."""
    form = book.canonicalizer.canonical_form(state)
    if form.key in known:
        return known[form.key]
    known[form.key] = None  # while it is being computed: moves that lead back to it keep their own score
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
