"""Whole matches of Battle Sheep against a slow reference in plain Python, also on the rotated pasture."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.bindings import bindings_of
from millrace.engine.games.battlesheep import GAME
from millrace.engine.perft import perft
from millrace.engine.state import State
from tests.engine.battlesheep.board_text import rows
from tests.engine.move_texts import texts

STEPS = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))

Coordinate = tuple[int, int]
Stacks = dict[Coordinate, tuple[str, int]]


def read(state: State) -> tuple[set[Coordinate], Stacks]:
    cells: set[Coordinate] = set()
    stacks: Stacks = {}
    for row, line in enumerate(rows(state)):
        for column, text in enumerate(line.split(",")):
            if text != ".":
                cells.add((row, column))
            if text not in ".0":
                stacks[row, column] = (text[0], int(text[1:]))
    return cells, stacks


def name(cell: Coordinate) -> str:
    return f"{'abcdefghijklmnopqrstuvwxyz'[cell[1]]}{cell[0] + 1}"


def reference_edge(cells: set[Coordinate]) -> set[Coordinate]:
    """Flood from far outside, over places that are not cells."""
    low, high = -1, 1 + max(max(cell) for cell in cells)
    outside, frontier = {(low, low)}, [(low, low)]
    while frontier:
        row, column = frontier.pop()
        for step in STEPS:
            place = (row + step[0], column + step[1])
            if low <= min(place) and max(place) <= high and place not in cells and place not in outside:
                outside.add(place)
                frontier.append(place)
    return {cell for cell in cells if any((cell[0] + row, cell[1] + column) in outside for row, column in STEPS)}


def reference_moves(cells: set[Coordinate], stacks: Stacks, letter: str) -> dict[str, Stacks]:
    """Return the stacks after each move except the pass, by text."""
    own = {cell: size for cell, (seat, size) in stacks.items() if seat == letter}
    if not own:
        return {name(cell): stacks | {cell: (letter, 16)} for cell in reference_edge(cells) if cell not in stacks}
    moves = {}
    for origin, size in own.items():
        for row, column in STEPS:
            target = origin
            while (following := (target[0] + row, target[1] + column)) in cells and following not in stacks:
                target = following
            for sheep in range(1, size) if target != origin else ():
                after = stacks | {origin: (letter, size - sheep), target: (letter, sheep)}
                moves[f"{name(origin)}-{name(target)}:{sheep}"] = after
    return moves


def reference_group(own: set[Coordinate]) -> int:
    largest = 0
    while own:
        group, frontier = set[Coordinate](), [next(iter(own))]
        while frontier:
            cell = frontier.pop()
            if cell in own:
                own = own - {cell}
                group.add(cell)
                frontier += [(cell[0] + row, cell[1] + column) for row, column in STEPS]
        largest = max(largest, len(group))
    return largest


def reference_ranks(stacks: Stacks, seats: int) -> tuple[int, ...]:
    scores = []
    for letter in "rbgy"[:seats]:
        own = {cell for cell, (seat, _) in stacks.items() if seat == letter}
        scores.append((len(own), reference_group(own)))
    return tuple(1 + sum(other > score for other in scores) for score in scores)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 9999), st.integers(2, 4), st.randoms(use_true_random=False))
def test_whole_matches_follow_the_rulings(seed: int, seats: int, chance: random.Random) -> None:
    state = State.of(GAME, f"seed={seed} seats={seats}")
    cells, stacks = read(state)
    while True:
        assert read(state) == (cells, stacks)
        expected = reference_moves(cells, stacks, "rbgy"[state.seat])
        if not expected and any(reference_moves(cells, stacks, letter) for letter in "rbgy"[:seats]):
            expected = {"pass": stacks}
        assert texts(state) == set(expected)
        assert len(state.legal_moves) == len(expected)
        if not expected:
            break
        text = chance.choice(sorted(expected))
        state, stacks = state.play_text(text), expected[text]
    assert state.outcome is not None
    assert state.outcome.ranks == reference_ranks(stacks, seats)


def turned(state: State) -> State:
    """Return the same position on the pasture turned by half a turn."""
    fields = state.position_text.split()
    fields[0] = "/".join(",".join(reversed(line.split(","))) for line in reversed(fields[0].split("/")))
    return State.of(GAME, " ".join(fields))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 9999), st.integers(2, 4), st.integers(0, 12), st.randoms(use_true_random=False))
def test_a_rotated_pasture_has_the_same_moves_and_evaluation(
    seed: int, seats: int, plies: int, chance: random.Random
) -> None:
    state = State.of(GAME, f"seed={seed} seats={seats}")
    for _ in range(plies):
        if state.outcome is None:
            state = state.play(chance.choice(state.legal_moves))
    other = turned(state)
    assert perft(other, 2) == perft(state, 2)
    assert bindings_of(GAME).evaluate(other.start.board, other.words) == bindings_of(GAME).evaluate(
        state.start.board, state.words
    )
