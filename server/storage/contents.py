"""What a table holds, as a number of rows and a checksum: equal for equal rows in whatever order, in either database.

A checksum is the sum of the BLAKE2b digests of the rows, each encoded by MessagePack. No order of rows is needed, which
the databases would not agree on: PostgreSQL sorts texts by the rules of a language.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

DIGEST_BYTES = 16
_MODULUS = 1 << (8 * DIGEST_BYTES)

Row: TypeAlias = tuple[object, ...]


@dataclass(slots=True)
class Contents:
    """Some rows of a table, or all of them."""

    rows: int = 0
    checksum: int = 0

    def add(self, rows: Iterable[Row]) -> int:
        """Count some more rows; return their size in bytes.

        >>> one, other = Contents(), Contents()
        >>> one.add([("a", 1), ("b", None)]) == other.add([("b", None)]) + other.add([("a", 1)])
        True
        >>> one == other
        True
        """
        size = 0
        encode, blake2b, total = msgspec.msgpack.encode, hashlib.blake2b, 0
        for row in rows:
            encoded = encode(row)
            size += len(encoded)
            self.rows += 1
            total += int.from_bytes(blake2b(encoded, digest_size=DIGEST_BYTES).digest(), "big")
        self.checksum = (self.checksum + total) % _MODULUS
        return size
