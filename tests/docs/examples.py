"""The examples on the pages of `docs`: fenced blocks of JSON, each with a label that names the sender."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"

_BLOCK = re.compile(r"^```json (?P<label>[^\n]+)\n(?P<text>.*?)\n```$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    label: str
    """`client`, `server`, `event`, or in the whole match `Ann says`, `Ann hears` and so on."""
    text: str

    @property
    def document(self) -> dict[str, Any]:
        return msgspec.json.decode(self.text, type=dict[str, Any])

    @property
    def is_from_client(self) -> bool:
        return self.label == "client" or " says" in self.label

    @property
    def is_from_server(self) -> bool:
        return self.label == "server" or self.label.endswith(" hears")


def read_examples(page: Path = PAGE) -> list[Example]:
    """Return every example of a page, in order."""
    return [Example(block["label"], block["text"]) for block in _BLOCK.finditer(page.read_text(encoding="utf-8"))]
