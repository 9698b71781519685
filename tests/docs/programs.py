"""The programs and commands on a page of `docs`: fenced blocks, whose label is a language and perhaps a file's name."""

import re
from typing import NamedTuple

from tests.project.repository import read

_BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    language: str
    file: str
    """The name of the file that it is to be saved as; empty for a command."""
    text: str


def read_blocks(page: str) -> list[Block]:
    """Return the blocks of a page, in order."""
    found = _BLOCK.finditer(read(page))
    return [Block(block["language"], block["file"] or "", block["text"]) for block in found]
