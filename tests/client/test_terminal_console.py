"""`millrace play` on a terminal of its own: it comes up, ends when it is interrupted, and leaves the terminal whole."""

import os
import select
import signal
import subprocess
import sys
import termios

import pytest

from tests.serving import PATIENCE_S, ServerProcess

pty = pytest.importorskip("pty")


def read_until(terminal: int, words: bytes) -> bytes:
    """Return what is shown, up to and with some words."""
    shown = b""
    while words not in shown:
        assert select.select([terminal], [], [], PATIENCE_S)[0], shown
        shown += os.read(terminal, 65_536)
    return shown


def test_an_interrupt_while_a_line_is_typed_leaves_the_terminal_as_it_was(server: ServerProcess) -> None:
    terminal, end = pty.openpty()
    found = termios.tcgetattr(end)
    process = subprocess.Popen(
        [sys.executable, "-m", "millrace.server.cli", "play", server.address], stdin=end, stdout=end, stderr=end
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


def test_lines_from_a_file_are_obeyed_to_its_end(server: ServerProcess) -> None:
    command = [sys.executable, "-m", "millrace.server.cli", "play", server.address]
    done = subprocess.run(command, input="dance\n", capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "There is no command dance; type help.")
