"""The strongest level's book moves: none that is known to spoil a result, from the tables or a proof."""

import pytest

from millrace.engine.book.book import Book, BookMove
from millrace.engine.book.move_choice import choose_book_move
from millrace.engine.game import TableBytes
from millrace.engine.games import find_game
from millrace.engine.levels.book_moves import choose_sound_book_move
from millrace.engine.state import State
from millrace.engine.tablebase.morris_results import MorrisResults
from millrace.engine.tablebase.probing import Tablebase
from tests.engine.made_up_results import MadeUpResults
from tests.engine.tablebase.small_tables import compress_all, spoilable

MORRIS = find_game("morris")
SEEDS = range(30)


def book_that_likes(scores: dict[int, float], state: State) -> Book:
    """Return a book that expects these results of a state's moves."""
    book = Book(MORRIS)
    form = book.canonicalizer.canonical_form(state)
    clicks = {move: book.canonicalizer.canonical_clicks(state, form, move) for move in scores}
    book.nodes[form.key] = {clicks[move]: BookMove(matches=1, expected_score=score) for move, score in scores.items()}
    return book


@pytest.mark.parametrize("edition", ["full", "small"])
@pytest.mark.parametrize("value", [0, 1])
def test_a_book_move_that_spoils_the_result_is_never_played(
    tables: dict[str, TableBytes], edition: str, value: int
) -> None:
    full, small = (tables, {}) if edition == "full" else ({}, compress_all(tables))
    tablebase = Tablebase(MORRIS, full, MorrisResults(full, small))
    states = spoilable(tablebase, value)
    for _ in range(5):
        state, values = next(states)
        book = book_that_likes({move: 0.9 if kept < value else 0.88 for move, kept in values.items()}, state)
        unchecked = {choose_book_move(book, state, seed) for seed in SEEDS}
        assert any(values[move] < value for move in unchecked if move is not None)
        sound = {choose_sound_book_move(book, state, seed, tablebase) for seed in SEEDS}
        assert {values[move] for move in sound if move is not None} == {value}


def test_an_unknown_book_move_gives_way_to_the_search() -> None:
    start = State.of(MORRIS)
    book = book_that_likes({start.parse_move("d6"): 0.5}, start)
    unknown = {start.after(move).position_text for move in start.legal_moves}
    assert choose_sound_book_move(book, start, 1, Tablebase(MORRIS, {}, MadeUpResults(unproved=unknown))) is None


def test_of_two_book_moves_the_one_known_to_keep_the_result_is_played() -> None:
    start = State.of(MORRIS)
    corners = {start.parse_move(text) for text in ("b2", "b6", "f2", "f6")}
    book = book_that_likes({start.parse_move("d6"): 0.52, start.parse_move("b6"): 0.5}, start)
    losing = {start.after(move).position_text for move in start.legal_moves if move not in corners}
    tablebase = Tablebase(MORRIS, {}, MadeUpResults(wins=losing))
    assert {choose_sound_book_move(book, start, seed, tablebase) for seed in SEEDS} == corners


def test_without_tables_book_moves_are_played_unchecked() -> None:
    start = State.of(MORRIS)
    book = book_that_likes({start.parse_move("d6"): 0.5}, start)
    for tablebase in (None, Tablebase(MORRIS, {}), Tablebase(MORRIS, {}, MorrisResults({}, {}))):
        expected = [choose_book_move(book, start, seed) for seed in SEEDS]
        assert [choose_sound_book_move(book, start, seed, tablebase) for seed in SEEDS] == expected
