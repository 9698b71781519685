"""Commands print their results to standard output and log to standard error."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.repository import ROOT

pytestmark = pytest.mark.usefixtures("processes")


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A data folder with files that are neither tablebases nor an opening book."""
    for name in ("tablebases/morris-3-3.tablebase", "books/morris.book"):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text("something else")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["engine", "morris"],
        ["book", "show", "morris", "a1", "a4"],
        ["tablebase", "probe", "WWB.......B....B..B...W. w 0 0"],
    ],
)
def test_ignored_files_are_logged_to_standard_error(damaged: Path, arguments: list[str]) -> None:
    command = [sys.executable, "-m", "millrace.server.app.cli", *arguments, "--data-dir", str(damaged)]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False, cwd=ROOT)
    assert "ignored" not in done.stdout
    assert "ignored" in done.stderr


@pytest.mark.parametrize("arguments", [["engine"], ["position", "morris", "-"], ["sheep", "play", "--depth", "1"]])
def test_a_closed_standard_input_is_one_that_has_ended(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "millrace.server.app.cli", *arguments]
    close = ["sh", "-c", 'exec "$@" <&-', "sh"]
    closed = subprocess.run([*close, *command], capture_output=True, text=True, check=False, cwd=ROOT, timeout=60)
    ended = subprocess.run(command, input="", capture_output=True, text=True, check=False, cwd=ROOT, timeout=60)
    assert (closed.returncode, closed.stdout, closed.stderr) == (ended.returncode, ended.stdout, ended.stderr)
    assert "Traceback" not in closed.stderr
