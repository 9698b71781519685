"""The opening books that come with the games."""

from pathlib import Path

import pytest

from millrace.engine import games
from millrace.engine.book.book import Book
from millrace.engine.book.canonical_form import Key
from millrace.engine.book.move_choice import choose_book_move
from millrace.engine.book.seeded_random import derive_seed
from millrace.engine.book.text import format_book, parse_book
from millrace.engine.games import SHIPPED
from millrace.engine.search import Handicap, Limits, analyse, no_clock
from millrace.engine.state import State
from millrace.engine.transposition_table import new_table

MOST_BYTES = 100_000
SEEDS = 100
OPENING_PLIES = 8
LEAST_ENDS = 8
"""A book must lead to at least this many different positions, counting symmetric ones once."""
LEAST_WEIGHED = 30
NOISE = 2
"""Noise of the evaluation, as at the strongest level, in hundredths of a man."""


def path_of(name: str) -> Path:
    return Path(games.__file__).parent / name / "opening.book"


@pytest.fixture(scope="module", params=[game.name for game in SHIPPED])
def book(request: pytest.FixtureRequest) -> Book:
    game = next(game for game in SHIPPED if game.name == request.param)
    return parse_book(game, path_of(game.name).read_text(encoding="utf-8"))


def test_every_shipped_game_has_a_small_book(book: Book) -> None:
    assert path_of(book.game.name).stat().st_size <= MOST_BYTES
    assert book.matches > 0


def test_every_position_is_reachable_and_every_move_is_in_notation(book: Book) -> None:
    assert format_book(book) == path_of(book.game.name).read_text(encoding="utf-8")
    assert sum(book_move.matches for book_move in book.node_at(State.of(book.game)).values()) == book.matches


def test_its_moves_are_legal_and_lead_to_various_positions(book: Book) -> None:
    ends = set[Key]()
    for seed in range(SEEDS):
        state = State.of(book.game)
        while (move := choose_book_move(book, state, seed)) is not None:
            assert move in state.legal_moves
            state = state.play(move)
            assert state.repetitions == 0
        assert state.ply > 1
        ends.add(book.canonicalizer.canonical_form(state).key)
    assert len(ends) >= LEAST_ENDS


def test_its_most_played_first_move_is_scored(book: Book) -> None:
    tallies = book.node_at(State.of(book.game)).values()
    usual = max(tallies, key=lambda book_move: book_move.matches)
    assert usual.expected_score is not None
    assert book.scored_positions >= LEAST_WEIGHED


def test_matches_that_start_with_it_differ(book: Book) -> None:
    lines, book_plies = set[tuple[int, ...]](), 0
    for seed in range(SEEDS):
        state = State.of(book.game)
        while state.outcome is None and state.ply < OPENING_PLIES:
            move = choose_book_move(book, state, seed)
            book_plies += move is not None
            state = state.play(move) if move is not None else state.play_text(search(state, seed))
        lines.add(state.moves)
    assert len(lines) > SEEDS / 4
    assert book_plies >= SEEDS


def search(state: State, seed: int) -> str:
    """Return the move of a short search with some noise by the seed."""
    handicap = Handicap(NOISE, derive_seed(seed))
    found = analyse(state, Limits(nodes=300), no_clock, table=new_table(1), handicap=handicap)
    assert found.best_move is not None
    return found.best_move
