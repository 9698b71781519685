"""`millrace play` in a pseudo-terminal: it starts, ends when interrupted, and restores the terminal."""

import asyncio
import os
import re
import select
import signal
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from millrace.client import connect
from millrace.client.reconnecting_socket import site_url, socket_url
from millrace.client.terminal.plain import console
from millrace.client.terminal.stored_sessions import StoredSession, StoredSessions
from tests.client.connecting import PASSWORD
from tests.processes import end_with_tests
from tests.serving import PATIENCE_S, ServerProcess

pty = pytest.importorskip("pty")

PLAY = (sys.executable, "-m", "millrace.server.app.cli", "play")
ESCAPE = re.compile(r"\x1b\[[?\d;]*[A-Za-z]")


def read_until(terminal: int, words: bytes) -> bytes:
    """Return the output up to and including `words`."""
    shown = b""
    while words not in shown:
        assert select.select([terminal], [], [], PATIENCE_S)[0], shown
        shown += os.read(terminal, 65_536)
    return shown


@contextmanager
def playing(
    *arguments: str, columns: int = 100, lines: int = 30, home: Path | None = None
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run `millrace play` in a terminal, which has its mode back at the end; the program is ended by then."""
    terminal, end = pty.openpty()
    found = termios.tcgetattr(end)
    process = subprocess.Popen(
        [*PLAY, *arguments],
        stdin=end,
        stdout=end,
        stderr=end,
        preexec_fn=end_with_tests,
        env={**os.environ, "COLUMNS": str(columns), "LINES": str(lines), "XDG_CONFIG_HOME": str(home or os.devnull)},
    )
    try:
        yield terminal, process
        assert process.wait(PATIENCE_S) == 0
        assert termios.tcgetattr(end) == found
    finally:
        process.kill()
        os.close(terminal)
        os.close(end)


def piped(server: ServerProcess, typed: str, encoding: str = "utf-8") -> list[str]:
    """Return the lines that `millrace play` prints for input that is not a terminal's."""
    command = [*PLAY, server.address]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(
        command,
        input=typed.encode(errors="surrogateescape"),
        capture_output=True,
        timeout=PATIENCE_S,
        check=True,
        env=environment,
    )
    return done.stdout.decode().splitlines()


async def test_news_before_the_prompt_bring_no_second_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    has_prompt, may_end = threading.Event(), threading.Event()

    def read_line(prompt: str) -> str | None:
        if may_end.is_set():
            return None
        print(prompt, end="")
        has_prompt.set()
        may_end.wait()
        return "a1"

    monkeypatch.setattr(console, "_line_reader", lambda: read_line)
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
    terminal = console.TerminalConsole()
    begin = terminal._wanted.release
    monkeypatch.setattr(terminal, "_wanted", threading.Semaphore(0))
    reading = asyncio.create_task(terminal.read())
    await asyncio.sleep(0)
    terminal.say("first")
    begin()
    await asyncio.to_thread(has_prompt.wait)
    terminal.say("second")
    may_end.set()
    assert await reading == "a1"
    shown = capsys.readouterr().out.replace(console._TO_LINE_START, "|")
    assert shown == "first\n> |second\n> "


def test_an_interrupt_while_typing_restores_the_terminal(server: ServerProcess) -> None:
    with playing("--plain", server.address) as (terminal, process):
        read_until(terminal, b"> ")
        os.write(terminal, b"dance\n")
        read_until(terminal, b"no command dance")
        os.write(terminal, b"half a li")
        read_until(terminal, b"half a li")
        process.send_signal(signal.SIGINT)


def registered(server: ServerProcess, name: str) -> str:
    """Register an account, and return the token of its session."""

    async def register() -> str:
        async with connect(server.address) as me:
            return await me.account.register(name, PASSWORD)

    return asyncio.run(register())


def wait_for_stop(terminal: int, process: subprocess.Popen[bytes]) -> None:
    """Return once a process has been stopped; read what it prints meanwhile, so that it can go on."""
    found, status = 0, 0
    while not found:
        if select.select([terminal], [], [], 0.1)[0]:
            os.read(terminal, 65_536)
        found, status = os.waitpid(process.pid, os.WUNTRACED | os.WNOHANG)
    assert os.WIFSTOPPED(status)


def test_a_suspended_line_mode_goes_on_with_the_line_that_was_being_typed(server: ServerProcess) -> None:
    with playing("--plain", server.address) as (terminal, process):
        read_until(terminal, b"> ")
        os.write(terminal, b"half a")
        read_until(terminal, b"half a")
        process.send_signal(signal.SIGTSTP)
        wait_for_stop(terminal, process)
        process.send_signal(signal.SIGCONT)
        read_until(terminal, b"> half a")
        os.write(terminal, b" line\n")
        read_until(terminal, b"no command half")
        os.write(terminal, b"quit\n")


def test_a_suspended_full_screen_is_painted_again(server: ServerProcess) -> None:
    with playing(server.address) as (terminal, process):
        read_until(terminal, b"Your matches")
        os.write(terminal, b"\x1a")  # Ctrl+Z
        wait_for_stop(terminal, process)
        process.send_signal(signal.SIGCONT)
        read_until(terminal, b"Your matches")
        os.write(terminal, b"\x11")  # Ctrl+Q
        read_until(terminal, b"\x1b[?1049l")


def test_commands_are_read_from_a_file(server: ServerProcess) -> None:
    assert piped(server, "dance\n")[-1] == "There is no command dance. Type help for the list of commands."


def test_input_that_ends_at_a_question_ends_the_program(server: ServerProcess) -> None:
    assert piped(server, "register Nobody-answers\n")[-2:] == ["Choose a password:", "Nothing was changed."]


async def delete_account(server: ServerProcess, token: str) -> None:
    """Delete an account from another device."""
    async with connect(server.address, token=token) as me:
        await me.account.delete(PASSWORD)


def test_a_pipe_that_stays_open_ends_with_the_connection(server: ServerProcess) -> None:
    token = registered(server, "Leaving-soon")
    command = [*PLAY, server.address, "--name", "Leaving-soon"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=end_with_tests) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(f"{PASSWORD}\n".encode())
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"You are Leaving-soon")
        asyncio.run(delete_account(server, token))
        assert process.wait(PATIENCE_S) == 1
        assert process.stderr.read().decode().splitlines() == [
            "millrace: The connection was closed (1008): Your account was deleted."
        ]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_bytes_that_are_no_text_end_nothing(server: ServerProcess, encoding: str) -> None:
    sent = b"d\xffnce \xc3\x28\xe2\x82\nhop \xe2\x99\x9f\n".decode(errors="surrogateescape")
    refused, again = piped(server, sent, encoding)[-2:]
    assert refused.startswith("There is no command d")
    assert again == "There is no command hop. Type help for the list of commands."


