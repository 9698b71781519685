"""A server without a home folder says so, and one whose terminal is closed stops in order."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving import CHECKOUT, PATIENCE_S, ServerProcess

pytestmark = [
    pytest.mark.usefixtures("processes"),
    pytest.mark.skipif(sys.platform == "win32", reason="has neither such homes nor such signals"),
]

NOBODY = """
import pwd
def getpwuid(_):
    raise KeyError("no entry")
pwd.getpwuid = getpwuid
"""


def homeless(folder: Path) -> dict[str, str]:
    """Return the environment of a user without a home folder."""
    (folder / "sitecustomize.py").write_text(NOBODY)
    folders = ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "MILLRACE_KERNEL_CACHE")
    kept = {name: value for name, value in os.environ.items() if name not in folders}
    return {**kept, "PYTHONPATH": f"{folder}:{CHECKOUT}"}


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("serve", "--port", "0"), "You have no home folder for the data. Name a folder with --data-dir."),
        (("migrate",), "You have no home folder for the data."),
        (
            ("migrate", "--data-dir", "data", "--database", "~/millrace.sqlite3"),
            "there is no home folder for the database",
        ),
    ],
)
def test_without_a_home_folder_commands_ask_for_a_folder(tmp_path: Path, command: tuple[str, ...], words: str) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "millrace.server.app.cli", *command],
        env=homeless(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert result.returncode == 1
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "~").exists()


def test_a_server_whose_terminal_is_closed_stops_in_order(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        server.wait_for_bots()
        assert server.stop(signal.SIGHUP) == 0
        assert any("Stopping." in line for line in server.output)


def test_a_server_that_shall_outlive_its_terminal_does(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ServerProcess(tmp_path) as server:
            server.wait_for_bots()
            os.kill(server.pid, signal.SIGHUP)
            assert server.stop() == 0
            assert server.output.count("Stopping. Every acknowledged move is stored.") == 1
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_server_on_an_ipv6_address_prints_one_that_clients_take(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "millrace.server.app.cli", "serve", "--host", "::1", "--port", "0"]
    with subprocess.Popen([*command, "--data-dir", str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.kill()
    assert "http://[::1]:" in line


def test_without_a_home_folder_no_kernels_are_kept(tmp_path: Path) -> None:
    script = "from millrace.engine.kernel_cache import kernels_folder; print(kernels_folder())"
    output = subprocess.check_output([sys.executable, "-c", script], env=homeless(tmp_path), cwd=tmp_path, text=True)
    assert output == "None\n"
    assert not (tmp_path / "~").exists()
