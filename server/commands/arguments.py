"""Arguments that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

DataDir = Annotated[Path | None, typer.Option(help="The folder for data.", show_default="the user's data folder")]
Database = Annotated[str, typer.Option(help="The database's URL; by default an SQLite file in the data folder.")]
Processes = Annotated[int | None, typer.Option(min=1, help="Number of processes.", show_default="processors")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game: morris, mingmang or battlesheep.")]