def test_a_locale_without_utf8_gets_ascii(server: ServerProcess) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("LANG", "PYTHONIOENCODING")}
    done = subprocess.run(
        [*PLAY, server.address, "--plain"],
        input="here morris\nstyle contrast\nsay caf\u00e9\n".encode(),
        capture_output=True,
        timeout=PATIENCE_S,
        check=True,
        env={**environment, "LC_ALL": "C"},
    )
    shown = done.stdout.decode("ascii")
    assert ": caf?" in shown
    assert "Your locale has no UTF-8" in shown


def test_the_full_screen_restores_the_terminal_when_the_player_quits(server: ServerProcess) -> None:
    with playing(server.address) as (terminal, _):
        read_until(terminal, b"Your matches")
        os.write(terminal, b"\x11")  # Ctrl+Q
        read_until(terminal, b"\x1b[?1049l")


def test_an_account_is_registered_and_remembered_until_it_logs_out(server: ServerProcess, tmp_path: Path) -> None:
    name, password = "Beatrix-at-home", b"a long password\n"
    for options, questions, last in (
        (("--name", name, "--register"), (b"Password: ", b"Repeat for confirmation: "), b"quit\n"),
        (("--style", "contrast"), (), b"quit\n"),
        (("--name", name), (), b"logout\n"),
        (("--name", name), (b"Password: ",), b"quit\n"),
    ):
        with playing("--plain", server.address, *options, home=tmp_path) as (terminal, _):
            for question in questions:
                read_until(terminal, question)
                os.write(terminal, password)
            shown = read_until(terminal, b"You are Beatrix-at-home")
            assert (b"they are not shown again." in shown) == ("--register" in options)
            os.write(terminal, last)


def test_a_remembered_session_that_has_ended_is_said_to(server: ServerProcess, tmp_path: Path) -> None:
    store = StoredSessions(tmp_path / "millrace" / "sessions.json")
    store.keep(site_url(socket_url(server.address)), StoredSession("Gone-again", "s" * 43, has_account=False))
    with playing("--plain", server.address, home=tmp_path) as (terminal, _):
        read_until(terminal, b"no longer knows Gone-again")
        read_until(terminal, b"You are ")
        os.write(terminal, b"quit\n")
    kept = store.find(site_url(socket_url(server.address)))
    assert kept is not None
    assert kept.name != "Gone-again"


def test_bytes_that_are_not_utf_8_end_no_full_screen(server: ServerProcess) -> None:
    with playing(server.address, "--guest") as (terminal, _):
        read_until(terminal, b"You are ")
        os.write(terminal, b"\xff\xfe\xe9")
        read_until(terminal, "\N{REPLACEMENT CHARACTER}".encode())
        os.write(terminal, b"\x11")  # Ctrl+Q
        read_until(terminal, b"\x1b[?1049l")


def test_long_lines_are_wrapped_for_the_terminal_and_stay_whole_in_a_pipe(server: ServerProcess) -> None:
    with playing("--plain", server.address, columns=40) as (terminal, _):
        read_until(terminal, b"> ")
        os.write(terminal, b"rules morris\ndance\n")
        shown = read_until(terminal, b"no command dance").decode()
        os.write(terminal, b"quit\n")
    assert max(len(ESCAPE.sub("", line)) for line in shown.splitlines()) <= 40
    assert max(map(len, piped(server, "rules morris\n"))) > 80
