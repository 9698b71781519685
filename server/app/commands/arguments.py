"""Arguments that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from .passwords import with_bus_password, with_database_password

DataDir = Annotated[Path | None, typer.Option(help="The folder for data.", show_default="the user's data folder")]
Database = Annotated[
    str,
    typer.Option(
        help="The database's URL; by default an SQLite file in the data folder. MILLRACE_DATABASE_PASSWORD_FILE may "
        "name a file with PostgreSQL's password.",
        callback=with_database_password,
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
GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game: morris, mingmang or battlesheep.")]
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
MailFrom = Annotated[str, typer.Option(help="The sender's address of mails; by default the user of the mail server.")]
