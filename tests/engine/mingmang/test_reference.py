"""Ming Mang on random boards: its kernels against a slow reference in plain Python."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.bindings import bindings_of
from millrace.engine.games.mingmang import GAME
from millrace.engine.state import State
from tests.engine.mingmang.board_text import board
from tests.engine.move_texts import texts

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))

Men = dict[tuple[int, int], str]
"""Letter of the man by file and rank, both from 0."""


def men_of(state: State) -> Men:
    return {
        (index % 8, index // 8): "bw"[pile.seat] for index, pile in enumerate(state.drawing.piles) if pile is not None
    }


def on_board(square: tuple[int, int]) -> bool:
    return 0 <= square[0] < 8 and 0 <= square[1] < 8


def name(square: tuple[int, int]) -> str:
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def reference_slides(men: Men, side: str) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    slides = set()
    for origin in [square for square, letter in men.items() if letter == side]:
        for step in STEPS:
            target = (origin[0] + step[0], origin[1] + step[1])
            while on_board(target) and target not in men:
                slides.add((origin, target))
                target = (target[0] + step[0], target[1] + step[1])
    return slides


def reference_play(men: Men, side: str, origin: tuple[int, int], target: tuple[int, int]) -> Men:
    after = {square: letter for square, letter in men.items() if square != origin} | {target: side}
    changed: list[tuple[int, int]] = []
    for step in STEPS:
        line = []
        square = (target[0] + step[0], target[1] + step[1])
        while after.get(square, side) != side:
            line.append(square)
            square = (square[0] + step[0], square[1] + step[1])
        if after.get(square) == side:
            changed += line
    return after | dict.fromkeys(changed, side)


def reference_reach(men: Men, side: str) -> set[tuple[int, int]]:
    reached = {square for square, letter in men.items() if letter == side}
    frontier = list(reached)
    while frontier:
        file, rank = frontier.pop()
        for step in STEPS:
            square = (file + step[0], rank + step[1])
            if on_board(square) and square not in men and square not in reached:
                reached.add(square)
                frontier.append(square)
    return reached


@st.composite
def strewn_boards(draw: st.DrawFn) -> State:
    count = draw(st.integers(1, 28))
    squares = draw(st.permutations(range(64)))[:count]
    blacks = draw(st.integers(0, count))
    letters = {square: "b" if index < blacks else "w" for index, square in enumerate(squares)}
    ranks = ["".join(letters.get(8 * rank + file, ".") for file in range(8)) for rank in reversed(range(8))]
    return board(" ".join(ranks), draw(st.sampled_from("bw")))


@settings(max_examples=150, deadline=None)
@given(strewn_boards())
def test_moves_captures_and_territory_follow_the_rulings(state: State) -> None:
    men, side = men_of(state), "bw"[state.seat]
    slides = reference_slides(men, side)
    is_over = not slides or len(set(men.values())) < 2
    expected = set() if is_over else {f"{name(origin)}-{name(target)}" for origin, target in slides} | {"pass"}
    assert texts(state) == expected
    assert len(state.legal_moves) == len(expected)
    position = GAME.rules.position_type(*state.words)
    assert GAME.rules.kernels.count_moves(state.start.board, position) == len(state.generated_moves)
    for origin, target in [] if is_over else slides:
        after = state.play_text(f"{name(origin)}-{name(target)}")
        played = reference_play(men, side, origin, target)
        assert men_of(after) == played
        takes = any(played[square] != letter for square, letter in men.items() if square in played)
        assert GAME.rules.kernels.is_noisy(state.start.board, position, after.move) == takes
    black, white = reference_reach(men, "b"), reference_reach(men, "w")
    squares = [(index % 8, index // 8) for index in range(64)]
    assert state.territory == tuple(
        0 if square in black - white else 1 if square in white - black else None for square in squares
    )


@settings(max_examples=50, deadline=None)
@given(strewn_boards())
def test_evaluation_is_the_same_turned_upside_down(state: State) -> None:
    evaluation = bindings_of(GAME).evaluate(state.start.board, state.words)
    turned = np.array([int(f"{word:064b}"[::-1], 2) for word in state.words[:2].tolist()] + [0], dtype=np.uint64)
    assert bindings_of(GAME).evaluate(state.start.board, turned) == evaluation
