"""Splits a text of matches into tags, numbers, words, glyphs, comments and variations, each with its line. Pure."""

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from .record import RecordError
from .result_words import is_result

MAX_TAG_LENGTH = 4_096
"""Maximum characters of a tag."""

NEW_LINE = re.compile(r"\r\n?|\n")
RECORD_LINE = re.compile(
    r"^[ \t\ufeff]*(?:[\[{;%]|(?!\d\d?\.\d\d?\.\d\d)\d+\.(?![.…\s]*(?!pass\b)[^\W\d_]+\b))",
    re.MULTILINE | re.IGNORECASE,
)
"""The beginning of a line of a record, unlike that of prose, which may begin with a date or number its sentences."""
_PROSE = re.compile(
    r"\b(?!(?:pass|null)\b)[^\W\d_]{3,}|(?<!\S)(?!TN\b|RR\b)[^\W\d_]{2}[,.:!?]*(?!\S)|^[ \t]*[-=_*#~]{3,}[ \t\r]*$",
    re.MULTILINE | re.IGNORECASE,
)
"""A word that is no move, or a line to separate."""
_SIGNATURE = "--"
"""The line before the signature of a letter."""
_COMMENTS = re.compile(r"\{[^}]*(?:\}|\Z)|;.*")
_TAG_BEGINNING = re.compile(r'\[\s*[A-Za-z0-9_]+\s*(?:"|$)')
"""Of a tag that a mail program may have wrapped."""
_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:[^\\]|\\.)*?)"\s*\]')
_ESCAPED = re.compile(r'\\(["\\])')
"""Any other backslash is itself."""
_HALF = r"(?:[01]|1/2|½)"
_SPACED_RESULT = rf"(?<!\S){_HALF}\s+[-\u2010-\u2015\u2212:]\s+{_HALF}(?![^\s;{{}}])"
_TOKEN = re.compile(rf"[\[{{}}()]|;.*|\$\d+|{_SPACED_RESULT}|[^\s{{}}();$]+|\$")
_NUMBER = re.compile(r"(\d{0,9})((?:\.|…)+)")
_END_OF_FILE = "\x1a"
"""The character that some old programs put at the end of a file."""
_DASHES = re.compile("[\u2010-\u2015\u2212]")

