"""Writes the files made from others, which are not in git: `python -m tools.make`.

They describe the protocol for the page and for clients (types in JavaScript, JSON Schema, AsyncAPI, a reference), or
are compiled translations. Installing Millrace also makes them, and so do tests after a change.
"""

from pathlib import Path

from .languages.compilation import compile_languages
from .made_files import ROOT
from .protocol import protocol_files


def make(root: Path = ROOT) -> None:
    """Write the files."""
    # The page's modules import the types of the protocol, and are joined to see which texts they need first.
    for make_texts in (protocol_files, compile_languages):
        for path, text in make_texts(root).items():
            _write(root / path, text)


def _write(path: Path, text: str) -> None:
    """Write a file unless its text is unchanged: a server may be reading it."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        path.touch()
    else:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    make()
