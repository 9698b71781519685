"""Hashes passwords with argon2id, in threads, a few at a time. The only module that uses argon2.

A hash costs 64 MiB and a tenth of a second on purpose. Waiting addresses take turns, so that one with many requests
does not delay the others; beyond a maximum of waiting requests, further ones are refused.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from ...callers.limit import Limit
from ...callers.limits import Limits
from ...runtime.fair_turns import FairTurns
from ...runtime.threads import start_threads
from .password_rules import normalize

TIME_COST = 3
MEMORY_KIB = 64 * 1024
"""The parameters that RFC 9106 recommends for servers that also do other work."""

THREADS = 2
NICENESS = 10
"""The threads' nice value, so that they yield to the event loop where threads have priorities (Linux)."""

HASHES = Limit(
    name="password_hashes",
    counts="passwords being checked or waiting to be checked",
    refusal="Too many players are signing in at once; please try again in a moment.",
    code=Code.TOO_BUSY,
    address=32,
    everyone=256,
)

_R = TypeVar("_R")


class PasswordHasherPool:
    """Computes and verifies password hashes, for addresses in turn."""

    def __init__(self, limits: Limits, hasher: PasswordHasher | None = None) -> None:
        self._limits = limits
        self._hasher = hasher or PasswordHasher(TIME_COST, MEMORY_KIB, parallelism=1)
        self._threads = start_threads(THREADS, "passwords", _yield_to_others)
        self._turns = FairTurns(THREADS)

    async def hash(self, password: str, address: str) -> str:
        """Return the hash of a password, with its salt and cost. Raises: Refusal if too many requests wait."""
        return await self._run(lambda: self._hasher.hash(normalize(password)), address)

    async def verify(self, password: str, password_hash: str | None, address: str) -> bool:
        """Return whether a password has that hash. With None it takes as long and returns False. Raises: Refusal."""
        if password_hash is None:
            await self.hash(password, address)
            return False
        return await self._run(lambda: self._verify(password, password_hash), address)

    def is_outdated(self, password_hash: str) -> bool:
        """Return whether a hash was computed with other parameters than the current ones."""
        return self._hasher.check_needs_rehash(password_hash)

    def close(self) -> None:
        """Stop the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _verify(self, password: str, password_hash: str) -> bool:
        try:
            return self._hasher.verify(password_hash, normalize(password))
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], _R], address: str) -> _R:
        hold = self._limits.hold_at(HASHES, address)
        if hold is None:
            raise Refusal(HASHES.code, HASHES.refusal)
        try:
            async with self._turns.of(address):
                return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            hold.release()


def _yield_to_others() -> None:
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
