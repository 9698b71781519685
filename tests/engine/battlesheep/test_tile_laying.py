"""The opening of Battle Sheep in which the seats lay the pasture themselves (ruling 3.1, option `opening=tiles`)."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.game import MoveSyntaxError, SetupError
from millrace.engine.games.battlesheep import GAME, LAYING
from millrace.engine.games.battlesheep.tile_notation import canvas_of
from millrace.engine.search import Limits, analyse, no_clock
from millrace.engine.state import State
from tests.engine.battlesheep.reference_pastures import adjoining_tiles


def laid_cells(state: State) -> frozenset[tuple[int, int]]:
    rows = state.position_text.split()[0].split("/")
    return frozenset(
        (row, column) for row, line in enumerate(rows) for column, text in enumerate(line.split(",")) if text != "."
    )


@settings(max_examples=15, deadline=None)
@given(st.sampled_from([2, 3, 4]), st.randoms(use_true_random=False))
def test_the_seats_lay_four_tiles_each(seats: int, chance: random.Random) -> None:
    state = State.of(GAME, f"opening=tiles seats={seats}")
    for tiles in range(4 * seats):
        assert (state.game, state.seat, state.start.seats) == (LAYING, tiles % seats, seats)
        assert state.outcome is None
        laid = laid_cells(state)
        assert len(laid) == 4 * tiles
        if laid:
            assert len(state.legal_moves) == len(adjoining_tiles(laid).intersection(canvas_of(seats).tiles))
        state = state.play(chance.choice(state.legal_moves))
    assert state.game is GAME
    assert state.seat == 0
    assert len(laid_cells(state)) == 16 * seats
    assert state.drawing.reserves == (16,) * seats


def test_the_first_tile_covers_the_middle_of_the_canvas() -> None:
    state = State.of(GAME, "opening=tiles")
    assert len(state.legal_moves) == 12
    for move in state.legal_moves:
        assert (5, 5) in laid_cells(state.after(move))


def test_a_tile_is_clicked_at_its_two_far_corners() -> None:
    state = State.of(GAME, "opening=tiles")
    assert state.parse_move("f6-h7") == state.parse_move("f6 h7")
    assert laid_cells(state.play_text("f6-h7")) == {(5, 5), (5, 6), (6, 6), (6, 7)}


def test_the_ground_laid_so_far_is_drawn() -> None:
    state = State.of(GAME, "opening=tiles").play_text("f6-h7")
    ground = state.drawing.ground
    assert ground is not None
    names = [cell.name for cell in state.geometry.cells]
    assert [name for name, is_laid in zip(names, ground, strict=True) if is_laid] == ["f6", "g6", "g7", "h7"]


def test_undoing_the_first_placing_and_the_last_tile_returns_to_laying() -> None:
    state = State.of(GAME, "opening=tiles")
    while state.game is LAYING:
        state = state.play(state.legal_moves[0])
    assert state.play(state.legal_moves[0]).undo().undo().game is LAYING


def test_the_engine_lays_a_tile() -> None:
    state = State.of(GAME, "opening=tiles")
    best = analyse(state, Limits(depth=1), clock=no_clock).best_move
    assert best is not None
    assert state.play_text(best).ply == 1


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("opening=tiles seats=5", "seats=2, 3 or 4"),
        ("opening=tiles pasture=meadow", "nothing else"),
        ("opening=tiles seats=2 seed=4", "nothing else"),
        ("0 r 5 opening=tiles", "2, 3 or 4 seats"),
        ("0,0 r 2 opening=tiles", "not made of tiles"),
        ("0,0,0,0,0,0,0 r 2 opening=tiles", "a cell of the canvas"),
        ("r16,0 r 2 opening=tiles", "a cell of the canvas"),
    ],
)
def test_a_faulty_opening_is_refused_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(SetupError, match=fault):
        State.of(GAME, text)


def altered(text: str, row: int, column: int, cell: str) -> str:
    rows, *rest = text.split()
    cells = [line.split(",") for line in rows.split("/")]
    cells[row][column] = cell
    return " ".join(["/".join(",".join(line) for line in cells), *rest])


def test_laid_cells_that_are_not_tiles_are_refused() -> None:
    text = State.of(GAME, "opening=tiles").play_text("f6-h7").position_text
    with pytest.raises(SetupError, match="not made of tiles"):
        State.of(GAME, altered(text, 5, 4, "0"))
    with pytest.raises(SetupError, match="not connected"):
        State.of(GAME, altered(text, 0, 0, "0"))
    with pytest.raises(SetupError, match="turn of b, not of 'r'"):
        State.of(GAME, text.replace(" b 2", " r 2"))


@pytest.mark.parametrize("text", ["", "pass", "f6", "f6-f7", "h7-f6", "f6-h7:3"])
def test_a_text_that_is_not_a_tile_is_refused(text: str) -> None:
    board = State.of(GAME, "opening=tiles").start.board
    with pytest.raises(MoveSyntaxError):
        LAYING.texts.parse_move(board, text)
