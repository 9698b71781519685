"""The one alpha-beta search, built for each game by `make_search`, for two to four seats.

Neither iterative deepening nor time is here, nor texts: those are `engine.analysis`, which imports this.

The search is a loop over plies with its frames in arrays, so that it *pauses* when it has used up the nodes that it
was given and *resumes* where it was: whoever keeps time looks at the clock in between, and the nodes searched do not
depend on where the pauses fall. (A loop is also 1.5 to 1.9 times faster here than recursion, and a flag to stop it
would be hoisted out of the compiled loop.)

Parts, each as chessprogramming.org describes it: principal variation search with a triangular table of variations,
transposition table (`engine.table`), move ordering by table, killers and history (`engine.ordering`), late move
reductions, quiescence on noisy moves to a limited depth, mate-distance pruning, draws by repetition and quiet plies,
and what solved endings say of a position (`Game.solved`), where their tables are handed in.

Values are hundredths of a man from the view of the *side* to move at each node: the root's seat on one side, all others
on the other, as if they had agreed to harm it. So a value changes its sign from ply to ply with two seats, and with
more where a ply goes from the root's seat to the others or back. How much the others may do is an `Opposition`.

Repetition in the tree: a position that came up since the root, the root included, is a draw at its second
occurrence, since what repeats once can repeat again; one from before the root only at its third, as the rules say.
Where a game forbids repetition, the move is skipped.
"""

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.bits import kernel, to_count
from engine.game import MOVE_LIMIT, NOT_SOLVED, Board, Endings, Game, MoveBuffer, Position, Repetition, SolvedEndings
from engine.ordering import (
    FIRST_RANK,
    KILLER_RANK,
    MOVE_MASK,
    NOISY_RANK,
    History,
    Killers,
    Ranked,
    note_killer,
    note_refutation,
    take_next,
)
from engine.rules import packing_of, read_move
from engine.table import (
    ABSENT,
    EXACT,
    LOWER_BOUND,
    UPPER_BOUND,
    WIN,
    Entries,
    entry_bound,
    entry_depth,
    entry_move,
    entry_value,
    find_entry,
    make_entry,
    store_entry,
    value_from_position,
    value_from_root,
)
from engine.tablebase.codes import DRAWN, is_won

PLIES = 128
"""Frames of a search; deepest nominal depth and quiescence together stay below."""

DEEPEST = 100
"""No iteration is deeper, in plies."""

SEEN_SLOTS = 4096
"""Size of the filter that tells most positions of a line apart without comparing keys."""

STANDING_WORTH = 100
"""What it is worth to leave one seat more behind than are before, short of winning, in hundredths of a man."""

ENTER, NEXT, LEAVE = 0, 1, 2
"""What the loop does with the node at hand: look at it, try its next move, hand its value to its parent."""

PROBE_REDUCED, PROBE, FULL_WINDOW = 0, 1, 2
"""How the move at hand is being searched: each fails high into the next, the last is believed."""

ALPHA, BETA, FLOOR, DEPTH, BEST, BEST_MOVE, COUNT, TRIED, MOVE, MODE, QUIET, REVERSIBLE, TURN, ANSWERS = range(14)
"""The columns of `Tree.frames`. `FLOOR` is alpha as the node was entered, `QUIET` counts plies since an irreversible
move for the quiet limit, `REVERSIBLE` the positions before this one that could equal it, `TURN` the plies since the
root's seat moved, 0 where it is to move, and `ANSWERS` how many of the seats until it moves again may choose theirs."""

PLY, STEP, VALUE, NODES, PAST, ROOT_MOVES, QUIESCENCE, NOISE, SEED, GENERATION, SEATS, OPPONENTS = range(12)
"""The entries of `Tree.counters`: where the search is, what it has counted, and what it was told at its start.
`OPPONENTS` is what `ANSWERS` begins with each round."""


class Tree(NamedTuple):
    """A search under way; everything that a pause must keep."""

    counters: NDArray[np.int64]
    frames: NDArray[np.int64]
    """One row a ply."""
    words: NDArray[np.uint64]
    """The position at each ply, mover's view: shape `(PLIES, position_words)`."""
    keys: NDArray[np.uint64]
    """By what repetition knows the positions before the root, oldest first, and behind them those of each ply."""
    seen: NDArray[np.int64]
    """How many of `keys` fall into each slot."""
    root_moves: MoveBuffer
    buffer: MoveBuffer
    ranked: Ranked
    killers: Killers
    history: History
    variations: NDArray[np.int64]
    """Row p holds the best moves found from ply p on, from column p up to column `lengths[p]`."""
    lengths: NDArray[np.int64]
    ranks: NDArray[np.int32]
    """Scratch for `Kernels.outcome`."""


