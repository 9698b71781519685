"""Arguments that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

DataDir = Annotated[Path | None, typer.Option(help="The folder for data.", show_default="the user's data folder")]
Database = Annotated[str, typer.Option(help="The database's URL; by default an SQLite file in the data folder.")]
Processes = Annotated[int | None, typer.Option(min=1, help="Number of processes.", show_default="processors")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game: morris, mingmang or battlesheep.")]
Smtp = Annotated[
    str,
    typer.Option(
        envvar="MILLRACE_SMTP",
        show_envvar=True,
        help="A mail server for lost passwords, such as smtp://millrace@mail.example.org:587 or smtps://...",
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
    str, typer.Option(help="The address that mails come from; by default the user of the mail server.")
]
