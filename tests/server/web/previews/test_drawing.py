"""The picture of a position: every cell and every pile of every game, in the frame, with nothing but shapes."""

import random
from xml.etree import ElementTree

import pytest

from millrace.engine.game import CellShape, Game
from millrace.engine.games import GAMES
from millrace.engine.state import State
from millrace.server.web.previews.drawing import HEIGHT, WIDTH, draw_number, draw_position
from millrace.server.web.previews.renderer import png_of

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "defs", "radialGradient", "linearGradient", "stop", "rect", "g", "path", "circle", "ellipse"}


def after_random_moves(game: Game, plies: int, seed: int) -> State:
    state, choose = State.of(game, ""), random.Random(seed)
    for _ in range(plies):
        if state.outcome is not None:
            break
        state = state.play(choose.choice(list(state.legal_moves)))
    return state


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@pytest.mark.parametrize("plies", [0, 1, 14])
def test_every_cell_and_every_pile_is_drawn(game: Game, plies: int) -> None:
    state = after_random_moves(game, plies, seed=plies)
    root = ElementTree.fromstring(draw_position(state))
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= ALLOWED
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
    piles = [pile for pile in state.drawing.piles if pile is not None]
    assert len(root.findall(f".//{SVG}ellipse")) == len(piles)
    geometry = state.geometry
    kinds = {CellShape.POINTS: ".//*[@r='.095']", CellShape.SQUARES: ".//*[@stroke-width='.012']"}
    cells = root.findall(kinds.get(geometry.shape, ".//*[@stroke-width='.035']"))
    laid = len(geometry.cells) if state.drawing.ground is None else sum(state.drawing.ground)
    assert len(cells) == laid


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_picture_has_the_size_for_previews(game: Game) -> None:
    picture = png_of(draw_position(after_random_moves(game, 6, seed=1)))
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == (WIDTH, HEIGHT)


def test_every_digit_is_drawn_and_differs_from_the_others() -> None:
    assert len({draw_number(digit, 1.0) for digit in range(10)}) == 10
    assert draw_number(16, 1.0).count("<path") == 2
