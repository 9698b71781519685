"""The exceptions of a tablebase of Nine Men's Morris: entries whose codes do not fit a byte.

A table has one byte for each entry, 255 for an exception. The exceptions follow the bytes: numbers of eight bytes,
little-endian and in order, each `entry << 16 | code`. No table has exceptions today, since the longest win known takes
187 plies (Gasser, 1996); but that is known only when all tables are solved.
"""

import numpy as np
from numpy.typing import NDArray

from ...bits import kernel, to_count
from ...game import TableBytes

TOO_LONG = 255
"""The byte of an entry whose code is an exception."""

CODE_BITS = np.uint64(16)
CODE_MASK = np.uint64(0xFFFF)


@kernel
def find_exception(exceptions: NDArray[np.uint64], first: int, end: int, entry: int) -> int:
    """Return the code of an entry that is among the exceptions from `first` up to `end`, or 255 if it is not."""
    wanted = np.uint64(entry)
    low, high = first, end
    while low < high:
        middle = (low + high) // 2
        if exceptions[middle] >> CODE_BITS < wanted:
            low = middle + 1
        else:
            high = middle
    if low < end and exceptions[low] >> CODE_BITS == wanted:
        return to_count(exceptions[low] & CODE_MASK)
    return TOO_LONG


def exceptions_in(table: TableBytes, entries: int) -> NDArray[np.uint64]:
    """Return the exceptions of a table with this many entries."""
    return np.frombuffer(table[entries:].tobytes(), dtype="<u8").astype(np.uint64)


def exceptions_of(entries: NDArray[np.int64], codes: NDArray[np.int64]) -> TableBytes:
    """Return the bytes of exceptions, from their entries in order and their codes."""
    exceptions: NDArray[np.uint64] = entries.astype("<u8") << CODE_BITS | codes.astype("<u8")
    return exceptions.view(np.uint8)
