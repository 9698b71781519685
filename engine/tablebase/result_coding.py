"""Results of a table without distances, compressed in independent blocks: the small edition of a tablebase.

A block holds the results of 1,024 entries. It is coded by asymmetric numeral systems (Duda, 2009; as rANS with renewal
by bytes), with static frequencies: how likely a win, a draw and a loss are after the three results before, in a block
with about as many of each. Each table has its own frequencies. A block with a single result takes no bytes.

A compressed table is, in this order, all numbers little-endian:

    frequencies   two numbers of 16 bits for each model and each three results before: of a draw, of a draw or a win
    models        a byte for each block; its model, or `UNIFORM` plus the only result
    ends          four bytes for each block: where its bytes end, in units of bytes from the first block on
    bytes         of all blocks
"""

import numpy as np
from numpy.typing import NDArray

from ..bits import Bitboard, byte_at, kernel
from ..game import TableBytes
from .codes import DRAWN, is_won
from .tables import Codes, code_at

DRAW, WIN, LOSS = 0, 1, 2
RESULTS = 3

BLOCK_ENTRIES = 1024
STEPS = 8
"""Steps in which a model counts the draws and the wins of a block."""

MODELS = STEPS * STEPS
CONTEXTS = RESULTS**3
UNIFORM = 128
"""The model of a block with draws only; the next two are for wins only and losses only."""

SCALE_BITS = 12
SCALE = 1 << SCALE_BITS
LEAST_STATE = 1 << 23
STATE_BYTES = 4
MAX_BLOCK_BYTES = 2 * BLOCK_ENTRIES
SHARE_BLOCKS = 4096
"""Blocks that are encoded at a time."""

FREQUENCY_BYTES = MODELS * CONTEXTS * 2 * 2
END_BYTES = 4


