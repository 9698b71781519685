"""The loop over plies itself, built for each game from its kernels and the techniques that are wanted.

What it is made of stands in the modules beside it, what it does as a whole in `engine.search`.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.bits import kernel
from engine.game import NOT_SOLVED, Board, Endings, Game, MoveBuffer, Position, Repetition, SolvedEndings
from engine.rules import packing_of, read_move
from engine.search.lapses import is_overlooked
from engine.search.opposition import changes_side
from engine.search.ordering import (
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
from engine.search.reductions import reduction_of
from engine.search.repetition import count_repeats, slot_of
from engine.search.techniques import ALL_TECHNIQUES, Techniques
from engine.search.tree import (
    ALPHA,
    ANSWERS,
    BEST,
    BEST_MOVE,
    BETA,
    COUNT,
    DEPTH,
    ENTER,
    FLOOR,
    FULL_WINDOW,
    GENERATION,
    LAPSES,
    LEAVE,
    MODE,
    MOVE,
    NEXT,
    NODES,
    NOISE,
    OPPONENTS,
    PAST,
    PLY,
    PROBE,
    PROBE_REDUCED,
    QUIESCENCE,
    QUIET,
    REVERSIBLE,
    ROOT_MOVES,
    SEATS,
    SEED,
    STEP,
    TRIED,
    TURN,
    VALUE,
    Tree,
    extend_variation,
)
from engine.search.values import noise_of, value_of_code, value_of_ranks
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

NONE_SOLVED = SolvedEndings(
    open_tables=lambda _tables: (),
    probe=kernel(lambda _endings, _board, _position: NOT_SOLVED),
    reach=kernel(lambda _endings: -1),
    size=kernel(lambda _position: 0),
)
"""For games of which no ending is solved."""


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
    def overlook_moves(
        board: Board,
        position: Position,
        moves: MoveBuffer,
        count: int,
        key: np.uint64,
        seed: int,
        lapses: int,
        ply: int,
    ) -> int:
        """Take out of `moves` what a weak player overlooks, never the last one, and return how many are left."""
        seen = 0
        for index in range(count):
            move = read_move(moves, index)
            rate = lapses
            if is_noisy(board, position, move):
                rate = lapses // 2 if ply > 0 else 0
            if not is_overlooked(key, move, seed, rate) or (seen == 0 and index == count - 1):
                moves[seen] = move
                seen += 1
        return seen

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
        quiescence, moves, lapses = counters[QUIESCENCE], tree.buffer, counters[LAPSES]
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
                if lapses > 0:
                    count = overlook_moves(board, position, moves, count, key, counters[SEED], lapses, ply)
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
