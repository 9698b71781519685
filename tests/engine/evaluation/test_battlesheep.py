"""The evaluation of Battle Sheep, compared with counting cell by cell."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.games import find_game
from millrace.engine.games.battlesheep.evaluation import EVALUATION, WORST
from millrace.engine.games.battlesheep.pasture import Coordinate, touching
from millrace.engine.state import State
from millrace.engine.tuning.self_play import begin_match
from tests.engine.evaluation.counting import all_counted, table_of_ones

GAME = find_game("battlesheep")
SIDES = ("one_side", "two_sides", "three_sides", "four_sides", "five_sides", "six_sides")

Stacks = dict[Coordinate, int]
"""Sizes less one by cell: the sheep that may leave."""


def read(state: State) -> tuple[set[Coordinate], list[Stacks]]:
    """Return the empty cells and the stacks of each seat, the mover's first."""
    rows, letter, seats = state.position_text.split()
    turn = "rbgy".index(letter)
    empties, stacks = set(), [Stacks() for _ in range(int(seats))]
    for row, line in enumerate(rows.split("/")):
        for column, text in enumerate(line.split(",")):
            if text == "0":
                empties.add((row, column))
            elif text != ".":
                stacks[("rbgy".index(text[0]) - turn) % int(seats)][row, column] = int(text[1:]) - 1
    return empties, stacks


def beside(cells: set[Coordinate]) -> set[Coordinate]:
    return {near for cell in cells for near in touching(cell)}


def regions_of(cells: set[Coordinate]) -> list[set[Coordinate]]:
    regions, rest = [], set(cells)
    while rest:
        region = {rest.pop()}
        while grown := beside(region) & rest:
            region |= grown
            rest -= grown
        regions.append(region)
    return regions


def claims_of(own: set[Coordinate], others: set[Coordinate], cells: set[Coordinate]) -> set[Coordinate]:
    """Return the cells that `own` reaches first, growing step by step beside `others`."""
    claims, rest = set(), set(cells)
    while rest and (own or others):
        own, others = beside(own) & rest, beside(others) & rest
        rest -= own | others
        own, others = own - others, others - own
        claims |= own
    return claims


def seat_counts(stacks: Stacks, rivals: Stacks, empties: set[Coordinate]) -> dict[str, int]:
    """Return a seat's count for each of its terms."""
    if not stacks:
        return {"unplaced": 1}
    sides = {cell: len(beside({cell}) & empties) for cell in stacks}
    agile = {cell for cell, sheep in stacks.items() if sheep and sides[cell]}
    threats = {cell for cell, sheep in rivals.items() if sheep}
    exits = beside(agile) & empties
    free = sum(stacks[cell] for cell in agile)
    counts = {"sure_room": 0, "contested_room": 0, "claims": 0}
    cells = 0
    for region in regions_of(empties):
        sheep = sum(stacks[cell] for cell in agile & beside(region))
        if not sheep:
            continue
        cells += len(region)
        is_contested = bool(threats & beside(region))
        counts["contested_room" if is_contested else "sure_room"] += min(sheep, len(region))
        claimed = claims_of(agile, threats, region) if is_contested else region
        counts["claims"] += len(claimed)
    return counts | {
        "unplaced": 0,
        "cells": len(stacks),
        **{side: sum(stacks[cell] for cell in agile if sides[cell] == n) for n, side in enumerate(SIDES, start=1)},
        "spread": max(stacks.values()) - min(stacks.values()),
        "agile": len(agile),
        "exits": len(exits),
        "room": min(free, cells),
        "claimed_room": min(free, counts["claims"]),
        "group": max(map(len, regions_of(set(stacks)))),
    }


def random_state(seats: int, seed: int, plies: int, chance: random.Random) -> State:
    state = State.of(GAME, f"seed={seed} seats={seats}")
    for _ in range(plies):
        if state.outcome is None:
            state = state.play(chance.choice(state.legal_moves))
    return state


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 999), st.integers(0, 30), st.randoms(use_true_random=False))
def test_every_term_agrees_with_counting_cell_by_cell(seed: int, plies: int, chance: random.Random) -> None:
    state = random_state(2, seed, plies, chance)
    empties, (mover, other) = read(state)
    own, others = seat_counts(mover, other, empties), seat_counts(other, mover, empties)
    expected = {term: own.get(term, 0) - others.get(term, 0) for term in EVALUATION.terms}
    tempo = own.get("contested_room", 0) + others.get("contested_room", 0)
    assert all_counted(GAME, state) == expected | {"move": 1, "tempo": tempo}


@pytest.mark.parametrize("seats", [3, 4])
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 999), st.integers(6, 40), st.randoms(use_true_random=False))
def test_with_more_seats_each_is_compared_with_the_best_other(
    seats: int, seed: int, plies: int, chance: random.Random
) -> None:
    state = random_state(seats, seed, plies, chance)
    empties, stacks = read(state)
    position = GAME.rules.position_type(*state.words)
    for term in ("cells", "room", "sure_room", "claims", "exits"):
        counts = []
        for turn, own in enumerate(stacks):
            rivals = {cell: sheep for other in stacks[:turn] + stacks[turn + 1 :] for cell, sheep in other.items()}
            counts.append(seat_counts(own, rivals, empties).get(term, 0))
        for turn, count in enumerate(counts):
            evaluation = EVALUATION.weigh(state.start.board, position, turn, table_of_ones(GAME, term))
            assert evaluation == count - max(counts[:turn] + counts[turn + 1 :], default=-WORST)


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_matches_to_learn_from_begin_on_pastures_of_two_seats(chance: random.Random) -> None:
    state = begin_match(GAME, 4, chance.randrange)
    assert state.start.seats == 2
    assert 2 <= state.ply <= 4
