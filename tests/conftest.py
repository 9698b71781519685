"""Fixtures for all folders of tests. Imports are inside functions, so that one file of pure tests starts at once."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tools.made_files import ROOT, are_outdated

if TYPE_CHECKING:
    from tests.serving import ServerProcess

# Installed, the last is found by its entry point.
pytest_plugins = ["tests.rings", "tests.loop_steps", "millrace.pytest_plugin"]

# No test depends on its own speed.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# Without byte code, each of the processes that tests start would compile every module, and each worker every test.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell lets background processes ignore the one, and nohup the other, and so would the processes that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_configure(config: pytest.Config) -> None:
    """Make the files that are not in git, before there are workers, if their sources have changed."""
    if not hasattr(config, "workerinput") and are_outdated():
        subprocess.run([sys.executable, "-m", "tools.make"], cwd=ROOT, check=True)


@pytest.fixture(scope="session")
def one_server(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator["ServerProcess"]:
    """A server shared by all tests that do not harm it, started on first use."""
    from tests.server.archive.round_trips import check_round_trips_in
    from tests.serving import GENEROUS, ServerProcess

    with ServerProcess(tmp_path_factory.mktemp("server"), *GENEROUS) as process:
        process.wait_for_rules()
        yield process
    check_round_trips_in(process.data_dir)


@pytest.fixture(scope="session")
def server(one_server: "ServerProcess") -> "ServerProcess":
    """This server; some folders run the same tests against several nodes as well."""
    return one_server
