"""Arguments that several commands have.

Passwords come from files, so that they appear neither in process lists nor in configurations.
"""

import os
from pathlib import Path
from typing import Annotated
from urllib.parse import quote, urlsplit, urlunsplit

import typer

from ...runtime.standard_streams import FORMAT_VARIABLE, LogFormat, warn
from .output import fail

DATABASE_VARIABLE = "MILLRACE_DATABASE_PASSWORD_FILE"
BUS_VARIABLE = "MILLRACE_BUS_PASSWORD_FILE"


def read_password(path: Path, of: str) -> str:
    """Return the content of a file without surrounding white space; stop with the reason if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        fail(f"The password of {of} cannot be read from {path}: {getattr(error, 'strerror', 'it is not UTF-8')}.")


def with_database_password(address: str) -> str:
    """Return the address of a PostgreSQL database with the password from the environment's file; others unchanged."""
    is_postgres = address.startswith(("postgresql://", "postgres://"))
    return _with_password(address, DATABASE_VARIABLE, "the database") if is_postgres else address


def choose_database(context: typer.Context, address: str) -> str:
    """Return the address of a command's database with its password; empty for the one in the data folder.

    A folder that is typed counts more than a database that the environment names; a server does not guess.
    """
    # What is typed is processed first.
    if address and is_typed(context, "data_dir") and not is_typed(context, "database"):
        if context.command.name == "serve":
            fail(
                "MILLRACE_DATABASE names a database, but --data-dir is typed, which has another: "
                "type --database too, or name the folder by MILLRACE_DATA_DIR."
            )
        warn("--data-dir is typed, so its database is used and MILLRACE_DATABASE ignored.")
        return ""
    return with_database_password(address)


def is_typed(context: typer.Context, option: str) -> bool:
    """Return whether an option is on the command line, rather than in the environment."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


def with_bus_password(address: str) -> str:
    """Return the address of a bus with the password from the environment's file."""
    return _with_password(address, BUS_VARIABLE, "the bus") if address else address


def _with_password(address: str, variable: str, of: str) -> str:
    """Return an address with the password from the file named by an environment variable, unless it has one."""
    file = os.environ.get(variable)
    try:
        parts = urlsplit(address)
        has_password = parts.password is not None
    except ValueError:
        return address  # The command that uses it refuses it.
    if not file or has_password:
        return address
    user, _, host = parts.netloc.rpartition("@")
    password = quote(read_password(Path(file), of), safe="")
    return urlunsplit(parts._replace(netloc=f"{user}:{password}@{host}"))


DataDir = Annotated[
    Path | None,
    typer.Option(
        help="The folder for data.",
        envvar="MILLRACE_DATA_DIR",
        show_envvar=True,
        show_default="the user's data folder",
    ),
]
Database = Annotated[
    str,
    typer.Option(
        help="The database's URL; by default an SQLite file in the data folder. MILLRACE_DATABASE_PASSWORD_FILE may "
        "name a file with PostgreSQL's password.",
        envvar="MILLRACE_DATABASE",
        show_envvar=True,
        callback=choose_database,
    ),
]
Bus = Annotated[
    str,
    typer.Option(
        envvar="MILLRACE_BUS",
        show_envvar=True,
        help="The Redis server that connects several servers on one PostgreSQL database, such as "
        "redis://localhost:6379. MILLRACE_BUS_PASSWORD_FILE may name a file with its password.",
        callback=with_bus_password,
    ),
]
Processes = Annotated[int | None, typer.Option(min=1, help="Number of processes.", show_default="processors")]
BotsAddress = Annotated[
    str,
    typer.Option(
        envvar="MILLRACE_BOTS",
        show_envvar=True,
        help="A Dask scheduler whose workers search for the bots, such as tcp://scheduler:8786 (docs/cluster.md).",
        show_default="processes of this machine",
    ),
]
GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="The game: morris, mingmang, battlesheep, or the name of an installed one."),
]
LogFormatOption = Annotated[
    LogFormat,
    typer.Option(
        "--log-format",
        envvar=FORMAT_VARIABLE,
        show_envvar=True,
        help="The format of the log: text, or json with an object in each line.",
    ),
]
Traces = Annotated[
    str,
    typer.Option(
        envvar="MILLRACE_TRACES",
        show_envvar=True,
        help="An OpenTelemetry collector that gets traces of moves, pairings and requests to bots, such as "
        "http://localhost:4318. Needs the extra `tracing`.",
    ),
]
Smtp = Annotated[
    str,
    typer.Option(
        envvar="MILLRACE_SMTP",
        show_envvar=True,
        help="A mail server, for resetting passwords, such as smtp://millrace@mail.example.org:587 or smtps://...",
    ),
]
SmtpPasswordFile = Annotated[
    Path | None,
    typer.Option(
        envvar="MILLRACE_SMTP_PASSWORD_FILE",
        show_envvar=True,
        help="A file with the password of the mail server; or set MILLRACE_SMTP_PASSWORD to the password.",
    ),
]
MailFrom = Annotated[
    str,
    typer.Option(
        envvar="MILLRACE_MAIL_FROM",
        show_envvar=True,
        help="The sender's address of mails; by default the user of the mail server.",
    ),
]
