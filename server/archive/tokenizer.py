"""Splits a text of matches into tags, words and comments, each with its line. Variations are skipped. Pure."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .record import RecordError

MAX_TAG_LENGTH = 4_096
"""Maximum characters of a tag."""

_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_TOKEN = re.compile(r"[{}()]|;.*|\$\d+|[^\s{}();]+")
_NUMBER = re.compile(r"^\d+\.+")
_GLYPHS = "!?"


class Tag(NamedTuple):
    """A tag: `[Name "value"]`."""

    name: str
    value: str
    line: int


class Word(NamedTuple):
    """A move or a result, without its number and glyphs."""

    text: str
    line: int


class Comment(NamedTuple):
    """A comment between braces."""

    text: str
    line: int


Token = Tag | Word | Comment


def tokenize(text: str) -> Iterator[Token]:
    """Yield the tokens of a text. Raises: RecordError."""
    scanner = _Tokenizer()
    for line, content in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        yield from scanner.read(line, content)
    scanner.end()


class _Tokenizer:
    """Reads line by line; a comment or a variation may span several lines."""

    def __init__(self) -> None:
        self._depth = 0
        """Number of open variations."""
        self._comment: list[str] | None = None
        """The lines of the open comment so far."""
        self._opened = 0
        """The line on which it was opened."""

    def read(self, line: int, content: str) -> Iterator[Token]:
        """Yield the tokens that end on a line. Raises: RecordError."""
        if self._comment is None and not self._depth:
            if content.startswith("%"):
                return
            if content.lstrip().startswith("["):
                yield _tag(line, content)
                return
        begin = 0
        while begin < len(content):
            if self._comment is not None:
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
        """Check that nothing is open at the end of the text. Raises: RecordError."""
        if self._comment is not None or self._depth:
            what = "comment" if self._comment is not None else "variation"
            raise RecordError(f"The {what} that begins here is never closed.", self._opened)

    def _go_on(self, inside: str, *, is_closed: bool) -> Iterator[Token]:
        assert self._comment is not None
        self._comment.append(inside)
        if is_closed:
            if not self._depth:
                yield Comment(" ".join(self._comment).strip(), self._opened)
            self._comment = None

    def _take(self, line: int, token: str) -> Iterator[Token]:
        match token:
            case "{":
                self._comment, self._opened = [], line
            case "(":
                self._depth, self._opened = self._depth + 1, line
            case ")" if self._depth:
                self._depth -= 1
            case ")" | "}":
                raise RecordError(f"This {token} closes nothing.", line)
            case _ if not self._depth and token[0] not in ";$":
                word = _NUMBER.sub("", token).rstrip(_GLYPHS)
                if word:
                    yield Word(word, line)
            case _:
                pass


def _tag(line: int, content: str) -> Tag:
    if len(content) > MAX_TAG_LENGTH:
        raise RecordError(f"a tag has at most {MAX_TAG_LENGTH:,} characters.", line)
    found = _TAG.fullmatch(content.strip())
    if found is None:
        raise RecordError('a tag is written [Name "value"], alone on its line.', line)
    return Tag(found[1], re.sub(r"\\(.)", r"\1", found[2]), line)
