"""Solves the placing phase by a search whose leaves are solved endings, like Gasser (1996).

Placing always makes progress, so no position repeats, and the phase has as many plies as men in hand. A search decides
whether the side to move reaches at least a draw, or at least a win; these two answers give the value of a position.
Like the tables, it ignores the limit of quiet plies and repetition.

Positions are searched in canonical form: the smallest image under the 16 symmetries. Proved values are kept in a table
without locks; each question has its own table, in which a position needs no bound, since its men in hand determine
whose turn it is.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bindings import read_move
from ..bits import Bitboard, count_cells, kernel, to_count
from ..game import MoveBuffer, Words
from ..games.morris.evaluation import EVALUATION
from ..games.morris.kernels import MAX_MOVES, generate_moves, make_move
from ..games.morris.position import HAND_BITS, HAND_MASK, MEN, MorrisBoard, MorrisPosition
from ..games.morris.symmetries import SYMMETRIES, image_of
from ..games.morris.tablebase_index import LEAST_MEN, table_name
from ..weights import evaluate_by, shipped_weights
from .result_coding import DRAW as LEVEL
from .result_coding import WIN as VICTORY
from .small_edition import NOT_FOUND, Endings, probe_result
from .solving_table import FLYING_MEN

DRAW, WIN = 0, 1
"""The questions: at least a draw, or a win, for the side to move."""

NO, YES, STOPPED, OPEN = 0, 1, -1, 2
"""The answers; the last one is not known yet."""

MADE, LISTED = 0, 1
"""Indices of `ProofSearch.lists`."""

NODES, PROBES, FIRST_MOVES, MOST_FIRST_MOVES, SHOULD_STOP, MISSING_TABLE, NODE_LIMIT = range(7)
COUNTERS = 7
"""Indices of the counters of a search, which other threads may read. The last three are a request to stop, the men of a
missing table as `10 * mover + opponent`, and the number of nodes after which the search stops. To continue a stopped
search, call it again: proved values are kept.
"""

NO_NODE_LIMIT = np.iinfo(np.int64).max

MAX_PLIES = 2 * MEN + 1
KEPT_FROM = 2
"""Minimum number of men in hand for a position to be kept and its moves ordered: a shorter search is quicker without
that.
"""

IS_PROVED = np.uint64(1 << 63)
IS_YES = np.uint64(1 << 62)
MIXER = np.uint64(0x9E3779B97F4A7C15)

evaluate = evaluate_by(EVALUATION, shipped_weights(EVALUATION))


class ProofSearch(NamedTuple):
    """The memory of a search."""

    counters: NDArray[np.int64]
    moves: NDArray[np.int32]
    """By ply: the moves of the position there."""
    scores: NDArray[np.int64]
    """By ply: their order, the best first."""
    positions: NDArray[np.uint64]
    """By ply: the three words of the position there."""
    lists: NDArray[np.int64]
    """By ply: the number of its moves made, and their number."""
    proved: NDArray[np.uint64]
    """Pairs of slots: the first keeps the position with more men in hand, the second the latest one."""


def new_search(megabytes: int) -> ProofSearch:
    """Return the memory of a search, whose table takes at most this many MiB."""
    slots = 1 << max(megabytes * (1 << 20) // 8, 2).bit_length() - 1
    counters = np.zeros(COUNTERS, dtype=np.int64)
    counters[NODE_LIMIT] = NO_NODE_LIMIT
    return ProofSearch(
        counters,
        np.zeros((MAX_PLIES, MAX_MOVES), dtype=np.int32),
        np.zeros((MAX_PLIES, MAX_MOVES), dtype=np.int64),
        np.zeros((MAX_PLIES, 3), dtype=np.uint64),
        np.zeros((MAX_PLIES, 2), dtype=np.int64),
        np.zeros(slots, dtype=np.uint64),
    )


def position_in(words: Words) -> MorrisPosition:
    """Return the position in the words of a state."""
    return MorrisPosition(np.uint64(words[0]), np.uint64(words[1]), np.uint64(words[2]))


def tables_needed(position: MorrisPosition) -> tuple[str, ...]:
    """Return the tables that the leaves of a search from this position may be in."""
    mover_hand, opponent_hand = int(position.hands & HAND_MASK), int(position.hands >> HAND_BITS)
    mover = int(position.mover).bit_count() + mover_hand
    opponent = int(position.opponent).bit_count() + opponent_hand
    men = [
        (first, second)
        for first in range(LEAST_MEN, mover + 1)
        for second in range(LEAST_MEN, opponent + 1)
        if mover - first <= opponent_hand and opponent - second <= mover_hand
    ]
    if (mover_hand + opponent_hand) % 2 == 1:
        men = [pair[::-1] for pair in men]
    return tuple(table_name(*pair) for pair in men)


def value_of(reaches_draw: int, reaches_win: int) -> int | None:
    """Return the value of a position, 1, 0 or -1, from the answers to the two questions; None if one was stopped."""
    if STOPPED in (reaches_draw, reaches_win):
        return None
    return 1 if reaches_win else 0 if reaches_draw else -1


@kernel
def reaches(endings: Endings, board: MorrisBoard, search: ProofSearch, position: MorrisPosition, least: int) -> int:
    """Return whether the side to move reaches at least `least`, or `STOPPED`.

    A depth-first search by a loop: numba cannot load a function from its cache that calls itself.
    """
    ply = 0
    while True:
        answer = open_node(endings, board, search, position, least if ply % 2 == 0 else 1 - least, ply)
        while answer != OPEN:
            if ply == 0 or answer == STOPPED:
                return answer
            ply -= 1
            answer = YES if answer == NO else answer_without_moves(search, ply)
            close_node(search, ply, answer)
        position = make_next_move(board, search, ply)
        ply += 1


@kernel
def open_node(
    endings: Endings, board: MorrisBoard, search: ProofSearch, position: MorrisPosition, least: int, ply: int
) -> int:
    """Return the answer for a position, or `OPEN` after its moves were listed at this ply."""
    search.counters[NODES] += 1
    if to_count(position.hands) == 0:
        return reaches_at_leaf(endings, board, search, position, least)
    if search.counters[SHOULD_STOP] != 0 or search.counters[NODES] > search.counters[NODE_LIMIT]:
        return STOPPED
    position = canonical(endings, position)
    in_hand = men_in_hand(position)
    answer = proved_answer(search.proved, position) if in_hand >= KEPT_FROM else STOPPED
    if answer != STOPPED:
        return answer
    count = generate_moves(board, position, search.moves[ply])
    search.positions[ply, 0] = position.mover
    search.positions[ply, 1] = position.opponent
    search.positions[ply, 2] = position.hands
    search.lists[ply, MADE], search.lists[ply, LISTED] = 0, count
    if ply == 0:
        search.counters[MOST_FIRST_MOVES] = count
    answer = answer_without_moves(search, ply)
    if in_hand >= KEPT_FROM and finds_answer_in_order(endings, board, search, position, count, ply):
        answer = YES
    close_node(search, ply, answer)
    return answer


@kernel
def answer_without_moves(search: ProofSearch, ply: int) -> int:
    """Return `NO` if all moves of the position at a ply have failed, otherwise `OPEN`."""
    return NO if search.lists[ply, MADE] == search.lists[ply, LISTED] else OPEN


@kernel
def close_node(search: ProofSearch, ply: int, answer: int) -> None:
    """Keep the answer for the position at a ply, if there is one."""
    position = position_at(search, ply)
    in_hand = men_in_hand(position)
    if answer != OPEN and in_hand >= KEPT_FROM:
        keep_answer(search.proved, position, in_hand, answer)


@kernel
def make_next_move(board: MorrisBoard, search: ProofSearch, ply: int) -> MorrisPosition:
    """Return the position after the best of the moves at a ply that have not been made."""
    position, moves, at = position_at(search, ply), search.moves[ply], search.lists[ply, MADE]
    if men_in_hand(position) >= KEPT_FROM:
        bring_best_forward(moves, search.scores[ply], at, search.lists[ply, LISTED])
    if ply == 0:
        search.counters[FIRST_MOVES] = at
    search.lists[ply, MADE] = at + 1
    return make_move(board, position, read_move(moves, at))


@kernel
def position_at(search: ProofSearch, ply: int) -> MorrisPosition:
    """Return the position at a ply."""
    return MorrisPosition(search.positions[ply, 0], search.positions[ply, 1], search.positions[ply, 2])


@kernel
def reaches_at_leaf(
    endings: Endings, board: MorrisBoard, search: ProofSearch, position: MorrisPosition, least: int
) -> int:
    """Return the answer for a position without men in hand.

    An opponent with fewer than three men has lost on its turn (1.7); so few cannot block the mover before.
    """
    if count_cells(position.mover) < FLYING_MEN:
        return NO
    if count_cells(position.opponent) < FLYING_MEN:
        return YES
    search.counters[PROBES] += 1
    result = probe_result(endings, board, position)
    if result == NOT_FOUND:
        search.counters[MISSING_TABLE] = 10 * count_cells(position.mover) + count_cells(position.opponent)
        search.counters[SHOULD_STOP] = 1
        return STOPPED
    return YES if result == VICTORY or (result == LEVEL and least == DRAW) else NO


@kernel
def canonical(endings: Endings, position: MorrisPosition) -> MorrisPosition:
    """Return the image of a position with the smallest set of the mover's men, and then of the opponent's."""
    images = endings.full.numbering.images
    mover, opponent = position.mover, position.opponent
    for symmetry in range(1, SYMMETRIES):
        image = image_of(images, position.mover, symmetry)
        if image > mover:
            continue
        other = image_of(images, position.opponent, symmetry)
        if image < mover or other < opponent:
            mover, opponent = image, other
    return MorrisPosition(mover, opponent, position.hands)


@kernel
def men_in_hand(position: MorrisPosition) -> int:
    """Return the number of men that both sides have in hand."""
    return to_count((position.hands & HAND_MASK) + (position.hands >> HAND_BITS))


@kernel
def finds_answer_in_order(
    endings: Endings,
    board: MorrisBoard,
    search: ProofSearch,
    position: MorrisPosition,
    count: int,
    ply: int,
) -> bool:
    """Score the moves of a position, and return whether one is already proved to succeed."""
    for at in range(count):
        after = make_move(board, position, read_move(search.moves[ply], at))
        search.scores[ply, at] = -evaluate(board, after)
        if men_in_hand(after) >= KEPT_FROM and proved_answer(search.proved, canonical(endings, after)) == NO:
            return True
    return False


@kernel
def bring_best_forward(moves: MoveBuffer, scores: NDArray[np.int64], at: int, count: int) -> None:
    """Swap the best of the moves from `at` on with the one there."""
    best = at
    for other in range(at + 1, count):
        if scores[other] > scores[best]:
            best = other
    moves[at], moves[best] = moves[best], moves[at]
    scores[at], scores[best] = scores[best], scores[at]


@kernel
def key_of(position: MorrisPosition) -> Bitboard:
    """Return a number of 56 bits that identifies a position."""
    return position.mover | position.opponent << np.uint64(24) | position.hands << np.uint64(48)


@kernel
def slot_of(proved: NDArray[np.uint64], key: Bitboard) -> int:
    """Return the first of the two slots for a key."""
    mixed = key * MIXER
    return to_count((mixed ^ mixed >> np.uint64(32)) & np.uint64(proved.shape[0] - 1)) & -2


@kernel
def proved_answer(proved: NDArray[np.uint64], position: MorrisPosition) -> int:
    """Return the proved value of a position, or `STOPPED`."""
    key = key_of(position)
    first = slot_of(proved, key)
    for slot in range(first, first + 2):
        kept = proved[slot]
        if kept & ~IS_YES == key | IS_PROVED:
            return YES if kept & IS_YES != np.uint64(0) else NO
    return STOPPED


def proved_with(search: ProofSearch, least_in_hand: int) -> NDArray[np.uint64]:
    """Return the proved values of positions with at least this many men in hand, for `find_proved`."""
    proved = search.proved[search.proved != 0]
    hands = proved >> np.uint64(48) & np.uint64(255)
    in_hand = (hands & HAND_MASK) + (hands >> HAND_BITS)
    return np.unique(proved[in_hand >= np.uint64(least_in_hand)])


def find_proved(proved: NDArray[np.uint64], endings: Endings, position: MorrisPosition) -> int:
    """Return the value of a position in sorted answers, or `STOPPED`."""
    key = key_of(canonical(endings, position)) | IS_PROVED
    for answer, kept in ((NO, key), (YES, key | IS_YES)):
        at = int(np.searchsorted(proved, kept))
        if at < len(proved) and proved[at] == kept:
            return answer
    return STOPPED


@kernel
def keep_answer(proved: NDArray[np.uint64], position: MorrisPosition, in_hand: int, answer: int) -> None:
    """Store the proved value of a position."""
    key = key_of(position)
    slot = slot_of(proved, key)
    hands = proved[slot] >> np.uint64(48)
    if to_count((hands & HAND_MASK) + (hands >> HAND_BITS & HAND_MASK)) > in_hand:
        slot += 1
    proved[slot] = key | IS_PROVED | (IS_YES if answer == YES else np.uint64(0))
