"""Scoring a book's positions: which moves a long search examines, and the resulting scores."""

from copy import deepcopy

import pytest

from millrace.engine.book.book import Book, BookMove, Recipe
from millrace.engine.book.position_scoring import (
    SCORED_FROM,
    TRIED_FROM,
    VARIATIONS,
    ScoredPosition,
    ScoringTask,
    add_scored,
    back_up,
    score_position,
    scoring_tasks,
)
from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State
from tests.engine.book.books import book_move_of

MORRIS = find_game("morris")
RECIPE = Recipe(nodes=2_000)
CORNERS = {"a7", "g7", "a1", "g1"}


def book_with(*lines: tuple[str, int]) -> Book:
    """Return a book with each line added this many times."""
    book = Book(MORRIS, RECIPE)
    for line, times in lines:
        for _ in range(times):
            book.add(line.split(), 1)
    return book


def test_a_frequent_position_is_scored_with_its_tried_moves() -> None:
    book = book_with(("d6 f4", SCORED_FROM), ("a7 g1", TRIED_FROM), ("b6 f2", TRIED_FROM - 1))
    (start,) = scoring_tasks(book)
    assert start.moves == ()
    assert len(start.tried) == 2
    assert all(any(move in alike for move in start.tried) for alike in ({"d6", "f4", "d2", "b4"}, CORNERS))
    assert len(scoring_tasks(book_with(("d6 f4", SCORED_FROM + 1)))) == 2, "the first match ends at its first new move"
    assert scoring_tasks(book_with(("d6 f4", SCORED_FROM - 1))) == ()


def test_a_scored_position_is_scored_again_only_after_many_tried_another_move() -> None:
    book = book_with(("d6 f4", SCORED_FROM))
    add_scored(book, ScoredPosition((), (("b6", 0.51), ("d6", 0.5))))
    for _ in range(SCORED_FROM - 1):
        book.add(("a7", "g1"), 1)
    assert scoring_tasks(book) == ()
    book.add(("a7", "g1"), 1)
    (task,) = scoring_tasks(book)
    assert len(task.tried) == 2


@pytest.mark.parametrize("name", GAMES)
def test_the_best_moves_are_found_and_compared_with_the_tried_ones(name: str) -> None:
    game = GAMES[name]
    state = State.of(game)
    book = Book(game, RECIPE)
    unlikely = state.format_move(state.legal_moves[-1])
    for _ in range(SCORED_FROM):
        book.add((unlikely,), 1)
    (task,) = scoring_tasks(book)
    scored = score_position(game, RECIPE, task)
    assert score_position(game, RECIPE, task) == scored, "the same recipe weighs alike"
    expected_scores = dict(scored.expected_scores)
    assert VARIATIONS <= len(expected_scores) <= VARIATIONS + 1
    assert all(0 <= worth <= 1 for worth in expected_scores.values())
    add_scored(book, scored)
    assert len(
        [book_move for book_move in book.node_at(state).values() if book_move.expected_score is not None]
    ) == len(expected_scores)
    assert book_move_of(book, unlikely).expected_score is not None
    assert book_move_of(book, unlikely).matches == SCORED_FROM


def test_symmetric_moves_are_searched_once() -> None:
    book = book_with(("d6 f4", SCORED_FROM))
    (task,) = scoring_tasks(book)
    canonicalizer, start = book.canonicalizer, State.of(MORRIS)
    form = canonicalizer.canonical_form(start)
    scored = score_position(MORRIS, RECIPE, task)
    kinds = [
        canonicalizer.canonical_clicks(start, form, start.parse_move(text)) for text, _worth in scored.expected_scores
    ]
    assert len(set(kinds)) == len(kinds) >= VARIATIONS


def test_a_move_that_leaves_a_mill_open_is_worth_less() -> None:
    scored = score_position(MORRIS, RECIPE, ScoringTask(("d6", "a1", "d5", "f2"), ("d7xa1", "g7")))
    expected_scores = dict(scored.expected_scores)
    assert max(expected_scores, key=expected_scores.__getitem__).startswith("d7x")
    assert expected_scores["g7"] < expected_scores["d7xa1"]


def test_a_moves_score_is_that_after_the_best_reply() -> None:
    book = book_with(("d6 f4", SCORED_FROM), ("d6 b4", SCORED_FROM), ("d6 d2", SCORED_FROM))
    add_scored(book, ScoredPosition((), (("d6", 0.6), ("a7", 0.52))))
    add_scored(book, ScoredPosition(("d6",), (("d2", 0.55), ("b4", 0.4))))
    back_up(book)
    assert (book_move_of(book, "d6").expected_score, book_move_of(book, "a7").expected_score) == (0.45, 0.52)
    assert book_move_of(book, "d6", "d2").expected_score == 0.55
    settled = deepcopy(book.nodes)
    back_up(book)
    assert book.nodes == settled


def test_growing_treats_a_move_that_was_only_scored_as_new() -> None:
    book = book_with(("d6 f4", SCORED_FROM))
    add_scored(book, ScoredPosition((), (("b6", 0.51), ("d6", 0.5))))
    book.add(("b6", "f2", "d2"), 2)
    assert book_move_of(book, "b6") == BookMove(1, 2, 0.51)
    assert len(book.nodes) == 2


def test_a_position_counts_as_scored_once_one_of_its_moves_is() -> None:
    book = book_with(("d6 f4", 2 * SCORED_FROM))
    assert book.scored_positions == 0
    add_scored(book, ScoredPosition((), (("d6", 0.5),)))
    assert book.scored_positions == 1
