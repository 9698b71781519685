"""A new game as a package of its own, for `millrace new-game`: a copy of `package`, which is Tic-tac-toe, renamed."""

import importlib.util
import re
import sys
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from keyword import iskeyword
from pathlib import Path

from millrace.engine.game import EngineError
from millrace.engine.games import GAMES

TEMPLATE = "tic_tac_toe"
"""The name of the game in `package`."""


class NewGameError(EngineError):
    """A name that a new game cannot have."""


def check_name(name: str) -> None:
    """Raises: NewGameError if a new game cannot have this name, which is also that of its Python package."""
    if not re.fullmatch("[a-z][a-z0-9_]{1,29}", name):
        raise NewGameError(
            f"{name!r} cannot be a game's name. It needs 2 to 30 lowercase letters, digits and _, the first of them a "
            "letter, such as tic_tac_toe."
        )
    if name in GAMES:
        raise NewGameError(f"There is already a game called {name}. Choose another name.")
    if iskeyword(name) or name in sys.stdlib_module_names or importlib.util.find_spec(name) is not None:
        raise NewGameError(f"Python already has something called {name}. Choose another name, such as {name}_game.")


def write_package(name: str, folder: Path) -> None:
    """Write the package of a game with this name to a new folder. Raises: NewGameError, OSError."""
    check_name(name)
    folder.mkdir(parents=True)
    for path, text in sorted(_renamed(name)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")


def _renamed(name: str) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each file."""
    title = name.replace("_", " ").capitalize()
    for path, file in _files_in(files(__name__) / "package", ""):
        text = file.read_text("utf-8").replace(TEMPLATE, name).replace("Tic-tac-toe", title)
        yield path.replace(TEMPLATE, name), text.replace("tic-tac-toe", name.replace("_", "-"))


def _files_in(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for each in folder.iterdir():
        if each.is_dir() and each.name != "__pycache__":
            yield from _files_in(each, f"{path}{each.name}/")
        elif each.is_file():
            yield f"{path}{each.name}", each
