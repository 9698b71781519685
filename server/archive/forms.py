"""The export formats of matches: text like PGN, JSON, SGF, and PlayOK's lists with numbers. Pure."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import msgspec

from .numbered_text import write_numbered
from .record import MatchRecord
from .record_text import write_match
from .sgf import write_sgf


class Form(NamedTuple):
    """An export format."""

    title: str
    """Its name for users."""
    suffix: str
    """The end of a file's name."""
    content_type: str
    """The content type of one match in HTTP."""
    content_type_of_many: str
    write: Callable[[MatchRecord, str], Iterable[str]]
    """Returns a match as text in short pieces; the second argument is its URL, or empty. While they are read, it may
    raise RecordError if that is impossible."""

    def text_of(self, record: MatchRecord, site: str = "") -> str:
        """Return a match as text. Raises: RecordError if that is impossible."""
        return "".join(self.write(record, site))


_TEXT = "text/plain; charset=utf-8"

FORMS: Mapping[str, Form] = {
    "txt": Form("text", ".txt", _TEXT, _TEXT, write_match),
    "json": Form(
        *("JSON", ".json", "application/json", "application/x-ndjson"),
        lambda record, _site: (msgspec.json.encode(record).decode(), "\n"),
    ),
    "sgf": Form(
        *("SGF", ".sgf", "application/x-go-sgf; charset=utf-8", "application/x-go-sgf; charset=utf-8"),
        write_sgf,
    ),
    "playok": Form("PlayOK's list", ".playok.txt", _TEXT, _TEXT, write_numbered),
}
"""The formats by their names in addresses and commands."""
