"""The move of a level as kernels: `levels.play.search_to_play` in slices, for levels 1 to 7.

A level's move takes one search, or several if it likes captures; in games with a free pass it also decides when to pass
(`levels.passing_out`).
"""

from collections.abc import Callable

import numpy as np

from ..bindings import packing_of, read_move
from ..bits import kernel, to_count
from ..game import NO_MOVE, Game
from ..levels.passing_out import OPPONENT_PASSES
from ..search.deepening_kernel import FOUND_VALUE, LENGTH
from ..transposition_table import PROVEN
from .arrays import (
    BEST_SCORE,
    CANDIDATES,
    CAPTURES,
    CHOICES,
    CHOSEN,
    CHOSEN_VALUE,
    FIRST_SEAT,
    LEVEL_DEPTH,
    LEVEL_NODES,
    MAX_DEPTH_ASKED,
    MAX_NODES_ASKED,
    OVERSIGHTS_ASKED,
    PLY,
    SEATS_PLAYING,
    SEED_ASKED,
    STAGE,
    TRIED,
    Views,
)
from .rules import Functions

FIRST, LAST_STYLED, PASSING = 0, CHOICES, CHOICES + 1
"""The stages of a choice: the search of all moves, those of others for a style, and that of the pass."""

SEED_FACTOR, SEED_MASK = np.uint64(0x9E3779B97F4A7C15), np.uint64((1 << 63) - 1)


