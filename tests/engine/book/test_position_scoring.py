"""Weighing a book: at which moves a long search looks, what it says of them, and what they are worth in the end."""

from copy import deepcopy

import pytest

from millrace.engine.book.book import Book, Recipe, Tally
from millrace.engine.book.position_scoring import (
    TRIED_FROM,
    VARIATIONS,
    WEIGHED_FROM,
    Question,
    Weighed,
    add_weighed,
    back_up,
    questions_of,
    weigh,
)
from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State
from tests.engine.book.test_book import tally_of

MORRIS = find_game("morris")
RECIPE = Recipe(nodes=2_000)
CORNERS = {"a7", "g7", "a1", "g1"}


def book_with(*lines: tuple[str, int]) -> Book:
    """Return a book to which lines were added, each so often."""
    book = Book(MORRIS, RECIPE)
    for line, times in lines:
        for _ in range(times):
            book.add(line.split(), 1)
    return book


def test_a_position_is_weighed_where_many_came_with_the_moves_that_some_have_tried() -> None:
    book = book_with(("d6 f4", WEIGHED_FROM), ("a7 g1", TRIED_FROM), ("b6 f2", TRIED_FROM - 1))
    (start,) = questions_of(book)
    assert start.moves == ()
    assert len(start.tried) == 2
    assert all(any(move in alike for move in start.tried) for alike in ({"d6", "f4", "d2", "b4"}, CORNERS))
    assert len(questions_of(book_with(("d6 f4", WEIGHED_FROM + 1)))) == 2, "the first match ends at its first new move"
    assert questions_of(book_with(("d6 f4", WEIGHED_FROM - 1))) == ()


def test_what_was_weighed_is_weighed_again_only_when_many_have_tried_another_move() -> None:
    book = book_with(("d6 f4", WEIGHED_FROM))
    add_weighed(book, Weighed((), (("b6", 0.51), ("d6", 0.5))))
    for _ in range(WEIGHED_FROM - 1):
        book.add(("a7", "g1"), 1)
    assert questions_of(book) == ()
    book.add(("a7", "g1"), 1)
    (question,) = questions_of(book)
    assert len(question.tried) == 2


@pytest.mark.parametrize("name", GAMES)
def test_the_best_few_moves_are_found_and_those_that_were_tried_compared(name: str) -> None:
    game = GAMES[name]
    state = State.of(game)
    book = Book(game, RECIPE)
    unlikely = state.format_move(state.legal_moves[-1])
    for _ in range(WEIGHED_FROM):
        book.add((unlikely,), 1)
    (question,) = questions_of(book)
    weighed = weigh(game, RECIPE, question)
    assert weigh(game, RECIPE, question) == weighed, "the same recipe weighs alike"
    worths = dict(weighed.worths)
    assert VARIATIONS <= len(worths) <= VARIATIONS + 1
    assert all(0 <= worth <= 1 for worth in worths.values())
    add_weighed(book, weighed)
    assert len([tally for tally in book.node_at(state).values() if tally.worth is not None]) == len(worths)
    assert tally_of(book, unlikely).worth is not None
    assert tally_of(book, unlikely).matches == WEIGHED_FROM


def test_moves_that_a_symmetry_turns_into_one_another_are_looked_at_once() -> None:
    book = book_with(("d6 f4", WEIGHED_FROM))
    (question,) = questions_of(book)
    onlooker, start = book.onlooker, State.of(MORRIS)
    sight = onlooker.sight_of(start)
    weighed = weigh(MORRIS, RECIPE, question)
    kinds = [onlooker.clicks_of(start, sight, start.parse_move(text)) for text, _worth in weighed.worths]
    assert len(set(kinds)) == len(kinds) >= VARIATIONS


def test_a_move_that_leaves_a_mill_open_is_worth_less() -> None:
    weighed = weigh(MORRIS, RECIPE, Question(("d6", "a1", "d5", "f2"), ("d7xa1", "g7")))
    worths = dict(weighed.worths)
    assert max(worths, key=worths.__getitem__).startswith("d7x")
    assert worths["g7"] < worths["d7xa1"]


def test_a_move_is_worth_what_the_best_answer_leaves() -> None:
    book = book_with(("d6 f4", WEIGHED_FROM), ("d6 b4", WEIGHED_FROM), ("d6 d2", WEIGHED_FROM))
    add_weighed(book, Weighed((), (("d6", 0.6), ("a7", 0.52))))
    add_weighed(book, Weighed(("d6",), (("d2", 0.55), ("b4", 0.4))))
    back_up(book)
    assert (tally_of(book, "d6").worth, tally_of(book, "a7").worth) == (0.45, 0.52)
    assert tally_of(book, "d6", "d2").worth == 0.55
    settled = deepcopy(book.nodes)
    back_up(book)
    assert book.nodes == settled


def test_growing_takes_a_move_that_was_only_weighed_for_a_new_one() -> None:
    book = book_with(("d6 f4", WEIGHED_FROM))
    add_weighed(book, Weighed((), (("b6", 0.51), ("d6", 0.5))))
    book.add(("b6", "f2", "d2"), 2)
    assert tally_of(book, "b6") == Tally(1, 2, 0.51)
    assert len(book.nodes) == 2


def test_a_position_counts_as_weighed_once_one_of_its_moves_is() -> None:
    book = book_with(("d6 f4", 2 * WEIGHED_FROM))
    assert book.weighed == 0
    add_weighed(book, Weighed((), (("d6", 0.5),)))
    assert book.weighed == 1