class Opposition(StrEnum):
    """What a search of more than two seats takes the others to do between two turns of the root's seat.

    `python -m benchmarks.seats --deals 10` (Battle Sheep, 2,000 nodes a ply; scores from 0, last alone, to 1, first
    alone; the error is that of the difference):

        seats  matches   paranoid  best reply   difference
            3      180      0.429       0.596       -0.167 +-0.043
            4      420      0.476       0.513       -0.037 +-0.021

    So `BEST_REPLY` is the usual one. What it overlooks, two seats that together shut a third in, is rarer than what
    paranoia costs: it takes for lost what nobody would attack, and with as many nodes looks fewer rounds ahead.
    """

    PARANOID = "paranoid"
    """Each plays what is worst for the root's seat (Sturtevant and Korf, 2000)."""
    BEST_REPLY = "best_reply"
    """One of them does; the others play the move that comes first in their ordering, at no cost in depth (Schadd and
    Winands, 2011, where they pass; with moves instead of passes, Esser and others, 2013)."""


class Techniques(NamedTuple):
    """What a search may do without looking at every move to full depth."""

    reduces_late_moves: bool = True
    uses_table: bool = True


ALL_TECHNIQUES = Techniques()


def new_tree(game: Game, past: int) -> Tree:
    """Return the arrays of a search with so many positions before its root."""
    max_moves = game.kernels.max_moves
    return Tree(
        counters=np.zeros(12, dtype=np.int64),
        frames=np.zeros((PLIES, 14), dtype=np.int64),
        words=np.zeros((PLIES, game.position_words), dtype=np.uint64),
        keys=np.zeros(past + PLIES, dtype=np.uint64),
        seen=np.zeros(SEEN_SLOTS, dtype=np.int64),
        root_moves=np.zeros(max_moves, dtype=np.int32),
        buffer=np.zeros(max_moves, dtype=np.int32),
        ranked=np.zeros((PLIES, max_moves), dtype=np.int64),
        killers=np.zeros((PLIES, 2), dtype=np.int64),
        history=np.zeros((max(game.seats), MOVE_LIMIT), dtype=np.int32),
        variations=np.zeros((PLIES, PLIES), dtype=np.int64),
        lengths=np.zeros(PLIES, dtype=np.int64),
        ranks=np.zeros(max(game.seats), dtype=np.int32),
    )


@kernel
def slot_of(key: np.uint64) -> int:
    """Return where `Tree.seen` counts a key."""
    return to_count(key & np.uint64(SEEN_SLOTS - 1))


@kernel
def count_repeats(keys: NDArray[np.uint64], at: int, reversible: int, past: int, seats: int) -> int:
    """Return how often the position `at` came up before with the same seat to move, at least 2 if since the root."""
    repeats = 0
    for earlier in range(at - seats, at - reversible - 1, -seats):
        if keys[earlier] == keys[at]:
            repeats += 2 if earlier >= past else 1
    return repeats


@kernel
def reduction_of(depth: int, tried: int, rank: int) -> int:
    """Return by how many plies a late quiet move is searched less deep (chessprogramming.org/Late_Move_Reductions)."""
    if depth < 3 or tried <= 3 or rank >= KILLER_RANK:
        return 0
    return 1 if tried <= 8 or depth < 5 else 2


@kernel
def noise_of(key: np.uint64, seed: int, amplitude: int) -> int:
    """Return a number within +-amplitude that depends on nothing but position and seed."""
    mixed = (key ^ np.uint64(seed)) * np.uint64(0x9E3779B97F4A7C15)
    return to_count(mixed >> np.uint64(32)) % (2 * amplitude + 1) - amplitude


@kernel
def value_of_ranks(ranks: NDArray[np.int32], seat: int, seats: int, ply: int) -> int:
    """Return the value of an end for a seat, by how many more seats it leaves behind than are before it.

    To be alone first is a win and to be last alone is a loss; with more than two seats, what lies between is small
    against them and around 0, as are positions in which all is open.
    """
    standing = 0
    for other in range(seats):
        standing += int(ranks[other] > ranks[seat]) - int(ranks[other] < ranks[seat])
    if standing == seats - 1:
        return WIN - ply
    return ply - WIN if standing == 1 - seats else standing * STANDING_WORTH


@kernel
def value_of_code(code: int, ply: int) -> int:
    """Return the value of a position that a table of solved endings has, for the side to move."""
    if code == DRAWN:
        return 0
    end = ply + code - 1
    return WIN - end if is_won(code) else end - WIN


