"""The commands `millrace serve` and `millrace migrate`."""

import asyncio
import errno
import os
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf, nan
from pathlib import Path

import typer

from ..app.server import run
from ..journal.store import StorageError
from ..limits.limits import UnknownLimitError
from ..mail.smtp_settings import BadSmtpError, parse_smtp
from ..settings import Settings
from .output import exit_on, fail
from .standard_streams import LastingStream


class ServerConsole:
    """Prints the progress of the server's start."""

    def __init__(self) -> None:
        self._out = LastingStream("stdout")

    def say(self, line: str) -> None:
        """Print a line."""
        self._out.write(f"{line}\n")
        self._out.flush()

    def progress(self, name: str, done: int, total: int) -> None:
        """Print that the rules of a game are compiled."""
        self.say(f"Compiled the rules of {name} ({done} of {total})")


def serve_until_stopped(settings: Settings) -> None:
    """Serve until the process is stopped."""
    with (
        exit_on(OSError, StorageError, UnknownLimitError),
        _port_errors(settings),
        asyncio.Runner(loop_factory=_loop_factory()) as runner,
    ):
        runner.run(run(settings, ServerConsole()))


def migrate_database(settings: Settings, accepts_copy: bool) -> None:
    """Upgrade the database and print whether anything had to be done."""
    # `serve` must open its port before it loads the databases.
    from ..storage import accept_copied_file, migrate  # noqa: PLC0415

    with exit_on(OSError, StorageError):
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        if accepts_copy and asyncio.run(accept_copied_file(settings.database_url)):
            typer.echo("Accepted the copy. What was only in its write-ahead log is lost.")
        has_changed = asyncio.run(migrate(settings.database_url))
    typer.echo("Upgraded the database." if has_changed else "The database is up to date.")


def parse_limits(texts: Sequence[str]) -> Mapping[str, float]:
    """Return the bounds that are given as `NAME=NUMBER`. Whether such limits exist is known when the server starts."""
    bounds: dict[str, float] = {}
    for text in texts:
        name, _, number = text.partition("=")
        try:
            bounds[name] = float(number)
        except ValueError:
            bounds[name] = nan
        if not 0 <= bounds[name] < inf:
            fail(f"A limit is NAME=NUMBER, such as chat_lines.guest=5; {text} is not.")
    return bounds


def parse_contact(text: str) -> str:
    """Return the address at which push services can reach the operator, if it is one that they accept."""
    if text and not text.startswith(("mailto:", "https://")):
        fail(f"A contact is mailto:NAME@HOST or an https address; {text} is not.")
    return text


def read_smtp_password(path: Path | None) -> str:
    """Return the password of the mail server from a file or from the environment; empty if there is none."""
    if path is None:
        return os.environ.get("MILLRACE_SMTP_PASSWORD", "")
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError):
        fail(f"The password of the mail server cannot be read from {path}.")


def parse_mail_from(smtp: str, password: str, sender: str) -> str:
    """Return the address that mails come from; stop with the reason if the mail server is not named as it should be."""
    if not smtp:
        return ""
    try:
        return parse_smtp(smtp, password, sender).sender
    except BadSmtpError as error:
        fail(str(error))


@contextmanager
def _port_errors(settings: Settings) -> Iterator[None]:
    """Explain the errors of a port that cannot be opened."""
    try:
        yield
    except socket.gaierror:
        fail(f"There is no host {settings.host}. Choose another with --host.")
    except OSError as error:
        place = f"port {settings.port} of {settings.host}"
        match error.errno:
            case errno.EADDRINUSE:
                fail(f"Another program uses {place}. Stop it, or choose another port with --port.")
            case errno.EACCES | errno.EPERM if not error.filename:
                fail(f"You are not allowed to use {place}. Choose a port above 1023 with --port.")
            case errno.EADDRNOTAVAIL:
                fail(f"This machine has no address {settings.host}. Choose another with --host.")
        raise


def _loop_factory() -> type[asyncio.AbstractEventLoop] | None:
    """Return uvloop's event loop, or None on Windows, where uvloop does not exist."""
    if sys.platform == "win32":
        return None
    import uvloop  # noqa: PLC0415

    return uvloop.Loop