def compress(codes: Codes) -> TableBytes:
    """Return the compressed results of a table."""
    blocks = -(-len(codes.table) // BLOCK_ENTRIES)
    models, counts = np.zeros(blocks, dtype=np.uint8), np.zeros((MODELS, CONTEXTS, RESULTS), dtype=np.int64)
    choose_models(codes, models, counts)
    bounds = _bounds_of(counts)
    ends = np.zeros(blocks, dtype=np.uint32)
    pieces: list[NDArray[np.uint8]] = []
    room = np.zeros(SHARE_BLOCKS * MAX_BLOCK_BYTES, dtype=np.uint8)
    written = 0
    for first in range(0, blocks, SHARE_BLOCKS):
        size = encode_blocks(codes, bounds, models, ends, room, first, min(first + SHARE_BLOCKS, blocks), written)
        pieces.append(room[:size].copy())
        written += size
    frequencies = bounds.astype("<u2").view(np.uint8).ravel()
    return np.concatenate([frequencies, models, ends.astype("<u4").view(np.uint8), *pieces])


def blocks_of(entries: int) -> int:
    """Return the number of blocks of a table."""
    return -(-entries // BLOCK_ENTRIES)


def bounds_in(table: TableBytes) -> NDArray[np.int64]:
    """Return the bounds of a compressed table: shape `(models, contexts, 2)`."""
    return np.frombuffer(table[:FREQUENCY_BYTES].tobytes(), dtype="<u2").astype(np.int64).reshape(MODELS, CONTEXTS, 2)


def _bounds_of(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bounds for these counts. Every result keeps some probability, since no block must be impossible."""
    smoothed = counts + 0.02
    shares = np.cumsum(smoothed, axis=2) / smoothed.sum(axis=2, keepdims=True)
    draws = np.clip(np.rint(shares[:, :, DRAW] * SCALE), 1, SCALE - 2)
    wins = np.clip(np.rint(shares[:, :, WIN] * SCALE), draws + 1, SCALE - 1)
    return np.stack([draws, wins], axis=2).astype(np.int64)


@kernel
def result_in(codes: Codes, entry: int) -> int:
    """Return the result of an entry: a draw, a win or a loss."""
    code = code_at(codes, entry)
    if code == DRAWN:
        return DRAW
    return WIN if is_won(code) else LOSS


@kernel
def choose_models(codes: Codes, models: NDArray[np.uint8], counts: NDArray[np.int64]) -> None:
    """Write the model of each block, and how often each result follows others in blocks of each model."""
    entries = codes.table.shape[0]
    for block in range(models.shape[0]):
        first, end = block * BLOCK_ENTRIES, min((block + 1) * BLOCK_ENTRIES, entries)
        draws = wins = 0
        for entry in range(first, end):
            result = result_in(codes, entry)
            draws += 1 if result == DRAW else 0
            wins += 1 if result == WIN else 0
        size = end - first
        if size in (draws, wins, size - draws - wins):
            models[block] = UNIFORM + (DRAW if draws == size else WIN if wins == size else LOSS)
            continue
        model = step_of(draws, size) * STEPS + step_of(wins, size)
        models[block] = model
        context = 0
        for entry in range(first, end):
            result = result_in(codes, entry)
            counts[model, context, result] += 1
            context = (context * RESULTS + result) % CONTEXTS


@kernel
def step_of(count: int, size: int) -> int:
    """Return the step of a share: fine near nothing and near everything."""
    share = 1024 * count // size
    step = 0
    for bound in (8, 51, 154, 512, 870, 973, 1016):
        step += 1 if share >= bound else 0
    return step


@kernel
def encode_blocks(
    codes: Codes,
    bounds: NDArray[np.int64],
    models: NDArray[np.uint8],
    ends: NDArray[np.uint32],
    room: NDArray[np.uint8],
    first: int,
    end: int,
    written: int,
) -> int:
    """Write the bytes of some blocks into `room`, and their ends, after `written` bytes; return the number of bytes."""
    size = 0
    for block in range(first, end):
        if models[block] < UNIFORM:
            size += encode_block(codes, bounds, int(models[block]), room, block, size)
        ends[block] = written + size
    return size


@kernel
def encode_block(
    codes: Codes, bounds: NDArray[np.int64], model: int, room: NDArray[np.uint8], block: int, at: int
) -> int:
    """Write the bytes of a block; return their number. Encoding goes backwards, so that decoding goes forwards."""
    first, end = block * BLOCK_ENTRIES, min((block + 1) * BLOCK_ENTRIES, codes.table.shape[0])
    state, size = LEAST_STATE, 0
    for entry in range(end - 1, first - 1, -1):
        context = 0
        for before in range(max(first, entry - 3), entry):
            context = context * RESULTS + result_in(codes, before)
        draws, wins = bounds[model, context, 0], bounds[model, context, 1]
        result = result_in(codes, entry)
        start = 0 if result == DRAW else draws if result == WIN else wins
        frequency = (draws if result == DRAW else wins if result == WIN else SCALE) - start
        while state >= (LEAST_STATE >> SCALE_BITS << 8) * frequency:
            room[at + size] = state & 255
            state >>= 8
            size += 1
        state = (state // frequency << SCALE_BITS) + state % frequency + start
    for _ in range(STATE_BYTES):
        room[at + size] = state & 255
        state >>= 8
        size += 1
    for low in range(size // 2):
        room[at + low], room[at + size - 1 - low] = room[at + size - 1 - low], room[at + low]
    return size


@kernel
def decode_result(
    bounds: NDArray[np.int64], address: Bitboard, blocks: int, entry: int, decoded: NDArray[np.uint8]
) -> int:
    """Return the result of an entry in a compressed table at an address, with these bounds.

    Also write the results of its block up to it, unless `decoded` is empty.
    """
    block = entry // BLOCK_ENTRIES
    model = byte_at(address + np.uint64(FREQUENCY_BYTES + block))
    if model >= UNIFORM:
        decoded[:] = model - UNIFORM
        return model - UNIFORM
    ends = address + np.uint64(FREQUENCY_BYTES + blocks)
    at = ends + np.uint64(END_BYTES * blocks + (number_at(ends, block - 1) if block > 0 else 0))
    state = 0
    for _ in range(STATE_BYTES):
        state = state << 8 | byte_at(at)
        at += np.uint64(1)
    context = result = 0
    for at_entry in range(entry % BLOCK_ENTRIES + 1):
        draws, wins = bounds[model, context, 0], bounds[model, context, 1]
        slot = state & (SCALE - 1)
        result = DRAW if slot < draws else WIN if slot < wins else LOSS
        start = 0 if result == DRAW else draws if result == WIN else wins
        frequency = (draws if result == DRAW else wins if result == WIN else SCALE) - start
        state = frequency * (state >> SCALE_BITS) + slot - start
        while state < LEAST_STATE:
            state = state << 8 | byte_at(at)
            at += np.uint64(1)
        context = (context * RESULTS + result) % CONTEXTS
        if decoded.shape[0] > 0:
            decoded[at_entry] = result
    return result


@kernel
def find_difference(
    codes: Codes, bounds: NDArray[np.int64], address: Bitboard, blocks: int, decoded: NDArray[np.uint8]
) -> int:
    """Return an entry whose compressed result differs from the table, or -1; `decoded` has room for a block."""
    entries = codes.table.shape[0]
    for block in range(blocks):
        first, end = block * BLOCK_ENTRIES, min((block + 1) * BLOCK_ENTRIES, entries)
        decode_result(bounds, address, blocks, end - 1, decoded)
        for entry in range(first, end):
            if decoded[entry - first] != result_in(codes, entry):
                return entry
    return -1


@kernel
def number_at(ends: Bitboard, block: int) -> int:
    """Return the end of a block."""
    number = 0
    for byte in range(END_BYTES):
        number |= byte_at(ends + np.uint64(END_BYTES * block + byte)) << (8 * byte)
    return number
