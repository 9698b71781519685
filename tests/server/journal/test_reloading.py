"""Copies of stored data that are replaced while they change."""

import asyncio
from contextlib import suppress

import pytest

from millrace.server.journal import rereading
from millrace.server.journal.reloading import Reloading
from millrace.server.journal.rereading import Rereading
from millrace.server.storage.errors import StorageError


async def test_a_change_during_a_reload_is_not_lost() -> None:
    copy, reloading = {"old"}, Reloading()
    read, may_end = asyncio.Event(), asyncio.Event()

    async def load() -> None:
        nonlocal copy
        with reloading.replacing():
            stored = {"stored", "removed"}
            read.set()
            await may_end.wait()
            copy = stored

    loading = asyncio.create_task(load())
    await read.wait()
    reloading.apply(lambda: copy.add("new"))
    reloading.apply(lambda: copy.discard("removed"))
    assert copy == {"old", "new"}
    may_end.set()
    await loading
    assert copy == {"stored", "new"}


async def test_a_change_outside_a_reload_is_applied_once() -> None:
    changes, reloading = list[int](), Reloading()
    with suppress(StorageError), reloading.replacing():
        raise StorageError("the database is away")
    reloading.apply(lambda: changes.append(1))
    with reloading.replacing():
        pass
    assert changes == [1]


async def test_a_failed_reload_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rereading, "RETRY_SECONDS", 0.01)
    done: list[str] = []
    are_done = asyncio.Event()
    failures = iter([StorageError("the database is away")])

    async def read(key: str) -> None:
        for failure in failures:
            raise failure
        done.append(key)
        if len(done) == 3:
            are_done.set()

    stale = Rereading(read)
    stale.ask(["a", "b", "a"])
    running = asyncio.create_task(stale.run())
    stale.ask(["c"])
    await are_done.wait()
    running.cancel()
    assert sorted(done) == ["a", "b", "c"]
