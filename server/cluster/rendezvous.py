"""Rendezvous hashing: nodes that know the same members agree, without communication, on the owner of a key.

When a member comes or goes, only its keys change their owner (Thaler and Ravishankar, "A Name-Based Mapping Scheme for
Rendezvous", 1996).
"""

from collections.abc import Iterable
from functools import lru_cache, partial
from hashlib import blake2b

REMEMBERED_KEYS = 32_768
"""Maximum number of remembered owners; more than the matches with a room on a node."""


def choose_owner(key: str, members: Iterable[str]) -> str:
    """Return the member that owns a key. There must be at least one member.

    >>> choose_owner("match", ["a", "b", "c"]) == choose_owner("match", ["c", "a", "b"])
    True
    """
    return max(members, key=lambda member: (_weight(key, member), member))


class Owners:
    """The owners of keys among one set of members; computed once per key, as a room asks at every ply."""

    def __init__(self, members: frozenset[str]) -> None:
        self.members = members
        """All members, at least one."""
        self.of = lru_cache(REMEMBERED_KEYS)(partial(choose_owner, members=members))
        """Returns the member that owns a key."""


def _weight(key: str, member: str) -> bytes:
    return blake2b(f"{member}/{key}".encode(), digest_size=8).digest()
