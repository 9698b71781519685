"""Matches in SGF, the smart game format of Kierulf: of the games here, it has a number for Nine Men's Morris only (5).

    (;GM[5]PW[Ann]PB[Ben]RE[W+];W[a7];B[b6];W[d7]C[good])

Each node with `W` or `B` is a move, in this project's text. The first child of a node goes on with the match; the
others are variations. See red-bean.com/sgf. Pure.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .record import RecordError
from .tokenizer import NEW_LINE, Tag, Word
from .written_match import MAX_NESTING, WrittenLine, WrittenMatch, WrittenPly

MORRIS_NUMBER = "5"
SIDES = ("W", "B")
TAGS = {
    **{"PW": "White", "PB": "Black", "WR": "WhiteElo", "BR": "BlackElo"},
    **{"DT": "Date", "EV": "Event", "PC": "Place", "RO": "Round", "RU": "Rules"},
}
"""The tags of properties of the match."""
_GLYPHS = {"TE": 1, "BM": 2, "DO": 6, "IT": 5}
_SETTING_UP = {"AB", "AW", "AE", "PL"}
_SGF = re.compile(r"\ufeff?\s*\(\s*;")
_TOKEN = re.compile(r"(\s*)([();]|[A-Za-z]+|\[(?:[^\\\]]|\\.)*\])", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_UNRANKED = {"", "?", "void"}
_NO_HANDICAP = {"", "0"}


class _Property(NamedTuple):
    name: str
    value: str
    line: int


def is_sgf(text: str) -> bool:
    """Return whether a text begins like SGF.

    >>> is_sgf("(;GM[5];W[d6])"), is_sgf("(1. d6)")
    (True, False)
    """
    return _SGF.match(text) is not None


def parse_sgf(text: str) -> Iterator[WrittenMatch]:
    """Yield the matches of a text in SGF. Raises: RecordError."""
    reader = _Reader(text.removeprefix("\ufeff"))
    while reader.peek():
        begins = reader.line
        reader.expect("(")
        yield _Match(reader, begins).read()


class _Token(NamedTuple):
    """A parenthesis, a semicolon, a name, or a value with its brackets; empty at the end."""

    text: str
    line: int


class _Reader:
    """The tokens of a text. Raises: RecordError."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokenize(text)
        self._next = next(self._tokens)

    @property
    def line(self) -> int:
        """The line of the next token."""
        return self._next.line

    def peek(self) -> str:
        """Return the next token."""
        return self._next.text

    def take(self) -> str:
        """Return the next token and go on."""
        token = self._next.text
        if token:
            self._next = next(self._tokens)
        return token

    def expect(self, wanted: str) -> None:
        """Take a token. Raises: RecordError."""
        line, token = self.line, self.take()
        if token != wanted:
            raise RecordError(f"Here {wanted!r} is expected, not {token[:40] or 'the end'!r}.", line)


def _tokenize(text: str) -> Iterator[_Token]:
    """Yield the tokens of a text, the last of them empty. Raises: RecordError."""
    line, at = 1, 0
    while found := _TOKEN.match(text, at):
        line += len(NEW_LINE.findall(found[1]))
        yield _Token(found[2], line)
        line += len(NEW_LINE.findall(found[2]))
        at = found.end()
    rest = text[at:]
    line += len(NEW_LINE.findall(rest[: len(rest) - len(rest.lstrip())]))
    if rest.strip():
        raise RecordError(f"This is no SGF: {rest.strip()[:20]!r}.", line)
    yield _Token("", line)


class _Match:
    """A match while it is read."""

    def __init__(self, reader: _Reader, line: int) -> None:
        self._reader = reader
        self._line = line
        self._tags: dict[str, Tag] = {}
        self._result: Word | None = None

    def read(self) -> WrittenMatch:
        moves = WrittenLine()
        self._read_tree(moves, 0)
        return WrittenMatch(self._tags, moves, self._result, self._line)

    def _read_tree(self, line: WrittenLine, depth: int) -> None:
        """Read a tree after its opening parenthesis, up to the closing one. Raises: RecordError."""
        if depth > MAX_NESTING:
            raise RecordError(f"Variations are nested more than {MAX_NESTING} deep.", self._reader.line)
        while self._reader.peek() == ";":
            self._reader.take()
            self._read_node(line)
        branches: list[WrittenLine] = []
        while self._reader.peek() == "(":
            self._reader.take()
            branch = line if not branches else WrittenLine()
            before = len(line.plies)
            self._read_tree(branch, depth + 1)
            branches.append(branch)
            if branch is line:
                first = line.plies[before] if len(line.plies) > before else None
            elif branch.plies and first is None:
                raise RecordError("A variation follows the move that it replaces; here is none.", branch.plies[0].line)
            elif branch.plies and first is not None:
                first.variations.append(branch)
        self._reader.expect(")")

    def _read_node(self, line: WrittenLine) -> None:
        properties = list(self._properties())
        moves = [each for each in properties if each.name in SIDES]
        if len(moves) > 1:
            second = f"{moves[1].name}[{moves[1].value}]"
            raise RecordError(f"{second} is a second move in one node; a node has one.", moves[1].line)
        for move in moves:
            line.plies.append(WrittenPly(move.value.strip(), move.line, side=SIDES.index(move.name)))
        for each in properties:
            self._use(each, line)

    def _use(self, each: _Property, line: WrittenLine) -> None:
        """Use a property other than the move. Raises: RecordError."""
        if each.name == "GM":
            if each.value.strip() != MORRIS_NUMBER:
                raise RecordError(f"GM[{each.value}] is not played here; Nine Men's Morris is GM[5].", each.line)
            self._tags["game"] = Tag("Game", "morris", each.line)
        elif each.name == "RE":
            result = Word(_result_of(each), each.line)
            if self._result is not None and self._result.text != result.text:
                raise RecordError(f"RE[{each.value}] contradicts the result {self._result.text}.", each.line)
            self._result = result
        elif each.name in TAGS:
            name, value = TAGS[each.name], each.value
            value = value.replace("-", ".") if each.name == "DT" else value
            known = self._tags.setdefault(name.lower(), Tag(name, value, each.line))
            if known.value != value:
                raise RecordError(f"{each.name} is given twice: {known.value!r} and {value!r}.", each.line)
        elif each.name == "HA" and each.value.strip() not in _NO_HANDICAP:
            raise RecordError(f"HA[{each.value}]: there is no handicap in this game.", each.line)
        elif each.name in _SETTING_UP:
            raise RecordError(f"{each.name} sets up a position, which is not read from SGF; use FEN.", each.line)
        elif each.name == "C":
            line.comment(" ".join(each.value.split()))
        elif each.name in _GLYPHS and line.plies:
            line.plies[-1].glyphs.append(_GLYPHS[each.name])

    def _properties(self) -> Iterator[_Property]:
        while self._reader.peek().isalpha():
            line, name = self._reader.line, "".join(filter(str.isupper, self._reader.take()))
            if not self._reader.peek().startswith("["):
                raise RecordError(f"The property {name} has no value.", line)
            while self._reader.peek().startswith("["):
                yield _Property(name, _ESCAPED.sub(r"\1", self._reader.take()[1:-1]), line)


def _result_of(given: _Property) -> str:
    """Return the result as in PGN. Raises: RecordError."""
    value = given.value.strip().lower()
    if value in _UNRANKED:
        return "*"
    if value in ("0", "draw"):
        return "1/2-1/2"
    if value.startswith(("w+", "b+")):
        return "1-0" if value.startswith("w") else "0-1"
    raise RecordError(f"RE[{given.value}] is not a result.", given.line)
