"""The alpha-beta search as a loop over plies, built for each game from its kernels and techniques.

The package describes the search as a whole; its parts are in the modules beside this one. The loop is one long kernel,
since passing its state between functions would cost a large part of its speed.
"""

from collections.abc import Callable
from functools import cache

from ..bindings import compiled_for, packing_of
from ..bits import kernel
from ..game import NO_MOVE, NOT_IN_TABLEBASE, Board, Game, Repetition, TablebaseIndex, TablebaseKernels
from ..game.techniques import Techniques
from ..tablebase.codes import code_in_time
from ..transposition_table import (
    ABSENT,
    EXACT,
    LOWER_BOUND,
    MAX_SUBTREE_NODES,
    MAX_WIN_PLIES,
    PROVEN,
    UPPER_BOUND,
    WIN,
    Entries,
    entry_bound,
    entry_move,
    entry_value,
    find_entry,
    find_in_two_levels,
    make_entry,
    prefetch_entry,
    settles,
    store_entry,
    store_in_two_levels,
    value_from_position,
    value_from_root,
)
from .abdada import PLACE_SHIFT, SHARED_DEPTH, defer_move, end_busy, is_busy, mark_busy, place_of
from .correction_history import correction_of, update_correction
from .leaf_values import make_leaf_values, noise_of, value_of_code
from .move_ordering import KILLER_RANK, MOVE_MASK, make_move_ordering, select_next
from .opponent_model import changes_side
from .oversights import make_oversights
from .pruning import (
    CUT_MOVES,
    CUT_REDUCTION,
    CUTS_NEEDED,
    DECIDING_LEAD,
    FUTILITY_MARGIN,
    MAX_STATIC_DEPTH,
    MIN_IIR_DEPTH,
    MIN_MULTI_CUT_DEPTH,
    MIN_NULL_MOVE_DEPTH,
    MIN_VERIFICATION_DEPTH,
    REVERSE_FUTILITY_MARGIN,
    make_late_move_reduction,
    null_move_reduction,
    quiet_moves_tried,
)
from .tree import (
    ALPHA,
    ANSWERS,
    BEST,
    BEST_MOVE,
    BETA,
    BUSY,
    COUNT,
    CUTS,
    CUTTING,
    DEFERRALS,
    DEPTH,
    DRAW_AT,
    DRAW_PENALTY,
    ENTER,
    ENTERED,
    EXPAND,
    FLOOR,
    FULL_WINDOW,
    GENERATION,
    LEAVE,
    MODE,
    MOVE,
    NEXT,
    NODES,
    NOISE,
    NULL_MOVE,
    OPPONENTS,
    OVERSIGHTS,
    PAST,
    PLIES,
    PLY,
    PROBE,
    PROBE_REDUCED,
    QUIESCENCE,
    QUIET,
    REVERSIBLE,
    ROOT_MOVES,
    SEATS,
    SEED,
    STATIC,
    STEP,
    TABLE_MOVE,
    TRIED,
    TURN,
    UNCORRECTED,
    UNKNOWN,
    VALUE,
    Tree,
    extend_variation,
)
from .tree_repetition import count_repeats, slot_of

NO_TABLEBASE = TablebaseKernels(
    open_tables=lambda _tables: (),
    probe=kernel(lambda _endings, _board, _position: NOT_IN_TABLEBASE),
    reach=kernel(lambda _endings: -1),
    size=kernel(lambda _position: 0),
    ends_unless_quiet=kernel(lambda _position: False),
)
"""For games without a tablebase."""


KEEP_TURN = kernel(lambda _board, position: position)
"""For games without a null move."""

Advance = Callable[[Board, TablebaseIndex, Tree, Entries, int], bool]
"""`(board, tablebase_index, tree, entries, node_limit)`: search until done, and return True, or until this many nodes
have been searched in all, and return False."""