def make_choosing(
    game: Game,
    views: Views,
    rules: Functions,
    searching: Functions,
) -> Functions:
    """Return the functions that choose a level's move, built on those for the rules and the search."""
    free_pass, candidates, run, fields = game.rules.free_pass, views.candidates, views.run, views.fields
    is_pass_barred, passes_out = _make_passing(game, views, rules)
    collect, note_result = _make_comparing(game, views, rules["legal_moves"], is_pass_barred)
    begin_search, search = searching["begin_search"], searching["search"]

    @kernel
    def begin_move() -> int:
        """Begin to choose a move: the page has written what the level asks of a search, its depth and nodes, and the
        seed as it is in requests."""
        seed = np.uint64(fields()[SEED_ASKED] + 1) * SEED_FACTOR & SEED_MASK
        fields()[SEED_ASKED] = to_count(seed)
        fields()[STAGE], fields()[TRIED], fields()[CHOSEN] = FIRST, 0, NO_MOVE
        fields()[MAX_DEPTH_ASKED], fields()[MAX_NODES_ASKED] = fields()[LEVEL_DEPTH], fields()[LEVEL_NODES]
        if fields()[LEVEL_NODES] > 0 and passes_out():
            fields()[MAX_NODES_ASKED] = max(1, (9 * fields()[LEVEL_NODES] + 5) // 10)
        fields()[CANDIDATES] = 0
        if is_pass_barred():
            collect(False)
        return begin_search(0)

    @kernel
    def choose(nodes: int) -> int:
        """Search on for so many nodes, and return whether the move is `CHOSEN`."""
        if search(nodes) == 0:
            return 0
        if fields()[STAGE] == PASSING:
            if run().facts[FOUND_VALUE] > fields()[CHOSEN_VALUE]:
                fields()[CHOSEN] = free_pass
            return 1
        note_result()
        is_plain = fields()[CAPTURES] == 0 or fields()[CHOSEN] == NO_MOVE
        is_proven = abs(fields()[CHOSEN_VALUE]) > PROVEN
        if fields()[STAGE] == FIRST and (is_plain or is_proven):
            fields()[STAGE] = LAST_STYLED
        while fields()[STAGE] < LAST_STYLED:
            fields()[STAGE] += 1
            collect(fields()[STAGE] == 1)
            if fields()[CANDIDATES] > 0:
                begin_search(1)
                return 0
        if abs(fields()[CHOSEN_VALUE]) <= PROVEN and passes_out():
            fields()[CHOSEN] = free_pass
            return 1
        if fields()[CHOSEN_VALUE] < -PROVEN and fields()[OVERSIGHTS_ASKED] == 0 and is_pass_barred():
            fields()[STAGE], fields()[CANDIDATES], candidates()[0] = PASSING, 1, free_pass
            fields()[MAX_NODES_ASKED] = fields()[LEVEL_NODES]
            begin_search(1)
            return 0
        return 1

    return {"begin_move": begin_move, "choose": choose}


def _make_passing(game: Game, views: Views, rules: Functions) -> tuple[Callable[[], bool], Callable[[], bool]]:
    """Return whether the pass is barred, and whether to pass, as `levels.passing_out` decides."""
    free_pass, judges = game.rules.free_pass, game.rules.kernels.is_settled
    has_pass = free_pass != NO_MOVE and judges is not None
    is_settled_kernel = judges or kernel(lambda _board, _position: False)
    unpack_row, legal_moves, adjudicate = packing_of(game).unpack_row, rules["legal_moves"], rules["adjudicate"]
    fields, board, line, moves = views.fields, views.board, views.line, views.moves
    ranks, moves_played = views.ranks, views.moves_played

    @kernel
    def can_pass() -> bool:
        if free_pass == NO_MOVE or fields()[SEATS_PLAYING] != 2:
            return False
        found = False
        for index in range(legal_moves()):
            found |= read_move(moves(), index) == free_pass
        return found

    @kernel
    def is_settled() -> bool:
        return is_settled_kernel(board(), unpack_row(line(), fields()[PLY]))

    @kernel
    def is_pass_barred() -> bool:
        return can_pass() and legal_moves() > 1 and not is_settled()

    @kernel
    def passes_out() -> bool:
        if not has_pass or not can_pass() or not is_settled():
            return False
        adjudicate()
        ply = fields()[PLY]
        seat = (fields()[FIRST_SEAT] + ply) % 2
        if ranks()[seat] == 1:
            return True
        for back in range(OPPONENT_PASSES):
            if ply < 2 * back + 1 or moves_played()[ply - 2 * back] != free_pass:
                return False
        return True

    return is_pass_barred, passes_out


def _make_comparing(
    game: Game, views: Views, legal_moves: Callable[[], int], is_pass_barred: Callable[[], bool]
) -> tuple[Callable[[bool], None], Callable[[], None]]:
    """Return how a level finds the moves to search next, and how it compares them."""
    is_noisy, free_pass, unpack_row = game.rules.kernels.is_noisy, game.rules.free_pass, packing_of(game).unpack_row
    fields, board, line, moves = views.fields, views.board, views.line, views.moves
    candidates, tried, run = views.candidates, views.tried, views.run

    @kernel
    def collect(only_noisy: bool) -> None:
        """Write the legal moves that have not been searched to the candidates, without a pass that is barred."""
        is_barred, count = is_pass_barred(), 0
        position = unpack_row(line(), fields()[PLY])
        for index in range(legal_moves()):
            move = read_move(moves(), index)
            is_left = not (is_barred and move == free_pass)
            for known in range(fields()[TRIED]):
                is_left &= tried()[known] != move
            if is_left and (not only_noisy or is_noisy(board(), position, move)):
                candidates()[count] = move
                count += 1
        fields()[CANDIDATES] = count

    @kernel
    def note_result() -> None:
        """Choose the move of the search that has ended, if it is better than those before."""
        move = run().variation[0] if run().facts[LENGTH] > 0 else NO_MOVE
        value = run().facts[FOUND_VALUE]
        score = value
        if move != NO_MOVE and is_noisy(board(), unpack_row(line(), fields()[PLY]), move):
            score += fields()[CAPTURES]
        if fields()[TRIED] == 0 or score > fields()[BEST_SCORE]:
            fields()[CHOSEN], fields()[CHOSEN_VALUE], fields()[BEST_SCORE] = move, value, score
        tried()[fields()[TRIED]] = move
        fields()[TRIED] += 1

    return collect, note_result
