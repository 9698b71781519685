"""The first changes are sent at once; those that follow are sent together."""

import asyncio

from millrace.server.runtime.coalescing import AT_ONCE, Coalescing

INTERVAL_S = 0.02


class Sent:
    """What was sent, and a way to wait for more."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.coalescing = Coalescing[str](INTERVAL_S, self._add)
        self._has_more = asyncio.Event()

    async def until(self, number: int) -> list[str]:
        while len(self.keys) < number:
            self._has_more.clear()
            await self._has_more.wait()
        return self.keys

    def _add(self, key: str) -> None:
        self.keys.append(key)
        self._has_more.set()


async def test_a_few_changes_are_sent_at_once_and_later_ones_together() -> None:
    sent = Sent()
    for _ in range(300):
        sent.coalescing.note("ann")
    sent.coalescing.note("ben")
    assert sent.keys == ["ann"] * AT_ONCE + ["ben"]
    assert await sent.until(AT_ONCE + 2) == ["ann"] * AT_ONCE + ["ben", "ann"]
    sent.coalescing.note("ben")
    assert sent.keys[-1] == "ben"


async def test_nothing_is_sent_after_closing() -> None:
    sent, clock = Sent(), Sent()
    for each in (sent, clock):
        for _ in range(AT_ONCE + 1):
            each.coalescing.note("ann")
    sent.coalescing.close()
    await clock.until(AT_ONCE + 1)
    assert sent.keys == ["ann"] * AT_ONCE