@cache
def make_search(game: Game, techniques: Techniques | None = None) -> Advance:  # noqa: PLR0915
    """Return the compiled search of a game, with its own techniques by default."""
    techniques = techniques or game.strength.techniques
    generate_moves, make_move, is_noisy, is_irreversible = (
        game.rules.kernels.generate_moves,
        game.rules.kernels.make_move,
        game.rules.kernels.is_noisy,
        game.rules.kernels.is_irreversible,
    )
    solved = game.strength.tablebase or NO_TABLEBASE
    probe, reach_of, size_of, ends_unless_quiet = solved.probe, solved.reach, solved.size, solved.ends_unless_quiet
    has_many_seats = max(game.seats) > 2
    packing = packing_of(game)
    unpack_row, pack_row, hash_position = packing.unpack_row, packing.pack_row, packing.hash_position
    width, settled_width = game.rules.position_words, game.rules.position_words - game.rules.transient_words
    forbids_repetition = game.rules.repetition is Repetition.FORBIDDEN
    draws_by_repetition = game.rules.repetition is Repetition.DRAW_THIRD
    quiet_limit, has_quiet_limit = game.rules.quiet_limit or 0, game.rules.quiet_limit is not None
    table_key, value_of_end, static_evaluation = make_leaf_values(game)
    rank_moves, learn = make_move_ordering(game, techniques)
    overlook_moves = make_oversights(game)
    late_move_reduction = make_late_move_reduction(game.strength.reduction_divisor)
    uses_table, uses_table_move, probes_first, follows_noise = (
        techniques.table,
        techniques.table_move,
        techniques.principal_variation,
        techniques.quiescence,
    )
    reduces_unknown, reduces_late, prunes_late, prunes_futile = (
        techniques.internal_iterative_reductions,
        techniques.late_move_reductions,
        techniques.late_move_pruning,
        techniques.futility,
    )
    sharpens, trusts_static, corrects = (
        techniques.table_evaluation,
        techniques.reverse_futility,
        techniques.correction_history,
    )
    has_two_levels = techniques.two_level_table
    find, store = (find_in_two_levels, store_in_two_levels) if has_two_levels else (find_entry, store_entry)
    cuts, passes = techniques.multi_cut, techniques.null_move and game.rules.kernels.pass_turn is not None
    generate_noisy = game.rules.kernels.generate_noisy or generate_moves
    count_moves = game.rules.kernels.count_moves
    is_over = game.rules.kernels.is_over or kernel(lambda board, position: count_moves(board, position) == 0)
    pass_turn, may_pass = game.rules.kernels.pass_turn or KEEP_TURN, game.rules.kernels.may_pass
    may_prune = game.rules.kernels.may_prune
    needs_static = trusts_static or prunes_futile or prunes_late or reduces_late or passes

    @kernel
    def advance(board: Board, tablebase_index: TablebaseIndex, tree: Tree, entries: Entries, node_limit: int) -> bool:  # noqa: PLR0912, PLR0915
        counters, frames, words, keys, seen = tree.counters, tree.frames, tree.words, tree.keys, tree.seen
        ranked, killers, history, lengths = tree.ranked, tree.killers, tree.history, tree.lengths
        ply, step, value, nodes = counters[PLY], counters[STEP], counters[VALUE], counters[NODES]
        past, noise, generation = counters[PAST], counters[NOISE], counters[GENERATION]
        moves, seats, oversights, drawn_at = tree.buffer, counters[SEATS], counters[OVERSIGHTS], counters[DRAW_AT]
        draw_penalty = counters[DRAW_PENALTY]
        quiescence = counters[QUIESCENCE] if follows_noise else 0
        is_duel = not has_many_seats or seats == 2
        busy, shares = tree.busy, tree.busy.shape[0] > 0
        corrections, entry_keys = tree.corrections, tree.entry_keys
        reach = reach_of(tablebase_index)
        while True:
            if step == ENTER:
                if nodes >= node_limit:
                    counters[PLY], counters[STEP], counters[VALUE], counters[NODES] = ply, step, value, nodes
                    return False
                if has_two_levels:
                    frames[ply, ENTERED] = nodes
                nodes += 1
                lengths[ply] = ply
                step = LEAVE
                depth = frames[ply, DEPTH]
                alpha = max(frames[ply, ALPHA], ply - WIN)
                beta = min(frames[ply, BETA], WIN - ply)  # not one less: the mover may have won already
                if alpha >= beta:
                    value = alpha
                    continue
                turn = frames[ply, TURN] if has_many_seats else ply & 1
                position = unpack_row(words, ply)
                plies_left = quiet_limit - frames[ply, QUIET] if has_quiet_limit else MAX_WIN_PLIES
                if size_of(position) <= reach and ply > 0:
                    code = code_in_time(
                        probe(tablebase_index, board, position), plies_left, ends_unless_quiet(position)
                    )
                    if code != NOT_IN_TABLEBASE:
                        value = value_of_code(code, ply)
                        continue
                key = keys[past + ply] if settled_width == width else hash_position(position, width)
                if has_many_seats:
                    key = table_key(key, turn, frames[ply, ANSWERS], seats)
                entry_keys[ply] = key
                is_past_quiet_limit = plies_left <= 0 and ply > 0
                best, static, correction = ply - WIN, UNKNOWN, 0
                # Before the table lookup: its bucket was prefetched when the move was made, and arrives meanwhile.
                if (needs_static or depth <= 0) and not is_past_quiet_limit and not is_over(board, position):
                    correction = correction_of(corrections, words, ply) if corrects and is_duel else 0
                    static = static_evaluation(board, position, turn, seats)
                    if noise > 0:
                        static += noise_of(key, counters[SEED], noise)
                table_move = frames[0, TABLE_MOVE] if ply == 0 and uses_table_move else NO_MOVE
                is_closed = beta - alpha == 1
                is_near_quiet_limit = depth >= plies_left
                known, bound = ABSENT, 0
                if uses_table and depth > 0 and not is_near_quiet_limit:
                    known = find(entries, key)
                    if known != ABSENT:
                        if uses_table_move:
                            table_move = entry_move(known)
                        bound, value = entry_bound(known), value_from_root(entry_value(known), ply)
                        if is_closed and settles(known, depth, beta, ply, plies_left):
                            continue
                frames[ply, UNCORRECTED] = static
                static += correction
                frames[ply, STATIC] = static
                if sharpens and known != ABSENT and static != UNKNOWN and abs(value) < PROVEN:
                    static = value if bound & (LOWER_BOUND if value > static else UPPER_BOUND) else static
                is_prunable = is_closed and is_duel and ply > 0 and static != UNKNOWN and abs(beta) < PROVEN
                if depth <= 0 and static != UNKNOWN:
                    best = static
                    if best >= beta or depth <= -quiescence:
                        value = best
                        continue
                    alpha = max(alpha, best)
                elif (
                    trusts_static
                    and is_prunable
                    and depth <= MAX_STATIC_DEPTH
                    and (abs(beta) < DECIDING_LEAD or may_prune(board, position))
                    and static - REVERSE_FUTILITY_MARGIN * depth >= beta
                ):
                    value = static
                    continue
                if ply == PLIES - 1:
                    value = 0 if static == UNKNOWN else static
                    continue
                frames[ply, ALPHA], frames[ply, BETA], frames[ply, FLOOR] = alpha, beta, alpha
                frames[ply, BEST], frames[ply, BEST_MOVE], frames[ply, TABLE_MOVE] = best, NO_MOVE, table_move
                step = EXPAND
                if (
                    passes
                    and is_prunable
                    and depth >= MIN_NULL_MOVE_DEPTH
                    and static >= beta
                    and frames[ply - 1, MODE] != NULL_MOVE
                    and may_pass(board, position)
                ):
                    after = pass_turn(board, position)
                    pack_row(after, words, ply + 1)
                    keys[past + ply + 1] = hash_position(after, settled_width)
                    frames[ply, MODE], frames[ply, MOVE] = NULL_MOVE, NO_MOVE
                    frames[ply + 1, QUIET], frames[ply + 1, REVERSIBLE] = frames[ply, QUIET] + 1, 0
                    frames[ply + 1, ALPHA], frames[ply + 1, BETA] = -beta, 1 - beta
                    frames[ply + 1, DEPTH] = depth - 1 - null_move_reduction(depth)
                    seen[slot_of(keys[past + ply + 1])] += 1
                    ply += 1
                    step = ENTER
            elif step == EXPAND:
                position, depth = unpack_row(words, ply), frames[ply, DEPTH]
                turn = frames[ply, TURN] if has_many_seats else ply & 1
                is_past_quiet_limit = has_quiet_limit and ply > 0 and frames[ply, QUIET] >= quiet_limit
                is_quiescent = depth <= 0 and frames[ply, STATIC] != UNKNOWN
                if is_quiescent:
                    count = generate_noisy(board, position, moves)
                elif ply > 0:
                    count = generate_moves(board, position, moves)
                else:
                    count = counters[ROOT_MOVES]
                    for index in range(count):
                        moves[index] = tree.root_moves[index]
                if is_past_quiet_limit or (count == 0 and not is_quiescent):
                    value = draw_penalty if ply & 1 else -draw_penalty
                    if count == 0:
                        value = value_of_end(board, position, ply, turn, seats, tree.ranks)
                    step = LEAVE
                    continue
                if oversights > 0:
                    count = overlook_moves(
                        board, position, moves, count, entry_keys[ply], counters[SEED], oversights, ply
                    )
                table_move = frames[ply, TABLE_MOVE]
                count = rank_moves(
                    board, position, moves, count, depth <= 0, table_move, ply, turn, ranked, killers, history
                )
                frames[ply, TRIED], frames[ply, DEFERRALS] = 0, 0
                if has_many_seats and turn > 0 and frames[ply, ANSWERS] == 0:
                    # This seat does not choose: it makes the first move of the ordering.
                    select_next(ranked, ply, 0, count)
                    count = min(count, 1)
                elif reduces_unknown and depth >= MIN_IIR_DEPTH and table_move == NO_MOVE and ply > 0:
                    frames[ply, DEPTH] = depth - 1
                frames[ply, COUNT] = count
                if cuts:
                    beta = frames[ply, BETA]
                    is_closed = beta - frames[ply, ALPHA] == 1 and abs(beta) < PROVEN
                    is_cuttable = is_duel and ply > 0 and is_closed and frames[ply - 1, MODE] != CUTTING
                    is_cuttable &= depth >= MIN_MULTI_CUT_DEPTH and count > CUTS_NEEDED
                    frames[ply, CUTS] = 0 if is_cuttable else -1
                step = NEXT
            elif step == NEXT:
                tried, count, depth = frames[ply, TRIED], frames[ply, COUNT], frames[ply, DEPTH]
                alpha, beta = frames[ply, ALPHA], frames[ply, BETA]
                if cuts and frames[ply, CUTS] >= 0 and tried == min(count, CUT_MOVES):
                    # Too few cutoffs: all moves are searched as usual.
                    tried, frames[ply, CUTS] = 0, -1
                chosen, may_defer = 0, shares and depth >= SHARED_DEPTH
                plies_left = quiet_limit - frames[ply, QUIET] if has_quiet_limit else MAX_WIN_PLIES
                is_near_quiet_limit = depth >= plies_left
                if may_defer and tried > 0 and alpha + 1 == beta and ply > 0 and not is_near_quiet_limit:
                    # Another thread may have finished this node meanwhile.
                    known = find(entries, entry_keys[ply])
                    if settles(known, depth, beta, ply, plies_left):
                        value, step = value_from_root(entry_value(known), ply), LEAVE
                        continue
                if tried < count and alpha < beta:
                    chosen = select_next(ranked, ply, tried, count)
                    place = place_of(chosen)
                    if place > 0:
                        chosen += place << PLACE_SHIFT
                        may_defer = False
                    else:
                        place = 1 + tried + frames[ply, DEFERRALS]
                    rank = chosen >> 16
                    if (prunes_late or prunes_futile) and is_duel and tried > 0 and depth > 0 and rank < KILLER_RANK:
                        # Later moves are ordered behind, so that all of them may be skipped, but never all that could
                        # avert a proven loss.
                        static = frames[ply, STATIC]
                        if beta - alpha == 1 and frames[ply, BEST] > -PROVEN and depth <= MAX_STATIC_DEPTH and ply > 0:
                            is_improving = ply < 2 or static > frames[ply - 2, STATIC]
                            is_pruned = prunes_late and place > quiet_moves_tried(depth, is_improving)
                            is_pruned |= (
                                prunes_futile
                                and static + FUTILITY_MARGIN * depth <= alpha
                                and (abs(alpha) < DECIDING_LEAD or may_prune(board, unpack_row(words, ply)))
                            )
                            if is_pruned and frames[ply, DEFERRALS] > 0:
                                # Deferred moves come later although they are not worse.
                                frames[ply, TRIED] = tried + 1
                                continue
                            if is_pruned:
                                chosen = 0
                if chosen == 0:
                    value = frames[ply, BEST]
                    step = LEAVE
                    bound = UPPER_BOUND if value <= frames[ply, FLOOR] else EXACT
                    if value >= beta:
                        bound = LOWER_BOUND
                    error = value - frames[ply, UNCORRECTED]
                    if (
                        corrects
                        and is_duel
                        and depth > 0
                        and frames[ply, UNCORRECTED] != UNKNOWN
                        and abs(value) < PROVEN
                        and not is_near_quiet_limit
                        and bound & (LOWER_BOUND if error > 0 else UPPER_BOUND)
                    ):
                        move = frames[ply, BEST_MOVE]
                        if move == NO_MOVE or not is_noisy(board, unpack_row(words, ply), move):
                            update_correction(corrections, words, ply, error, depth)
                    if uses_table and depth > 0 and not is_near_quiet_limit:
                        mark = min(nodes - frames[ply, ENTERED], MAX_SUBTREE_NODES) if has_two_levels else generation
                        known = make_entry(frames[ply, BEST_MOVE], value_from_position(value, ply), depth, bound, mark)
                        store(entries, entry_keys[ply], known)
                    continue
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
                frames[ply, BUSY] = 0
                if shares and depth >= SHARED_DEPTH:
                    if may_defer and tried > 1 and tried < count and is_busy(busy, key):
                        ranked[ply, tried - 1] = defer_move(chosen, place)
                        frames[ply, TRIED] = tried - 1
                        frames[ply, DEFERRALS] += 1
                        continue
                    if not is_busy(busy, key):
                        mark_busy(busy, key)
                        frames[ply, BUSY] = 1
                seen[slot] += 1
                mode = FULL_WINDOW if not probes_first or tried == 1 or depth <= 0 else PROBE
                cost = 1
                if reduces_late and mode == PROBE and rank < KILLER_RANK:
                    is_improving = ply < 2 or frames[ply, STATIC] > frames[ply - 2, STATIC]
                    reduction = late_move_reduction(depth, place, rank, beta - alpha > 1, is_improving)
                    if reduction > 0:
                        mode = PROBE_REDUCED
                        cost += reduction
                if cuts and frames[ply, CUTS] >= 0:
                    mode, cost = CUTTING, 1 + CUT_REDUCTION
                frames[ply, MODE] = mode
                if has_many_seats:
                    turn, answers = frames[ply, TURN], counters[OPPONENTS]
                    if turn > 0:
                        answers = frames[ply, ANSWERS]
                        if answers < seats - turn:
                            # Only some of the seats before the root's next turn choose; the first move is no choice.
                            if tried == 1:
                                cost = 0
                            answers -= int(tried > 1)
                    frames[ply + 1, TURN] = turn + 1 if turn + 1 < seats else 0
                    frames[ply + 1, ANSWERS] = answers
                if uses_table and depth > 1:
                    if has_many_seats:
                        key = table_key(key, frames[ply + 1, TURN], frames[ply + 1, ANSWERS], seats)
                    prefetch_entry(entries, key)
                high = beta if mode == FULL_WINDOW else alpha + 1
                is_negated = not has_many_seats or changes_side(frames, ply)
                frames[ply + 1, ALPHA] = -high if is_negated else alpha
                frames[ply + 1, BETA] = -alpha if is_negated else high
                frames[ply + 1, DEPTH] = depth - cost
                ply += 1
                step = ENTER
                if draws_by_repetition and repeats >= drawn_at:
                    value = draw_penalty if ply & 1 else -draw_penalty
                    lengths[ply] = ply
                    if not cuts or mode != CUTTING:
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
                    # A reduced or null-window search that fails high is repeated, deeper or wider.
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
                seen[slot_of(keys[past + ply + 1])] -= 1
                if shares and frames[ply, BUSY] == 1:
                    end_busy(busy, keys[past + ply + 1])
                    frames[ply, BUSY] = 0
                if passes and mode == NULL_MOVE:
                    step = EXPAND
                    if value >= beta:
                        if depth < MIN_VERIFICATION_DEPTH:
                            value, step = beta, LEAVE
                        else:
                            # Possible zugzwang: verify with a reduced search of the moves.
                            frames[ply, DEPTH] = depth - null_move_reduction(depth)
                    continue
                step = NEXT
                if cuts and mode == CUTTING:
                    if value >= beta:
                        frames[ply, CUTS] += 1
                        if frames[ply, CUTS] == CUTS_NEEDED:
                            value, step = beta, LEAVE
                    continue
                if value > frames[ply, BEST]:
                    frames[ply, BEST] = value
                    if value > alpha:
                        move = frames[ply, MOVE]
                        frames[ply, ALPHA], frames[ply, BEST_MOVE] = value, move
                        extend_variation(tree.variations, lengths, ply, move)
                        if value >= beta and depth > 0:
                            turn = frames[ply, TURN] if has_many_seats else ply & 1
                            is_quiet = not is_noisy(board, unpack_row(words, ply), move)
                            learn(ranked, killers, history, ply, turn, frames[ply, TRIED], depth, is_quiet)

    return compiled_for(game, advance)