@kernel
def changes_side(frames: NDArray[np.int64], ply: int) -> bool:
    """Return whether the seat to move at `ply` and the one that follows it stand on different sides."""
    return frames[ply, TURN] == 0 or frames[ply + 1, TURN] == 0  # type: ignore[no-any-return]


NONE_SOLVED = SolvedEndings(
    open_tables=lambda _tables: (),
    probe=kernel(lambda _endings, _board, _position: NOT_SOLVED),
    reach=kernel(lambda _endings: -1),
    size=kernel(lambda _position: 0),
)
"""For games of which no ending is solved."""


@kernel
def extend_variation(variations: NDArray[np.int64], lengths: NDArray[np.int64], ply: int, move: int) -> None:
    """Make `move` and the variation of the ply below it the variation of `ply`."""
    variations[ply, ply] = move
    for column in range(ply + 1, lengths[ply + 1]):
        variations[ply, column] = variations[ply + 1, column]
    lengths[ply] = max(lengths[ply + 1], ply + 1)


Advance = Callable[[Board, Endings, Tree, Entries, int], bool]
"""`(board, endings, tree, entries, nodes)`: search until done, and return True, or until so many nodes in all have been
searched, and return False."""


@cache
def make_search(game: Game, techniques: Techniques = ALL_TECHNIQUES) -> Advance:  # noqa: PLR0915
    """Return the compiled search of a game."""
    generate_moves, count_moves, make_move, evaluate, outcome, is_noisy, is_irreversible = (
        game.kernels.generate_moves,
        game.kernels.count_moves,
        game.kernels.make_move,
        game.kernels.evaluate,
        game.kernels.outcome,
        game.kernels.is_noisy,
        game.kernels.is_irreversible,
    )
    evaluate_for = game.kernels.evaluate_for
    solved = game.solved or NONE_SOLVED
    probe, reach_of, size_of = solved.probe, solved.reach, solved.size
    most_seats = max(game.seats)
    has_many_seats = most_seats > 2
    packing = packing_of(game)
    unpack_row, pack_row, hash_position = packing.unpack_row, packing.pack_row, packing.hash_position
    width, settled_width = game.position_words, game.position_words - game.transient_words
    forbids_repetition = game.repetition is Repetition.FORBIDDEN
    draws_by_repetition = game.repetition is Repetition.DRAW_THIRD
    quiet_limit = game.quiet_limit or 0
    reduces_late_moves, uses_table = techniques

    @kernel
    def value_of_end(
        board: Board, position: Position, ply: int, turn: int, seats: int, ranks: NDArray[np.int32]
    ) -> int:
        """Return the value of a position where play is over, for the side to move; `ranks` is scratch."""
        outcome(board, position, ranks)
        value = value_of_ranks(ranks, (seats - turn) % seats, seats, ply)
        return value if turn == 0 else -value

    def worth_for_mover(board: Board, position: Position, _turn: int, _seats: int) -> int:
        """Return the worth of a position for the side to move."""
        return evaluate(board, position)

    def worth_for_side(board: Board, position: Position, turn: int, seats: int) -> int:
        """Return the same where the mover may be one of several on its side: what the root's seat has to fear."""
        view = 0 if seats == 2 else (seats - turn) % seats
        worth: int = evaluate_for(board, position, view)  # type: ignore[misc]  # compiled only where there is one
        return worth if view == 0 else -worth

    value_of_leaf = kernel(worth_for_mover if evaluate_for is None else worth_for_side)

    @kernel
    def table_key(key: np.uint64, turn: int, answers: int, seats: int) -> np.uint64:
        """Return by what the table knows a position: with more than two seats its value depends on whose it is."""
        if seats == 2:
            return key
        return key ^ np.uint64(turn * most_seats + answers) * np.uint64(0x9E3779B97F4A7C15)

    @kernel
    def rank_moves(
        board: Board,
        position: Position,
        moves: MoveBuffer,
        count: int,
        first: int,
        is_quiescent: bool,
        killers: Killers,
        history: History,
        ranked: Ranked,
        ply: int,
        turn: int,
    ) -> int:
        """Write the moves worth trying with their ranks, and return their number."""
        kept = 0
        for index in range(count):
            move = read_move(moves, index)
            if is_noisy(board, position, move):
                rank = NOISY_RANK
            elif is_quiescent:
                continue
            elif move == killers[ply, 0] or move == killers[ply, 1]:
                rank = KILLER_RANK
            else:
                rank = history[turn if has_many_seats else ply & 1, move]
            if move == first:
                rank = FIRST_RANK
            ranked[ply, kept] = rank << 16 | move
            kept += 1
        return kept

    @kernel
    def advance(board: Board, endings: Endings, tree: Tree, entries: Entries, node_limit: int) -> bool:  # noqa: PLR0912, PLR0915
        counters, frames, words, keys, seen = tree.counters, tree.frames, tree.words, tree.keys, tree.seen
        ranked, killers, history, lengths = tree.ranked, tree.killers, tree.history, tree.lengths
        ply, step, value, nodes = counters[PLY], counters[STEP], counters[VALUE], counters[NODES]
        past, noise, generation = counters[PAST], counters[NOISE], counters[GENERATION]
        quiescence, moves = counters[QUIESCENCE], tree.buffer
        seats = counters[SEATS]
        reach = reach_of(endings)
        while True:
            if step == ENTER:
                if nodes >= node_limit:
                    counters[PLY], counters[STEP], counters[VALUE], counters[NODES] = ply, step, value, nodes
                    return False
                nodes += 1
                lengths[ply] = ply
                step = LEAVE
                depth = frames[ply, DEPTH]
                alpha = max(frames[ply, ALPHA], ply - WIN)
                beta = min(frames[ply, BETA], WIN - ply - 1)
                if alpha >= beta:
                    value = alpha
                    continue
                turn = frames[ply, TURN] if has_many_seats else ply & 1
                position = unpack_row(words, ply)
                if size_of(position) <= reach and ply > 0:
                    code = probe(endings, board, position)
                    if code != NOT_SOLVED:
                        value = value_of_code(code, ply)
                        continue
                key = keys[past + ply] if settled_width == width else hash_position(position, width)
                if has_many_seats:
                    key = table_key(key, turn, frames[ply, ANSWERS], seats)
                table_move = 0
                is_near_quiet_limit = quiet_limit > 0 and frames[ply, QUIET] + depth >= quiet_limit
                if uses_table and depth > 0 and not is_near_quiet_limit:
                    known = find_entry(entries, key)
                    if known != ABSENT:
                        table_move = entry_move(known)
                        bound, value = entry_bound(known), value_from_root(entry_value(known), ply)
                        if (
                            entry_depth(known) >= depth
                            and beta - alpha == 1
                            and bound & (LOWER_BOUND if value >= beta else UPPER_BOUND)
                        ):
                            continue
                is_past_quiet_limit = quiet_limit > 0 and ply > 0 and frames[ply, QUIET] >= quiet_limit
                best = -WIN
                if depth <= 0 and not is_past_quiet_limit and count_moves(board, position) > 0:
                    best = value_of_leaf(board, position, turn, seats) if has_many_seats else evaluate(board, position)
                    if noise > 0:
                        best += noise_of(key, counters[SEED], noise)
                    if best >= beta or depth <= -quiescence:
                        value = best
                        continue
                    alpha = max(alpha, best)
                if ply > 0:
                    count = generate_moves(board, position, moves)
                else:
                    count = counters[ROOT_MOVES]
                    for index in range(count):
                        moves[index] = tree.root_moves[index]
                if count == 0 or is_past_quiet_limit:
                    value = value_of_end(board, position, ply, turn, seats, tree.ranks) if count == 0 else 0
                    continue
                count = rank_moves(
                    board, position, moves, count, table_move, depth <= 0, killers, history, ranked, ply, turn
                )
                frames[ply, ALPHA], frames[ply, BETA], frames[ply, FLOOR] = alpha, beta, alpha
                frames[ply, BEST], frames[ply, BEST_MOVE], frames[ply, TRIED] = best, 0, 0
                if has_many_seats and turn > 0 and frames[ply, ANSWERS] == 0:
                    # This seat's ply is not chosen: it makes the move that comes first.
                    take_next(ranked, ply, frames[ply, TRIED], count)
                    count = min(count, 1)
                frames[ply, COUNT] = count
                step = NEXT
            elif step == NEXT:
                tried, count, depth = frames[ply, TRIED], frames[ply, COUNT], frames[ply, DEPTH]
                alpha = frames[ply, ALPHA]
                if tried == count or alpha >= frames[ply, BETA]:
                    value = frames[ply, BEST]
                    step = LEAVE
                    is_near_quiet_limit = quiet_limit > 0 and frames[ply, QUIET] + depth >= quiet_limit
                    if uses_table and depth > 0 and not is_near_quiet_limit:
                        bound = UPPER_BOUND if value <= frames[ply, FLOOR] else EXACT
                        if value >= frames[ply, BETA]:
                            bound = LOWER_BOUND
                        known = make_entry(
                            frames[ply, BEST_MOVE], value_from_position(value, ply), depth, bound, generation
                        )
                        key = keys[past + ply]
                        if settled_width < width:
                            key = hash_position(unpack_row(words, ply), width)
                        if has_many_seats:
                            key = table_key(key, frames[ply, TURN], frames[ply, ANSWERS], seats)
                        store_entry(entries, key, known)
                    continue
                chosen = take_next(ranked, ply, tried, count)
                move, rank = chosen & MOVE_MASK, chosen >> 16
                tried += 1
                frames[ply, TRIED], frames[ply, MOVE] = tried, move
                position = unpack_row(words, ply)
                after = make_move(board, position, move)
                pack_row(after, words, ply + 1)
                quiet, reversible = 0, 0
                if not is_irreversible(board, position, move):
                    quiet, reversible = frames[ply, QUIET] + 1, frames[ply, REVERSIBLE] + 1
                frames[ply + 1, QUIET], frames[ply + 1, REVERSIBLE] = quiet, reversible
                key = hash_position(after, settled_width)
                keys[past + ply + 1] = key
                slot = slot_of(key)
                repeats = 0
                if reversible > 1 and seen[slot] > 0 and (settled_width == width or key == hash_position(after, width)):
                    repeats = count_repeats(keys, past + ply + 1, reversible, past, seats)
                if forbids_repetition and repeats > 0:
                    continue
                seen[slot] += 1
                mode = FULL_WINDOW if tried == 1 or depth <= 0 else PROBE
                reduction = 0
                if reduces_late_moves and mode == PROBE:
                    reduction = reduction_of(depth, tried, rank)
                    mode = PROBE_REDUCED if reduction > 0 else PROBE
                frames[ply, MODE] = mode
                cost = 1
                if has_many_seats:
                    turn, answers = frames[ply, TURN], counters[OPPONENTS]
                    if turn > 0:
                        answers = frames[ply, ANSWERS]
                        if answers < seats - turn:
                            # Not every seat until the root's may choose; to play the first move is not to choose.
                            cost = 0 if tried == 1 else 1
                            answers -= cost
                    frames[ply + 1, TURN] = turn + 1 if turn + 1 < seats else 0
                    frames[ply + 1, ANSWERS] = answers
                high = frames[ply, BETA] if mode == FULL_WINDOW else alpha + 1
                is_negated = not has_many_seats or changes_side(frames, ply)
                frames[ply + 1, ALPHA] = -high if is_negated else alpha
                frames[ply + 1, BETA] = -alpha if is_negated else high
                frames[ply + 1, DEPTH] = depth - cost - reduction
                ply += 1
                step = ENTER
                if draws_by_repetition and repeats >= 2:
                    value = 0
                    lengths[ply] = ply
                    frames[ply - 1, MODE] = FULL_WINDOW
                    step = LEAVE
            else:
                if ply == 0:
                    counters[PLY], counters[STEP], counters[VALUE], counters[NODES] = ply, step, value, nodes
                    return True
                ply -= 1
                if not has_many_seats or changes_side(frames, ply):
                    value = -value
                alpha, beta, depth = frames[ply, ALPHA], frames[ply, BETA], frames[ply, DEPTH]
                mode = frames[ply, MODE]
                if value > alpha and (mode == PROBE_REDUCED or (mode == PROBE and value < beta)):
                    # Reduced moves are believed to be bad, not to be good: look again, deeper or wider.
                    mode = PROBE if mode == PROBE_REDUCED else FULL_WINDOW
                    frames[ply, MODE] = mode
                    high = beta if mode == FULL_WINDOW else alpha + 1
                    is_negated = not has_many_seats or changes_side(frames, ply)
                    frames[ply + 1, ALPHA] = -high if is_negated else alpha
                    frames[ply + 1, BETA] = -alpha if is_negated else high
                    frames[ply + 1, DEPTH] = depth - 1
                    ply += 1
                    step = ENTER
                    continue
                step = NEXT
                seen[slot_of(keys[past + ply + 1])] -= 1
                if value > frames[ply, BEST]:
                    frames[ply, BEST] = value
                    if value > alpha:
                        move = frames[ply, MOVE]
                        frames[ply, ALPHA], frames[ply, BEST_MOVE] = value, move
                        extend_variation(tree.variations, lengths, ply, move)
                        if value >= beta and depth > 0 and not is_noisy(board, unpack_row(words, ply), move):
                            note_killer(killers, ply, move)
                            turn = frames[ply, TURN] if has_many_seats else ply & 1
                            note_refutation(history, turn, ranked, ply, frames[ply, TRIED], depth * depth)

    return advance
