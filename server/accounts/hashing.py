"""Hashes passwords with argon2id, in threads, a few at a time. The only module that uses argon2.

A hash costs 64 MiB and a tenth of a second on purpose. When too many requests wait, further ones are refused.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from ..protocol import Code
from ..protocol.refusal import Refusal
from .password_rules import normalize

TIME_COST = 3
MEMORY_KIB = 64 * 1024
"""The parameters that RFC 9106 recommends for servers that also do other work."""

THREADS = 2
MAX_WAITING = 8

_R = TypeVar("_R")


class PasswordHasherPool:
    """Computes and verifies password hashes."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher(TIME_COST, MEMORY_KIB, parallelism=1)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="passwords")
        self._busy = 0

    async def hash(self, password: str) -> str:
        """Return the hash of a password, with its salt and cost. Raises: Refusal if too many requests wait."""
        return await self._run(lambda: self._hasher.hash(normalize(password)))

    async def verify(self, password: str, password_hash: str | None) -> bool:
        """Return whether a password has that hash. With None it takes as long and returns False. Raises: Refusal."""
        if password_hash is None:
            await self.hash(password)
            return False
        return await self._run(lambda: self._verify(password, password_hash))

    def is_outdated(self, password_hash: str) -> bool:
        """Return whether a hash was computed with another cost than the present one."""
        return self._hasher.check_needs_rehash(password_hash)

    def close(self) -> None:
        """Stop the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _verify(self, password: str, password_hash: str) -> bool:
        try:
            return self._hasher.verify(password_hash, normalize(password))
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], _R]) -> _R:
        if self._busy >= THREADS + MAX_WAITING:
            raise Refusal(Code.TOO_BUSY, "Too many players are signing in at once; please try again in a moment.")
        self._busy += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._busy -= 1
