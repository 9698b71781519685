"""A test run that is killed leaves no server behind."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import end_with_tests
from tests.project.repository import ROOT
from tests.serving import PATIENCE_S

pytestmark = pytest.mark.usefixtures("processes")


PROGRAM = """
import threading
from pathlib import Path
from tests.serving import ServerProcess

def test_that_never_ends():
    with ServerProcess(Path({folder!r}) / "data") as server:
        (Path({folder!r}) / "new").write_text(str(server.pid))
        (Path({folder!r}) / "new").rename(Path({folder!r}) / "pid")
        threading.Event().wait()
"""


def wait_until_gone(pid: int) -> None:
    """Return once a process has ended; one that nobody waits for counts as ended."""
    deadline = time.monotonic() + PATIENCE_S
    status = Path(f"/proc/{pid}/status")
    while status.exists() and "State:\tZ" not in status.read_text():
        assert time.monotonic() < deadline, "the server outlived the test run"
        time.sleep(0.05)


def wait_for_pid(file: Path, run: "subprocess.Popen[bytes]") -> int:
    """Return the number in a file once the test run has written it."""
    deadline = time.monotonic() + PATIENCE_S
    while not file.exists():
        assert run.poll() is None, "the test run ended before its server had started"
        assert time.monotonic() < deadline, "the server did not start"
        time.sleep(0.05)
    return int(file.read_text())


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux tells processes that their parent has died.")
def test_a_server_ends_with_the_test_run_that_started_it(tmp_path: Path) -> None:
    test = tmp_path / "test_endless.py"
    test.write_text(PROGRAM.format(folder=str(tmp_path)))
    options = ("-c", str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider", "-n", "1", "-q")
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, str(test)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=end_with_tests,
    )
    try:
        server = wait_for_pid(tmp_path / "pid", run)
    finally:
        run.send_signal(signal.SIGKILL)
        run.wait(PATIENCE_S)
    wait_until_gone(server)
