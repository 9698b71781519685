"""`millrace play` in a pseudo-terminal: it starts, ends when interrupted, and restores the terminal."""

import os
import re
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.processes import end_with_tests
from tests.serving import PATIENCE_S, ServerProcess

pty = pytest.importorskip("pty")

ESCAPE = re.compile(r"\x1b\[[?\d;]*[A-Za-z]")


def read_until(terminal: int, words: bytes) -> bytes:
    """Return the output up to and including `words`."""
    shown = b""
    while words not in shown:
        assert select.select([terminal], [], [], PATIENCE_S)[0], shown
        shown += os.read(terminal, 65_536)
    return shown


@contextmanager
def playing(*arguments: str, columns: int = 100, lines: int = 30) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run `millrace play` in a terminal, which has its mode back at the end; the program is ended by then."""
    terminal, end = pty.openpty()
    found = termios.tcgetattr(end)
    process = subprocess.Popen(
        [sys.executable, "-m", "millrace.server.app.cli", "play", *arguments],
        stdin=end,
        stdout=end,
        stderr=end,
        preexec_fn=end_with_tests,
        env={**os.environ, "COLUMNS": str(columns), "LINES": str(lines)},
    )
    try:
        yield terminal, process
        assert process.wait(PATIENCE_S) == 0
        assert termios.tcgetattr(end) == found
    finally:
        process.kill()
        os.close(terminal)
        os.close(end)


def piped(server: ServerProcess, typed: str) -> list[str]:
    """Return the lines that `millrace play` prints for input that is not a terminal's."""
    command = [sys.executable, "-m", "millrace.server.app.cli", "play", server.address]
    return subprocess.run(
        command, input=typed, capture_output=True, text=True, timeout=PATIENCE_S, check=True
    ).stdout.splitlines()


def test_an_interrupt_while_typing_restores_the_terminal(server: ServerProcess) -> None:
    with playing("--plain", server.address) as (terminal, process):
        read_until(terminal, b"> ")
        os.write(terminal, b"dance\n")
        read_until(terminal, b"no command dance")
        os.write(terminal, b"half a li")
        read_until(terminal, b"half a li")
        process.send_signal(signal.SIGINT)


def test_commands_are_read_from_a_file(server: ServerProcess) -> None:
    assert piped(server, "dance\n")[-1] == "There is no command dance. Type help for the list of commands."


def test_the_full_screen_restores_the_terminal_when_the_player_quits(server: ServerProcess) -> None:
    with playing(server.address) as (terminal, _):
        read_until(terminal, b"Your matches")
        os.write(terminal, b"\x11")  # Ctrl+Q
        read_until(terminal, b"\x1b[?1049l")


def test_an_account_is_registered_and_plays_under_its_name(server: ServerProcess) -> None:
    for options, questions in (
        (("--register", "--style", "ascii"), (b"Password: ", b"Repeat for confirmation: ")),
        (("--style", "contrast"), (b"Password: ",)),
    ):
        with playing("--plain", server.address, "--name", "Beatrix-at-home", *options) as (terminal, _):
            for question in questions:
                read_until(terminal, question)
                os.write(terminal, b"a long password\n")
            read_until(terminal, b"You are Beatrix-at-home")
            os.write(terminal, b"quit\n")


def test_long_lines_are_wrapped_for_the_terminal_and_stay_whole_in_a_pipe(server: ServerProcess) -> None:
    with playing("--plain", server.address, columns=40) as (terminal, _):
        read_until(terminal, b"> ")
        os.write(terminal, b"rules morris\ndance\n")
        shown = read_until(terminal, b"no command dance").decode()
        os.write(terminal, b"quit\n")
    assert max(len(ESCAPE.sub("", line)) for line in shown.splitlines()) <= 40
    assert max(map(len, piped(server, "rules morris\n"))) > 80
