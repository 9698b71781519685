"""The move that a book plays: legal, among the good ones, and not always the same."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.book.book import Book, BookMove
from millrace.engine.book.move_choice import choose_book_move, main_line
from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State
from tests.engine.book.books import book_move_of, random_book

MORRIS = find_game("morris")
CORNERS, MIDDLES = {"a1", "a7", "g1", "g7", "c3", "c5", "e3", "e5"}, {"d6", "f4", "d2", "b4"}


def book_of(**tallies: tuple[int, int, float | None]) -> Book:
    """Return a book of first moves with matches, half points and what a long search expects of them."""
    book = Book(MORRIS)
    for move, book_move in tallies.items():
        book.add((move,), 1)
        found = book_move_of(book, move)
        found.matches, found.half_points, found.expected_score = book_move
    return book


def first_moves(book: Book) -> Counter[str]:
    """Return how often each move is chosen at the start, by many seeds; "none" where the book has nothing."""
    start = State.of(MORRIS)
    chosen = [choose_book_move(book, start, seed) for seed in range(300)]
    return Counter("none" if move is None else start.format_move(move) for move in chosen)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=10, deadline=None)
@given(chance=st.randoms(use_true_random=False))
def test_every_chosen_move_is_legal_and_repeats_no_position(name: str, chance: random.Random) -> None:
    book = random_book(name, chance, 60)
    for node in book.nodes.values():
        for book_move in node.values():
            book_move.expected_score = chance.choice((0.5, 0.53, 0.8))
    for seed in range(5):
        state = State.of(book.game)
        while (move := choose_book_move(book, state, seed)) is not None:
            assert move == choose_book_move(book, state, seed), "the same seed makes the same choice"
            assert move in state.legal_moves
            state = state.play(move)
            assert state.repetitions == 0
        assert state.ply > 0


def test_among_equally_good_moves_the_most_played_is_likeliest() -> None:
    chosen = first_moves(book_of(d6=(64, 66, 0.5), a7=(4, 4, 0.5)))
    assert set(chosen) == CORNERS | MIDDLES, "whichever way the board is turned"
    assert 205 <= sum(chosen[move] for move in MIDDLES) <= 245, "nine of twelve"


@pytest.mark.parametrize(
    ("tallies", "expected"),
    [
        ({"d6": (0, 0, 0.5), "a7": (0, 0, 0.47)}, CORNERS | MIDDLES),
        ({"d6": (0, 0, 0.5), "a7": (0, 0, 0.44)}, MIDDLES),
        ({"d6": (100, 110, 0.5), "a7": (20, 26, 0.5)}, CORNERS | MIDDLES),
        ({"d6": (100, 120, 0.5), "a7": (100, 90, 0.5)}, MIDDLES),
        ({"d6": (100, 50, 0.5), "a7": (100, 90, 0.5)}, CORNERS),
        ({"d6": (100, 50, 0.3), "a7": (1, 2, None)}, MIDDLES),
        ({"d6": (100, 110, None), "a7": (40, 44, None)}, {"none"}),
        ({"d6": (100, 10, 0.1), "a7": (40, 5, 0.3)}, CORNERS),
    ],
    ids=[
        "worth nearly as much",
        "worth less",
        "did about as well",
        "did worse",
        "the usual one did worse",
        "one that was not scored",
        "none was scored",
        "all are bad",
    ],
)
def test_moves_with_lower_scores_or_results_are_not_chosen(
    tallies: dict[str, tuple[int, int, float | None]], expected: set[str]
) -> None:
    assert set(first_moves(book_of(**tallies))) == expected


def test_a_move_that_repeats_a_position_is_not_chosen() -> None:
    there_and_back = ["a7-d7", "g1-d1", "d7-a7", "d1-g1", "a7-d7", "g1-d1", "d7-a7"]
    before = State.from_moves(MORRIS, "W...B...W...B...W...B..B w 0 0", there_and_back[:3])
    again = State.from_moves(MORRIS, "W...B...W...B...W...B..B w 0 0", there_and_back[:1])
    book = Book(MORRIS)
    for state, move in ((before, "d1-g1"), (again, "g1-d1")):
        form = book.canonicalizer.canonical_form(state)
        clicks = book.canonicalizer.canonical_clicks(state, form, state.parse_move(move))
        book.nodes[form.key] = {clicks: BookMove(9, 9, 0.5)}
    assert choose_book_move(book, again, seed=1) == again.parse_move("g1-d1")
    assert choose_book_move(book, before, seed=1) is None


def test_other_boards_and_finished_matches_are_left_to_the_engine() -> None:
    book = book_of(d6=(60, 66, 0.5))
    assert choose_book_move(book, State.of(MORRIS, "flying=off"), seed=1) is None
    assert choose_book_move(book, State.of(find_game("mingmang")), seed=1) is None
    assert choose_book_move(book, State.of(MORRIS, "WW......................  b 0 0"), seed=1) is None
    assert choose_book_move(book, State.from_moves(MORRIS, "", ("d6", "g7")), seed=1) is None


def test_the_main_line_has_the_most_played_moves() -> None:
    book = Book(MORRIS)
    for moves in (("d6", "f4", "d2"), ("d6", "f4", "d2"), ("d6", "f4", "d2"), ("a7", "g1")):
        book.add(moves, 1)
    first, reply, last = main_line(book)
    assert {first, reply} <= MIDDLES
    assert book_move_of(book, first, reply, last) == BookMove(1, 1)
