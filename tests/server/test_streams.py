"""Commands print their results to standard output and log to standard error."""

import os
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


@pytest.mark.sampled
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


@pytest.mark.sampled
@pytest.mark.parametrize("arguments", [["engine"], ["position", "morris", "-"], ["sheep", "play", "--depth", "1"]])
def test_a_closed_standard_input_is_one_that_has_ended(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "millrace.server.app.cli", *arguments]
    close = ["sh", "-c", 'exec "$@" <&-', "sh"]
    closed = subprocess.run([*close, *command], capture_output=True, text=True, check=False, cwd=ROOT, timeout=60)
    ended = subprocess.run(command, input="", capture_output=True, text=True, check=False, cwd=ROOT, timeout=60)
    assert (closed.returncode, closed.stdout, closed.stderr) == (ended.returncode, ended.stdout, ended.stderr)
    assert "Traceback" not in closed.stderr


def test_a_byte_order_mark_before_a_position_is_skipped() -> None:
    command = [sys.executable, "-m", "millrace.server.app.cli", "position", "morris", "-"]
    text = "." * 24 + " w 9 9"
    done = subprocess.run(command, input=f"\ufeff{text}\r\n".encode(), capture_output=True, check=True, cwd=ROOT)
    assert done.stdout.decode().strip() == text


@pytest.mark.sampled
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
@pytest.mark.parametrize("is_buffered", [True, False])
@pytest.mark.parametrize(
    "arguments",
    [["engine"], ["position", "morris"], ["--help"], ["perft", "morris", "--depth", "1"], ["sheep", "play"]],
)
def test_a_standard_output_that_cannot_be_written_ends_a_command_with_one_sentence(
    arguments: list[str], is_buffered: bool
) -> None:
    command = [sys.executable, *([] if is_buffered else ["-u"]), "-m", "millrace.server.app.cli", *arguments]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            command,
            input="uci\n",
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=ROOT,
            env=environment,
        )
    assert done.returncode == 1
    assert done.stderr == "millrace: Standard output cannot be written: the disk is full. Free some space.\n"


LONG = "x" * 50_000


@pytest.mark.sampled
@pytest.mark.parametrize(
    "arguments",
    [
        *(
            ["position", "morris", LONG],
            ["position", LONG],
            ["position", "morris", "--moves", LONG],
            [LONG],
            [f"--{LONG}"],
        ),
        *(["book", "show", "morris", "a1", "--file", LONG], ["tablebase", LONG], ["play", LONG]),
        ["serve", "--port", "0", "--host", LONG],
    ],
)
def test_a_long_input_is_not_repeated_whole(arguments: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "millrace.server.app.cli", *arguments]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(
        command, input="", capture_output=True, text=True, check=False, cwd=ROOT, timeout=60, env=environment
    )
    assert done.returncode in (1, 2)
    assert "xxx…" in done.stderr
    assert len(done.stderr) < 1000
    assert "Traceback" not in done.stderr
