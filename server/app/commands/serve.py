"""The commands `millrace serve` and `millrace migrate`."""

import asyncio
import errno
import importlib.util
import os
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import inf, nan
from pathlib import Path

import typer

from millrace.engine.faults import GameFaultError

from ...callers.limits import UnknownLimitError
from ...cluster.redis_address import BusAddressError, parse_address
from ...players.mail.smtp_settings import BadSmtpError, parse_smtp
from ...runtime.installation import install_command
from ...runtime.settings import Settings
from ...runtime.standard_streams import announce, choose_log_format
from ...storage.errors import StorageError
from ...tournaments.calendar import CalendarError
from ..server import run
from .arguments import read_password
from .output import exit_on, fail


def serve_until_stopped(settings: Settings, processes: int = 1) -> None:
    """Serve until the process is stopped, with several processes on request."""
    choose_log_format(settings.log_format)
    with (
        exit_on(OSError, StorageError, UnknownLimitError, BusAddressError, GameFaultError, CalendarError),
        _port_errors(settings),
        _runner() as runner,
    ):
        if processes == 1:
            runner.run(run(settings, announce))
            return
        from .supervisor import supervise  # noqa: PLC0415  # needs what only Linux has

        code = runner.run(supervise(settings, processes))
    if code:
        raise typer.Exit(code)


def check_cluster(database: str, bus: str, processes: int) -> None:
    """Stop with the reason if several servers are requested without their prerequisites."""
    has_postgres = database.startswith(("postgresql://", "postgres://"))
    if processes > 1 and sys.platform != "linux":
        fail("Several processes can share a port on Linux only. Put several servers with --bus behind a proxy.")
    if processes > 1 and not (has_postgres and bus):
        fail(
            "Several processes need a PostgreSQL database and Redis, such as "
            "--database postgresql://localhost/millrace --bus redis://localhost:6379."
        )
    if not bus:
        return
    if not has_postgres:
        fail("Several servers need a PostgreSQL database: use --bus with --database postgresql://HOST/NAME.")
    try:
        parse_address(bus)
    except BusAddressError as error:
        fail(str(error))


def migrate_database(settings: Settings, *, reopens: bool) -> None:
    """Upgrade the database and print whether anything changed."""
    # `serve` must open its port before it loads the databases.
    from ...storage.migrate import migrate  # noqa: PLC0415

    with exit_on(OSError, StorageError):
        settings.make_data_dir()
        has_changed = asyncio.run(migrate(settings.database_url, reopens=reopens))
    typer.echo("Upgraded the database." if has_changed else "The database is up to date.")


def parse_limits(texts: Sequence[str]) -> Mapping[str, float]:
    """Return the bounds given as `NAME=NUMBER`. The server checks the names when it starts."""
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
    """Return the operator's address for push services. Stop with the reason if it is not one."""
    if text and not text.startswith(("mailto:", "https://")):
        fail(f"A contact is mailto:NAME@HOST or an https address; {text} is not.")
    return text


def parse_origins(texts: Sequence[str]) -> tuple[str, ...]:
    """Return sites as browsers name them in the header Origin. Stop with the reason if one is not such a name."""
    for text in texts:
        scheme, _, host = text.partition("://")
        if scheme not in ("http", "https") or not host or "/" in host:
            fail(f"An origin is https://HOST, such as https://www.example.org; {text} is not.")
    return tuple(text.lower() for text in texts)


def parse_allowed_hosts(texts: Sequence[str]) -> tuple[str, ...]:
    """Return names of this server. Stop with the reason if one is not the name of a host."""
    for text in texts:
        if not text or "/" in text or ":" in text:
            fail(f"An allowed host is a name without port, such as play.example.org; {text} is not.")
    return tuple(texts)


def parse_bots(address: str) -> str:
    """Return the address of a Dask scheduler; stop if it is invalid or Dask is missing. Empty for none."""
    if not address:
        return ""
    scheme, _, place = address.partition("://")
    host, _, port = place.rpartition(":")
    if scheme not in ("tcp", "tls") or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        fail(f"A Dask scheduler is tcp://HOST:PORT or tls://HOST:PORT, such as tcp://scheduler:8786; {address} is not.")
    if importlib.util.find_spec("distributed") is None:
        fail(f"Bots on other machines need Dask. Install it with: {install_command('cluster')}")
    return address


def parse_traces(address: str) -> str:
    """Return the address of a collector; stop if it is invalid or OpenTelemetry is missing. Empty for none."""
    if address and not address.startswith(("http://", "https://")):
        fail(f"A collector of traces is http://HOST:PORT, such as http://localhost:4318; {address} is not.")
    if address and importlib.util.find_spec("opentelemetry") is None:
        fail(f"Traces need OpenTelemetry. Install it with: {install_command('tracing')}")
    return address


def read_smtp_password(path: Path | None) -> str:
    """Return the password of the mail server from a file or the environment; empty for none."""
    if path is None:
        return os.environ.get("MILLRACE_SMTP_PASSWORD", "")
    return read_password(path, "the mail server")


def parse_mail_from(smtp: str, password: str, sender: str) -> str:
    """Return the sender's address of mails; stop with the reason if the mail server's address is invalid."""
    if not smtp:
        return ""
    try:
        return parse_smtp(smtp, password, sender).sender
    except BadSmtpError as error:
        fail(str(error))


@contextmanager
def _runner() -> Iterator[asyncio.Runner]:
    """Provide what runs an event loop."""
    runner = asyncio.Runner(loop_factory=_loop_factory())
    try:
        yield runner
    finally:
        # An event loop ends its threads in a further one. Where the system allows none, they end with the process.
        with suppress(RuntimeError):
            runner.close()


@contextmanager
def _port_errors(settings: Settings) -> Iterator[None]:
    """Explain the errors of a port that cannot be opened."""
    try:
        yield
    except (socket.gaierror, UnicodeError):
        fail(f"There is no host {settings.host}. Choose another with --host.")
    except OSError as error:
        ports = (settings.port,) if settings.node_port is None else (settings.port, settings.node_port)
        place = f"port {' or '.join(map(str, ports))} of {settings.host}"
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
