"""What a text of matches is made of: tags, words and remarks, each with its line; variations are passed over.

Pure, and knows neither games nor what a word means.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .record import RecordError

LONGEST_HEADER = 4_096
"""Characters."""

_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_TOKEN = re.compile(r"[{}()]|;.*|\$\d+|[^\s{}();]+")
_NUMBER = re.compile(r"^\d+\.+")
_GLYPHS = "!?"


class Tag(NamedTuple):
    """A header: `[Name "value"]`."""

    name: str
    value: str
    line: int


class Word(NamedTuple):
    """A move or a result, without the number before it and the glyphs behind it."""

    text: str
    line: int


class Remark(NamedTuple):
    """What stands between braces."""

    text: str
    line: int


Token = Tag | Word | Remark


def scan(text: str) -> Iterator[Token]:
    """Yield what a text is made of. Raises: RecordError."""
    scanner = _Scanner()
    for line, content in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        yield from scanner.read(line, content)
    scanner.end()


class _Scanner:
    """Reads line by line; a remark or a variation may go over several."""

    def __init__(self) -> None:
        self._depth = 0
        """So many variations are open."""
        self._remark: list[str] | None = None
        """What the remark that is open says so far, by lines."""
        self._opened = 0
        """On which line that was opened."""

    def read(self, line: int, content: str) -> Iterator[Token]:
        """Yield what ends on a line. Raises: RecordError."""
        if self._remark is None and not self._depth:
            if content.startswith("%"):
                return
            if content.lstrip().startswith("["):
                yield _tag(line, content)
                return
        begin = 0
        while begin < len(content):
            if self._remark is not None:
                closing = content.find("}", begin)
                end = len(content) if closing < 0 else closing
                yield from self._go_on(content[begin:end], is_closed=closing >= 0)
                begin = end + 1
            elif found := _TOKEN.search(content, begin):
                begin = found.end()
                yield from self._take(line, found[0])
            else:
                return

    def end(self) -> None:
        """Accept the end of the text. Raises: RecordError."""
        if self._remark is not None or self._depth:
            what = "remark" if self._remark is not None else "variation"
            raise RecordError(f"The {what} that is opened here is never closed.", self._opened)

    def _go_on(self, inside: str, *, is_closed: bool) -> Iterator[Token]:
        assert self._remark is not None
        self._remark.append(inside)
        if is_closed:
            if not self._depth:
                yield Remark(" ".join(self._remark).strip(), self._opened)
            self._remark = None

    def _take(self, line: int, token: str) -> Iterator[Token]:
        match token:
            case "{":
                self._remark, self._opened = [], line
            case "(":
                self._depth, self._opened = self._depth + 1, line
            case ")" if self._depth:
                self._depth -= 1
            case ")" | "}":
                raise RecordError(f"There is a {token} here that closes nothing.", line)
            case _ if not self._depth and token[0] not in ";$":
                word = _NUMBER.sub("", token).rstrip(_GLYPHS)
                if word:
                    yield Word(word, line)
            case _:
                pass


def _tag(line: int, content: str) -> Tag:
    if len(content) > LONGEST_HEADER:
        raise RecordError(f"a header has at most {LONGEST_HEADER:,} characters.", line)
    found = _TAG.fullmatch(content.strip())
    if found is None:
        raise RecordError('a header is written [Name "value"], alone on its line.', line)
    return Tag(found[1], re.sub(r"\\(.)", r"\1", found[2]), line)
