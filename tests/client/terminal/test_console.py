"""`millrace play` in a pseudo-terminal: it starts, ends when interrupted, and restores the terminal."""

import os
import select
import signal
import subprocess
import sys
import termios

import pytest

from tests.processes import end_with_tests
from tests.serving import PATIENCE_S, ServerProcess

pty = pytest.importorskip("pty")


def read_until(terminal: int, words: bytes) -> bytes:
    """Return the output up to and including `words`."""
    shown = b""
    while words not in shown:
        assert select.select([terminal], [], [], PATIENCE_S)[0], shown
        shown += os.read(terminal, 65_536)
    return shown


def test_an_interrupt_while_typing_restores_the_terminal(server: ServerProcess) -> None:
    terminal, end = pty.openpty()
    found = termios.tcgetattr(end)
    process = subprocess.Popen(
        [sys.executable, "-m", "millrace.server.cli", "play", "--plain", server.address],
        stdin=end,
        stdout=end,
        stderr=end,
        preexec_fn=end_with_tests,
    )
    try:
        read_until(terminal, b"> ")
        os.write(terminal, b"dance\n")
        read_until(terminal, b"no command dance")
        os.write(terminal, b"half a li")
        read_until(terminal, b"half a li")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0
        assert termios.tcgetattr(end) == found
    finally:
        process.kill()
        os.close(terminal)
        os.close(end)


def test_commands_are_read_from_a_file(server: ServerProcess) -> None:
    command = [sys.executable, "-m", "millrace.server.cli", "play", server.address]
    done = subprocess.run(command, input="dance\n", capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        0,
        "There is no command dance. Type help for the list of commands.",
    )


def test_the_full_screen_restores_the_terminal_when_the_player_quits(server: ServerProcess) -> None:
    terminal, end = pty.openpty()
    found = termios.tcgetattr(end)
    process = subprocess.Popen(
        [sys.executable, "-m", "millrace.server.cli", "play", server.address],
        stdin=end,
        stdout=end,
        stderr=end,
        preexec_fn=end_with_tests,
        env={**os.environ, "COLUMNS": "100", "LINES": "30"},
    )
    try:
        read_until(terminal, b"Your matches")
        os.write(terminal, b"\x11")  # Ctrl+Q
        read_until(terminal, b"\x1b[?1049l")
        assert process.wait(PATIENCE_S) == 0
        assert termios.tcgetattr(end) == found
    finally:
        process.kill()
        os.close(terminal)
        os.close(end)
