"""No step of a server may hold its event loop for long, in any test that serves one: a pytest plug-in.

A test fails if a step takes more than `MOST_MS` of the thread's processor time, and does so again when the test is
repeated. Other processes do not lengthen that time, but slow a shared processor down by half and more, so a long step
is compared with known work done right after it; and a virtual machine that was stopped for a moment counts that as
well, but hardly twice in the same step. Not counted are garbage collections, since a test's process keeps the objects
of all tests, and what a server does before it serves. `loaded_rules` loads the kernels first: servers never compile or
load them in the event loop.
"""

import asyncio
import gc
import time
from collections.abc import Generator
from functools import partial
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

MOST_MS = 10.0
KNOWN_WORK_MS = 1.5
"""What the known work takes on an idle processor."""
HELD = "A server's step held the event loop"
UNSERVED = ("millrace.server.app.commands.", "millrace.server.storage.migrate")
"""Modules whose tasks run in an event loop without players."""


class Step(NamedTuple):
    """A step that took too long."""

    ms: float
    name: str


_long: list[Step] = []
_collecting_s = 0.0
_collection_began_s = 0.0
_run = asyncio.Handle._run


def _run_timed(handle: asyncio.Handle) -> None:
    """Run a step of an event loop, and note it if it is a server's and takes too long."""
    collecting_s, began_s = _collecting_s, time.thread_time()
    callback = handle._callback  # type: ignore[attr-defined]
    try:
        _run(handle)
    finally:
        ms = 1000 * (time.thread_time() - began_s - (_collecting_s - collecting_s))
        if ms > MOST_MS and (name := _server_step(callback)):
            ms *= min(1.0, KNOWN_WORK_MS / _known_work_ms())
            if ms > MOST_MS:
                _long.append(Step(ms, name))


def _known_work_ms() -> float:
    """Return how long the known work takes now."""
    began_s = time.thread_time()
    for number in range(20_000):
        len(str(number))
    return 1000 * (time.thread_time() - began_s)


def _note_collection(phase: str, _: dict[str, int]) -> None:
    global _collecting_s, _collection_began_s  # noqa: PLW0603  # a callback of the interpreter
    if phase == "start":
        _collection_began_s = time.thread_time()
    else:
        _collecting_s += time.thread_time() - _collection_began_s


def _server_step(callback: Any) -> str:
    """Return the name of a server's step; empty if it is another's, such as a test's."""
    while isinstance(callback, partial):
        callback = callback.func
    owner = getattr(callback, "__self__", None)
    if isinstance(owner, asyncio.Task):
        coroutine: Any = owner.get_coro()
        frame = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "gi_frame", None)
        code = getattr(coroutine, "cr_code", None) or getattr(coroutine, "gi_code", None)
        module, name = frame.f_globals["__name__"] if frame else _module_of(code), coroutine.__qualname__
    else:
        receiver = getattr(owner, "_protocol", None) or owner  # a transport hands over to its protocol
        module = getattr(callback if receiver is None else type(receiver), "__module__", "") or ""
        name = getattr(callback, "__qualname__", repr(callback))
    is_server = module.startswith("millrace.server.") and not module.startswith(UNSERVED)
    return f"{module} {name}" if is_server else ""


def _module_of(code: Any) -> str:
    """Return the module of a coroutine that has ended, by its file."""
    _, _, path = code.co_filename.rpartition("/millrace/")
    return f"millrace.{path.removesuffix('.py').replace('/', '.')}"


def pytest_configure() -> None:
    """Time every step of event loops in Python; servers in other processes have uvloop's."""
    asyncio.Handle._run = _run_timed  # type: ignore[assignment, method-assign]
    gc.callbacks.append(_note_collection)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Repeat a test in which a step took too long."""
    if "loaded_rules" not in getattr(item, "fixturenames", ()):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if any(report.failed and HELD in report.longreprtext for report in reports):
        item._initrequest()  # type: ignore[attr-defined]
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """Fail a test in which a step of a server with loaded rules took too long."""
    yield
    steps = [*_long] if "loaded_rules" in getattr(item, "fixturenames", ()) else []
    _long.clear()
    lines = "\n".join(f"{step.ms:.1f} ms: {step.name}" for step in sorted(steps, reverse=True))
    assert not steps, f"{HELD} for more than {MOST_MS:.0f} ms:\n{lines}"


@pytest.fixture(scope="session")
def loaded_rules() -> None:
    """Have the rules of all games loaded before servers start, as they are in a server once it does not interpret.

    Errors are logged as there, too.
    """
    import structlog  # noqa: PLC0415

    from millrace.engine.games import GAMES  # noqa: PLC0415  # one file of pure tests starts at once
    from millrace.engine.levels.warm_up import warm_up_rules  # noqa: PLC0415
    from millrace.server.runtime.standard_streams import log_processors  # noqa: PLC0415

    structlog.configure(processors=log_processors(is_json=False, has_levels=False))
    for game in GAMES.values():
        warm_up_rules(game)
