"""Hashes passwords by argon2id, off the event loop, and not too many at once.

The only home of argon2. A hash costs 64 MiB and a tenth of a second on purpose, so that few are computed at a time and
few more wait; who comes then is asked to come back.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from ..protocol import Code
from ..protocol.refusal import Refusal
from .passwords import normalize

TIME_COST = 3
MEMORY_KIB = 64 * 1024
"""As RFC 9106 advises for servers that hash beside other work."""

AT_ONCE = 2
WAITING = 8

_R = TypeVar("_R")


class Hasher:
    """Computes and verifies hashes of passwords."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher(TIME_COST, MEMORY_KIB, parallelism=1)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passwords")
        self._busy = 0

    async def hash(self, password: str) -> str:
        """Return the hash of a password, with its salt and cost. Raises: Refusal if too many wait."""
        return await self._run(lambda: self._hasher.hash(normalize(password)))

    async def verify(self, password: str, password_hash: str | None) -> bool:
        """Return whether the password is that of the hash. None, of nobody, takes as long. Raises: Refusal."""
        if password_hash is None:
            await self.hash(password)
            return False
        return await self._run(lambda: self._verify(password, password_hash))

    def is_outdated(self, password_hash: str) -> bool:
        """Return whether a hash was computed at another cost than is asked for now."""
        return self._hasher.check_needs_rehash(password_hash)

    def close(self) -> None:
        """Let go of the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _verify(self, password: str, password_hash: str) -> bool:
        try:
            return self._hasher.verify(password_hash, normalize(password))
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], _R]) -> _R:
        if self._busy >= AT_ONCE + WAITING:
            raise Refusal(Code.TOO_BUSY, "Too many people are signing in at once; please try again in a moment.")
        self._busy += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._busy -= 1
