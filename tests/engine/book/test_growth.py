"""Growing a book: which matches are played, and that it depends only on the recipe."""

from copy import deepcopy

import pytest

from millrace.engine.book.book import HALF_POINTS, Book, BookMove, Recipe
from millrace.engine.book.growth import ROUND, add_round, plan_round, play_match
from millrace.engine.book.text import format_book, parse_book
from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State
from tests.engine.book.books import book_move_of

MORRIS = find_game("morris")
RECIPE = Recipe(seed=7, nodes=200, match_nodes=30, deepest=6)
ROUNDS = 4


def grow(book: Book, rounds: int, is_backwards: bool = False) -> Book:
    """Grow a book by some rounds, the matches of each played in order or in the opposite order."""
    for _ in range(rounds):
        tasks = plan_round(book)
        played = {task: play_match(book.game, book.recipe, task) for task in sorted(tasks, reverse=is_backwards)}
        add_round(book, [played[task] for task in tasks])
    return book


@pytest.fixture(scope="module")
def grown() -> Book:
    return grow(Book(MORRIS, RECIPE), ROUNDS)


def test_the_same_settings_grow_the_same_book_in_any_order_of_results(grown: Book) -> None:
    again = grow(Book(MORRIS, RECIPE), ROUNDS, is_backwards=True)
    assert format_book(again) == format_book(grown)


def test_an_interrupted_growth_continues_with_the_same_result(grown: Book) -> None:
    half = parse_book(MORRIS, format_book(grow(Book(MORRIS, RECIPE), ROUNDS // 2)))
    assert format_book(grow(half, ROUNDS // 2)) == format_book(grown)


@pytest.mark.slow
def test_another_seed_grows_another_book(grown: Book) -> None:
    other = grow(Book(MORRIS, Recipe(8, RECIPE.nodes, RECIPE.match_nodes, RECIPE.deepest)), ROUNDS)
    assert other.nodes != grown.nodes


def test_planning_does_not_change_the_book(grown: Book) -> None:
    before = deepcopy(grown.nodes)
    tasks = plan_round(grown)
    assert grown.nodes == before
    assert [task.number for task in tasks] == list(range(grown.matches, grown.matches + ROUND))


def test_the_matches_of_a_round_differ(grown: Book) -> None:
    assert len({task.moves for task in plan_round(grown)}) > 1


@pytest.mark.parametrize("name", GAMES)
def test_a_match_continues_from_its_tasks_position_to_a_result(name: str) -> None:
    book = Book(GAMES[name], RECIPE)
    for task in plan_round(book)[:2]:
        played = play_match(book.game, RECIPE, task)
        assert played.moves[: len(task.moves)] == task.moves
        assert len(played.moves) <= RECIPE.deepest
        assert State.from_moves(book.game, "", played.moves).ply == len(played.moves)
        assert 0 <= played.half_points <= HALF_POINTS


def test_the_best_line_is_followed_to_the_end_of_the_book_and_searched_there() -> None:
    book = Book(MORRIS, RECIPE)
    for _ in range(3):
        book.add(("d6",), 2)
    task, *_ = plan_round(book)
    assert len(task.moves) == 1
    assert book_move_of(book, *task.moves) == BookMove(3, 6)
    assert (task.proposal_nodes, task.noise) == (RECIPE.nodes, 0)


def test_an_average_move_is_examined_again_when_the_matches_have_doubled() -> None:
    book = Book(MORRIS, RECIPE)
    questioned = {}
    for matches in range(1, ROUND):
        book.add(("d6",), 1)
        task, *_ = plan_round(book)
        if task.moves == ():
            assert task.noise > 0, "or the engine would propose the same again"
            questioned[matches] = task.proposal_nodes
    assert questioned == {1: RECIPE.match_nodes, 2: RECIPE.nodes, 4: RECIPE.match_nodes, 8: RECIPE.nodes}
