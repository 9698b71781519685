"""Test rings, as a pytest plug-in: `pytest` runs the first ring, and finally reports what it left out.

    first    pure, or served within the test's process: needs nothing else and takes minutes
    second   other processes: browsers, databases, servers, commands
    third    slow tests: marked `slow`; and all but the first and the last case of tests that are marked `sampled`, such
             as those of the page

The fixtures of a test decide: those that use `processes`, directly or through other fixtures, are on the second ring. A
test that starts a process without it fails. `pytest FILE` runs both the first and the second ring of that file.
"""

import faulthandler
import gc
import sys
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

FIRST_RING = "not second_ring and not slow"
"""The default of `-m`, in pyproject.toml."""

SERVICES = ("postgres", "redis")
"""Marks of parameters for which a fixture asks for a service only when it runs."""

STARTS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"})
"""The events of Python's audit by which a process is started; pools of `multiprocessing` cause none."""

LEFT_OUT = pytest.StashKey[Counter[str]]()

_may_start_processes = True


@pytest.fixture(scope="session")
def processes() -> None:
    """Allows a test to start processes, and to connect to others."""


def _refuse_processes(event: str, arguments: tuple[Any, ...]) -> None:
    if event in STARTS and not _may_start_processes:
        raise AssertionError(f"This test starts a process, so it needs the fixture `processes`: {arguments}")


def pytest_configure(config: pytest.Config) -> None:
    """Run both quick rings of the files that are named."""
    config.stash[LEFT_OUT] = Counter()
    if config.option.markexpr == FIRST_RING and config.args_source is pytest.Config.ArgsSource.ARGS:
        config.option.markexpr = "not slow"
    sys.addaudithook(_refuse_processes)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Have each of the workers compile another game first, then load what the others have compiled.

    Otherwise, on a new machine, the first tests of all workers compile the same kernels at the same time.
    """
    config = session.config
    is_whole = config.args_source is not pytest.Config.ArgsSource.ARGS and config.option.markexpr == FIRST_RING
    if hasattr(config, "workerinput") and is_whole:
        from millrace.engine.games import GAMES  # noqa: PLC0415  # one file of pure tests starts at once
        from millrace.engine.levels.warm_up import warm_up_search  # noqa: PLC0415

        number = int(config.workerinput["workerid"].removeprefix("gw")) % len(GAMES)
        games = [*GAMES.values()]
        for game in games[number:] + games[:number]:
            warm_up_search(game)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the second ring, and as slow the cases that a sample leaves out."""
    sampled = (item for item in items if isinstance(item, pytest.Function) and item.get_closest_marker("sampled"))
    for _, cases in groupby(sampled, lambda item: (item.path, item.originalname)):
        for case in list(cases)[1:-1]:
            case.add_marker("slow")
    for item in items:
        if item.get_closest_marker("slow"):
            continue
        if uses_processes(item):
            item.add_marker("second_ring")


def uses_processes(item: pytest.Item) -> bool:
    """Return whether a test may use processes other than its own."""
    fixtures = getattr(item, "fixturenames", ())
    return "processes" in fixtures or any(item.get_closest_marker(name) for name in SERVICES)


def pytest_collection_finish() -> None:
    """Spare garbage collections what stays until the end."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Fail a test that starts a process without the fixture `processes`."""
    global _may_start_processes  # noqa: PLW0603  # audit hooks are called without a context
    _may_start_processes = uses_processes(item)
    try:
        return (yield)
    finally:
        _may_start_processes = True


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Let slow tests exceed the time after which others count as hanging."""
    if item.get_closest_marker("slow") is not None:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> Generator[None, int, int]:
    """Start no workers for one file, and more than there are processors, since part of the time passes by waiting."""
    workers = yield
    (named, *others) = config.args
    if not others and Path(named.partition("::")[0]).is_file():
        return 0
    return workers + workers // 2 if config.option.markexpr == FIRST_RING else 2 * workers


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Count what is left out, by ring."""
    for item in items:
        ring = next((mark for mark in ("slow", "second_ring") if item.get_closest_marker(mark)), "")
        item.config.stash[LEFT_OUT][ring] += 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the counts of an xdist worker to the process that reports."""
    if hasattr(session.config, "workeroutput"):
        left_out = session.config.stash[LEFT_OUT]
        session.config.workeroutput["left_out"] = dict(left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the counts of one worker: each leaves out the same tests."""
    left_out: Counter[str] = Counter(getattr(node, "workeroutput", {}).get("left_out", {}))
    node.config.stash[LEFT_OUT] = left_out


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Report what was left out, and how to run it."""
    left_out = config.stash[LEFT_OUT]
    if left_out["second_ring"] and config.option.markexpr == FIRST_RING:
        count = left_out["second_ring"]
        terminalreporter.line(f"Left out: {count} tests with browsers, databases and servers; pytest -m second_ring")
    if left_out["slow"] and config.option.markexpr in {FIRST_RING, "not slow"}:
        terminalreporter.line(f"Left out: {left_out['slow']} tests that take long; pytest -m slow")
