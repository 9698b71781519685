"""What a book counts of the matches that are added to it."""

import random
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.book.book import PRIOR_SCORED, Book, BookError, BookMove, Recipe
from millrace.engine.book.text import format_book, parse_book
from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State
from tests.engine.book.books import book_move_of, random_book

MORRIS = find_game("morris")


def test_a_match_is_counted_up_to_its_first_new_move_for_the_side_that_made_each() -> None:
    book = Book(MORRIS)
    book.add(("d6", "f4", "d2"), 2)
    assert (book.matches, len(book.nodes)) == (1, 1)
    book.add(("d6", "f4", "d2"), 1)
    book.add(("d6", "f4", "b4"), 0)
    assert book_move_of(book, "d6") == BookMove(3, 3)
    assert book_move_of(book, "d6", "f4") == BookMove(2, 3), "Black drew once and won once"
    assert book_move_of(book, "d6", "f4", "b4") == BookMove(1, 0)


def test_symmetric_positions_are_counted_together() -> None:
    book = Book(MORRIS)
    for first, reply in (("d6", "f4"), ("f4", "d2"), ("d2", "b4"), ("b4", "d6")):
        book.add((first, reply), 1)
    assert book_move_of(book, "d6") == BookMove(4, 4)
    assert book_move_of(book, "d6", "b4") == BookMove(3, 3)
    assert len(book.nodes) == 2


def test_transpositions_are_counted_together_afterwards() -> None:
    book = Book(MORRIS)
    for moves in (("a7", "d2", "g4", "e4"), ("g4", "d2", "a7", "e4")):
        for _ in range(4):
            book.add(moves, 2)
    assert book_move_of(book, "a7", "d2", "g4", "e4") == BookMove(1 + 1, 0)


def test_the_book_ends_at_its_deepest_ply() -> None:
    book = Book(MORRIS, Recipe(deepest=2))
    for _ in range(5):
        book.add(("d6", "f4", "d2", "b4"), 2)
    assert sum(len(node) for node in book.nodes.values()) == 2


def test_a_score_leans_to_a_draw_with_few_matches() -> None:
    assert [BookMove(n, 2 * n).score for n in (0, 2, 6)] == [0.5, 0.75, 0.875]
    assert BookMove(6, 0).score == 0.125
    assert BookMove(3, 3).score == 0.5


def test_a_score_leans_to_the_long_search_until_there_are_many_matches() -> None:
    assert BookMove(0, 0, 0.7).score == pytest.approx(0.7)
    assert BookMove(PRIOR_SCORED, 0, 0.7).score == pytest.approx(0.35)
    assert BookMove(50 * PRIOR_SCORED, 0, 0.7).score < 0.02


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=10, deadline=None)
@given(chance=st.randoms(use_true_random=False))
def test_sums_are_right_at_the_start_and_each_match_adds_at_most_one_move(name: str, chance: random.Random) -> None:
    book = random_book(name, chance, 30)
    root = book.node_at(State.of(book.game))
    assert sum(book_move.matches for book_move in root.values()) == book.matches == 30
    assert sum(len(node) for node in book.nodes.values()) <= book.matches
    assert all(
        0 <= book_move.half_points <= 2 * book_move.matches
        for node in book.nodes.values()
        for book_move in node.values()
    )


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=10, deadline=None)
@given(chance=st.randoms(use_true_random=False))
def test_a_book_round_trips_through_its_text(name: str, chance: random.Random) -> None:
    book = random_book(name, chance, 40)
    text = format_book(book)
    again = parse_book(book.game, text)
    assert (again.matches, again.recipe, again.nodes) == (book.matches, book.recipe, book.nodes)
    assert format_book(again) == text


@pytest.fixture
def text() -> str:
    book = Book(MORRIS)
    for _ in range(4):
        book.add(("d6", "f4", "d2", "b4"), 1)
    return format_book(book)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("d6 4 4", "d6 4 8", "checksum"),
        ("\n", "\n\n", "checksum"),
        ('"format":2', '"format":1', "another format version"),
        ('"game":"morris"', '"game":"mingmang"', "not an opening book of Nine Men's Morris"),
        ('{"format"', '{"formal"', "first line is not a header"),
        ('{"format"', "\udcff", "first line is not a header"),
    ],
)
def test_a_damaged_text_is_refused(text: str, old: str, new: str, words: str) -> None:
    assert old in text
    with pytest.raises(BookError, match=words):
        parse_book(MORRIS, text.replace(old, new, 1))


@pytest.mark.parametrize("text", ["", "{}", "d6 1 1\n", "[1]\n", "\x00"])
def test_a_text_that_is_not_a_book_is_refused(text: str) -> None:
    with pytest.raises(BookError):
        parse_book(MORRIS, text)


@pytest.mark.parametrize(
    "moves",
    [("z9",), ("d6", "d6"), ("d6", "d6-f4")],
    ids=["no move", "an occupied point", "a man moved too early"],
)
def test_a_book_with_an_impossible_move_is_refused_even_with_the_right_checksum(
    moves: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "".join(f"{' ' * ply}{move} 1 1 -\n" for ply, move in enumerate(moves))
    header, _, _ = format_book(Book(MORRIS)).partition("\n")
    monkeypatch.setattr("millrace.engine.book.text._checksum", lambda _lines: "0" * 16)
    header = format_book(Book(MORRIS)).partition("\n")[0]
    with pytest.raises(BookError, match="cannot be read"):
        parse_book(MORRIS, f"{header}\n{lines}")


def test_reading_a_book_changes_nothing_in_it() -> None:
    book = random_book("morris", random.Random(1), 20)
    before = deepcopy(book.nodes)
    book.node_at(State.from_moves(MORRIS, "", ("a1", "a4")))
    format_book(book)
    assert book.nodes == before
