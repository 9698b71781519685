"""What every folder of tests may use."""

import faulthandler
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator

import pytest
from hypothesis import settings

from tests.server.archive.round_trips import check_round_trips_in
from tests.serving import GENEROUS, ServerProcess
from tools.made_files import ROOT, are_outdated

# Installed, it is found by its entry point.
pytest_plugins = ["millrace.engine.contract.pytest_plugin"]

# No test depends on how fast it runs.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# A shell has what it runs in the background ignore this, and so would the processes that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Make the files that are not in git, before there are workers, if their sources have changed."""
    if not hasattr(config, "workerinput") and are_outdated():
        subprocess.run([sys.executable, "-m", "tools.make"], cwd=ROOT, check=True)


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Start one worker more than there are processors: half of a test's time it waits for servers and for pages."""
    return (yield) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Let a slow test take longer than the time after which others count as hanging."""
    if item.get_closest_marker("slow") is not None:
        faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="session")
def one_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server for all tests that do it no harm, started when the first of them needs it."""
    with ServerProcess(tmp_path_factory.mktemp("server"), *GENEROUS) as process:
        process.wait_for_rules()
        yield process
    check_round_trips_in(process.data_dir)


@pytest.fixture(scope="session")
def server(one_server: ServerProcess) -> ServerProcess:
    """That server; some folders have the same tests run against several nodes as well."""
    return one_server
