"""The command `millrace new-game`: writes the package of a new game (`server.app.new_game`)."""

from pathlib import Path
from typing import Annotated

import typer

from .output import exit_on, exit_on_engine_error, fail

NEXT = """Wrote {folder}. Continue there:

    pip install --editable '{folder}[test]'
    python -m pytest {folder}
    millrace serve

The rules are in {rules}; docs/adding_a_game.md explains each file."""


def new_game(
    name: Annotated[str, typer.Argument(help="The game's name, which is also its package's: tic_tac_toe.")],
    folder: Annotated[
        Path | None, typer.Argument(help="A folder that does not exist yet.", show_default="./NAME")
    ] = None,
) -> None:
    """Write the package of a new game: Tic-tac-toe under another name, to change into the game that you want."""
    from ..new_game import check_name, write_package  # noqa: PLC0415  # `millrace --help` answers at once

    target = folder or Path(name)
    with exit_on_engine_error(), exit_on(OSError):
        check_name(name)
        if target.exists():
            fail(f"{target} already exists. Name another folder: millrace new-game {name} FOLDER", 2)
        write_package(name, target)
    typer.echo(NEXT.format(folder=target, rules=target / name / "rules.py"))