GLYPHS = {
    **{"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6},
    **{"□": 7, "=": 10, "∞": 13, "⩲": 14, "⩱": 15, "±": 16, "∓": 17, "+-": 18, "-+": 19},
    **{"+=": 14, "+/=": 14, "=+": 15, "=/+": 15, "+/-": 16, "-/+": 17, "+--": 18, "--+": 19},
    **{"⨀": 22, "⊙": 22, "○": 26, "⟳": 32, "↑": 36, "=∞": 44, "=/∞": 44, "⇆": 132, "⇄": 132, "⨁": 138, "⊕": 138},
    **{"△": 140, "∆": 140, "Δ": 140, "∇": 141, "⌓": 142, "RR": 145, "N": 146, "TN": 146, "D": 220},
    **{"‼": 3, "⁇": 4, "⁉": 5, "⁈": 6},
}
"""The numbers of the signs for glyphs (PGN standard, section 10)."""
MAX_GLYPH = 255
_SIGNS = "|".join(sorted((re.escape(sign) for sign in GLYPHS if not re.search(r"[\w!?]", sign)), key=len, reverse=True))
_SIGN = re.compile(rf"[!?]+|{_SIGNS}")
_SIGNED = re.compile(rf"((?:.*?\w)?)((?:(?>{_SIGN.pattern}))++)")
"""A move, if any, with signs at its end."""


class Tag(NamedTuple):
    """A tag: `[Name "value"]`."""

    name: str
    value: str
    line: int


class Number(NamedTuple):
    """The number of a move: `3.`, or `3...` before a move of a later seat. The dots may be separate."""

    number: int | None
    is_of_later_seat: bool
    """Whether there are several dots."""
    text: str
    line: int


class Word(NamedTuple):
    """A move or a result, without its number and glyphs."""

    text: str
    line: int


class Glyph(NamedTuple):
    """A judgement of the previous move: `$1` is a good move."""

    number: int
    line: int


class Comment(NamedTuple):
    """A comment between braces, or after a semicolon."""

    text: str
    line: int


class Bracket(NamedTuple):
    """The start or the end of a variation."""

    is_opening: bool
    line: int


class Escape(NamedTuple):
    """A line that begins with a percent sign: data of another program, which PGN tells to skip."""

    line: int


class Prose(NamedTuple):
    """Text of a letter after a match."""

    line: int


Token = Tag | Number | Word | Glyph | Comment | Bracket | Escape | Prose


def is_prose(text: str) -> bool:
    """Return whether a text has words that are neither moves nor comments, and no tags.

    >>> is_prose("Dear Ann,"), is_prose("d6 {a mill} f4 pass")
    (True, False)
    """
    return _PROSE.search(_COMMENTS.sub(" ", text)) is not None and _TAG.search(text) is None


def tokenize(text: str) -> Iterator[Token]:
    """Yield the tokens of a text. Raises: RecordError."""
    scanner = _Tokenizer()
    # Lines end as in editors; a file may combine files with their own byte order marks.
    for line, content in enumerate(_lines_of(text), 1):
        yield from scanner.read(line, content.removeprefix("\ufeff").rstrip(_END_OF_FILE))
    scanner.end()


def _lines_of(text: str) -> Iterator[str]:
    """Yield the lines of a text, which may be long, one by one."""
    begin = 0
    for found in NEW_LINE.finditer(text):
        yield text[begin : found.start()]
        begin = found.end()
    yield text[begin:]


class _Tokenizer:
    """Reads line by line; a comment or a variation may span several lines."""

    def __init__(self) -> None:
        self._open: list[int] = []
        """The lines on which the open variations start."""
        self._comment: list[str] | None = None
        """The lines of the open comment so far."""
        self._comment_line = 0
        self._tag = ""
        """The part so far of a tag that continues on the next line."""
        self._tag_line = 0
        self._has_ended = False
        """Whether a match has ended, and the next has not begun."""
        self._is_in_prose = False
        """Whether the text after a match is skipped."""

    def read(self, line: int, content: str) -> Iterator[Token]:
        """Yield the tokens that end on a line. Raises: RecordError."""
        if self._skips(content):
            if not self._is_in_prose:
                yield Prose(line)
            self._is_in_prose = True
            return
        self._is_in_prose = False
        for token in self._read(line, content):
            if not isinstance(token, Comment | Escape | Glyph):
                self._has_ended = isinstance(token, Word) and not self._open and is_result(token.text)
            yield token

    def _skips(self, content: str) -> bool:
        """Return whether a line belongs to text after a match."""
        if not self._has_ended or self._comment is not None or RECORD_LINE.match(content):
            return False
        return self._is_in_prose or content.rstrip() == _SIGNATURE or is_prose(content)

    def _read(self, line: int, content: str) -> Iterator[Token]:
        if self._comment is None and content.startswith("%"):
            yield Escape(line)
            return
        if self._tag:
            if not content.strip() or content.lstrip().startswith("["):
                self._refuse_tag()
            line, content, self._tag = self._tag_line, f"{self._tag} {content.strip()}", ""
        begin = 0
        while begin < len(content):
            if self._comment is not None:
                closing = content.find("}", begin)
                end = len(content) if closing < 0 else closing
                yield from self._go_on(content[begin:end], is_closed=closing >= 0)
                begin = end + 1
            elif found := _TOKEN.search(content, begin):
                _check_comment(line, content, found)
                begin = found.end()
                if found[0].startswith("[") and not self._open:
                    if _is_wrapped(content, found.start()):
                        self._tag, self._tag_line = content[found.start() :].rstrip(), line
                        return
                    tag, begin = _tag_at(line, content, found.start())
                    yield tag
                else:
                    yield from self._take(line, found[0])
            else:
                return

    def end(self) -> None:
        """Check that nothing is open at the end of the text. Raises: RecordError."""
        if self._tag:
            self._refuse_tag()
        if self._comment is not None:
            raise RecordError("The comment that begins here is never closed.", self._comment_line)
        if self._open:
            raise RecordError("The variation that begins here is never closed.", self._open[-1])

    def _refuse_tag(self) -> NoReturn:
        raise _tag_fault(self._tag_line, self._tag)

    def _go_on(self, inside: str, *, is_closed: bool) -> Iterator[Token]:
        assert self._comment is not None
        self._comment.append(inside)
        if is_closed:
            yield Comment(" ".join(self._comment).strip(), self._comment_line)
            self._comment = None

    def _take(self, line: int, token: str) -> Iterator[Token]:
        match token:
            case "{":
                self._comment, self._comment_line = [], line
            case "(":
                self._open.append(line)
                yield Bracket(True, line)
            case ")" if self._open:
                self._open.pop()
                yield Bracket(False, line)
            case ")" | "}":
                raise RecordError(f"This {token} closes nothing.", line)
            case _ if token.startswith(";"):
                yield Comment(token[1:].strip(), line)
            case _ if token.startswith("$"):
                yield _glyph_of(token, line)
            case _:
                yield from _words_of(token, line)


def _check_comment(line: int, content: str, token: re.Match[str]) -> None:
    """Check that a semicolon is not between two words, as a separator. Raises: RecordError."""
    begin = token.start()
    if not token[0].startswith(";") or begin == 0 or len(token[0]) == 1:
        return
    if content[begin - 1].isalnum() and token[0][1].isalnum():
        raise RecordError(f"{token[0][:40]!r} begins a comment; put a space before it.", line)


def _words_of(token: str, line: int) -> Iterator[Token]:
    """Yield the number of a token, its word, then its glyphs."""
    if is_result(token):
        yield Word(token, line)
        return
    word = token
    if found := _NUMBER.match(token):
        number, dots = found.groups()
        is_of_later_seat = "…" in dots or len(dots) > 1
        yield Number(int(number) if number else None, is_of_later_seat, found[0], line)
        word = token[found.end() :]
    plain, move, signs = _DASHES.sub("-", word), word, list[str]()
    if plain in GLYPHS:
        move, signs = "", [plain]
    elif signed := _SIGNED.fullmatch(plain):
        last: list[str] = _SIGN.findall(signed[2])
        if set(last) <= GLYPHS.keys() and len(set(last)) == len(last):
            move, signs = word[: signed.end(1)], last
    if move:
        yield Word(move, line)
    for sign in signs:
        yield Glyph(GLYPHS[sign], line)


def _glyph_of(token: str, line: int) -> Glyph:
    number = token[1:]
    if not number or len(number) > 3 or int(number) > MAX_GLYPH:
        raise RecordError(f"{token[:8]} is not a glyph; they are $0 to ${MAX_GLYPH}.", line)
    return Glyph(int(number), line)


def _tag_at(line: int, content: str, begin: int) -> tuple[Tag, int]:
    """Return the tag at a place in a line, and where it ends. Raises: RecordError."""
    found = _TAG.match(content, begin)
    value = content[begin:] if found is None else _ESCAPED.sub(r"\1", found[2])
    if len(value) > MAX_TAG_LENGTH:
        raise RecordError(f"a tag has at most {MAX_TAG_LENGTH:,} characters.", line)
    if found is None:
        raise _tag_fault(line, value)
    return Tag(found[1], value, line), found.end()


def _is_wrapped(content: str, begin: int) -> bool:
    """Return whether the tag at a place in a line may continue on the next line."""
    return (
        _TAG_BEGINNING.match(content, begin) is not None
        and _TAG.match(content, begin) is None
        and len(content) - begin <= MAX_TAG_LENGTH
    )


def _tag_fault(line: int, text: str) -> RecordError:
    return RecordError(f'a tag is written [Name "value"], not {text[:40].strip()!r}.', line)
