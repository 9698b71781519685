"""Tables of codes as arrays of bytes: one byte per entry, followed by the exceptions, whose codes do not fit."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel, to_signed
from ..game import TableBytes
from ..games.morris.table_exceptions import TOO_LONG, exceptions_in, exceptions_of, find_exception


class Codes(NamedTuple):
    """A table for kernels; see `code_at`."""

    table: TableBytes
    """One byte for each entry."""
    exceptions: NDArray[np.uint64]


NO_CODES = Codes(np.zeros(0, dtype=np.uint8), np.zeros(0, dtype=np.uint64))
"""The table after captures that win at once."""


@kernel
def code_at(codes: Codes, entry: int) -> int:
    """Return the code of an entry."""
    code = to_signed(codes.table[entry])
    if code < TOO_LONG:
        return code
    return find_exception(codes.exceptions, 0, codes.exceptions.shape[0], entry)


def table_of(codes: NDArray[np.int64]) -> TableBytes:
    """Return the table of these codes.

    >>> table_of(np.array([0, 254, 301])).tolist()
    [0, 254, 255, 45, 1, 2, 0, 0, 0, 0, 0]
    """
    long = np.flatnonzero(codes >= TOO_LONG)
    return np.concatenate([np.minimum(codes, TOO_LONG).astype(np.uint8), exceptions_of(long, codes[long])])


def codes_of(table: TableBytes, entries: int) -> Codes:
    """Return the codes of a table, without copying its bytes."""
    return Codes(table[:entries], exceptions_in(table, entries))


def bytes_in(buffer: memoryview) -> TableBytes:
    """Return the table in a buffer, without copying it."""
    return np.frombuffer(buffer, dtype=np.uint8)
