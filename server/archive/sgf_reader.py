"""Reads matches in SGF: see `server.archive.sgf`. Pure; `server.archive.record_reader` replays the moves."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from millrace.engine.games import GAMES

from .record import RecordError
from .sgf import GLYPHS, OTHER_GLYPH, SIDES, TAGS
from .tokenizer import MAX_GLYPH, NEW_LINE, Tag, Word
from .written_match import MAX_NESTING, WrittenLine, WrittenMatch, WrittenPly

_SETTING_UP = {"AB", "AW", "AE", "PL"}
_SGF = re.compile(r"\ufeff?\s*\(\s*;")
_TOKEN = re.compile(r"(\s*)([();]|[A-Za-z]+|\[(?:[^\\\]]|\\.)*\])", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_NO_RESULT = {"", "?", "void"}
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
        """Consume and return the next token."""
        token = self._next.text
        if token:
            self._next = next(self._tokens)
        return token

    def expect(self, wanted: str) -> None:
        """Consume a token. Raises: RecordError."""
        line, token = self.line, self.take()
        if token != wanted:
            raise RecordError(f"{wanted!r} is expected here, not {token[:40] or 'the end'!r}.", line)


def _tokenize(text: str) -> Iterator[_Token]:
    """Yield the tokens of a text, ending with an empty one. Raises: RecordError."""
    line, at = 1, 0
    while found := _TOKEN.match(text, at):
        line += len(NEW_LINE.findall(found[1]))
        yield _Token(found[2], line)
        line += len(NEW_LINE.findall(found[2]))
        at = found.end()
    rest = text[at:]
    line += len(NEW_LINE.findall(rest[: len(rest) - len(rest.lstrip())]))
    if rest.strip():
        raise RecordError(f"This is not SGF: {rest.strip()[:20]!r}.", line)
    yield _Token("", line)


class _Tree:
    """An open tree: a line of play, from one of its plies on."""

    def __init__(self, line: WrittenLine, depth: int, parent: "_Tree | None" = None) -> None:
        self.line = line
        self.depth = depth
        self.parent = parent
        self.branches = 0
        self.branching = 0
        """The ply at which its children begin, once known."""

    @property
    def is_variation(self) -> bool:
        """Whether it is not the first child, which continues its parent's line."""
        return self.parent is not None and self.line is not self.parent.line

    def branch(self) -> "_Tree":
        """Return the next child."""
        self.branches += 1
        if self.branches == 1:
            self.branching = len(self.line.plies)
            return _Tree(self.line, self.depth, self)
        return _Tree(WrittenLine(), self.depth + 1, self)


class _Match:
    """A match being read."""

    def __init__(self, reader: _Reader, line: int) -> None:
        self._reader = reader
        self._line = line
        self._tags: dict[str, Tag] = {}
        self._result: Word | None = None

    def read(self) -> WrittenMatch:
        """Read a match after its opening parenthesis, up to the closing one. Raises: RecordError."""
        moves = WrittenLine()
        open_tree: _Tree | None = _Tree(moves, 0)
        while open_tree is not None:
            open_tree = self._go_on(open_tree)
        return WrittenMatch(self._tags, moves, self._result, self._line)

    def _go_on(self, tree: _Tree) -> _Tree | None:
        """Read a node, or the start or end of a tree; return the tree that is then open. Raises: RecordError."""
        token, line = self._reader.peek(), self._reader.line
        if token == ";" and tree.branches == 0:
            self._reader.take()
            self._read_node(tree.line)
            return tree
        if token == "(":
            self._reader.take()
            if tree.depth >= MAX_NESTING:
                raise RecordError(f"Variations are nested more than {MAX_NESTING} deep.", line)
            return tree.branch()
        self._reader.expect(")")
        if tree.is_variation and tree.line.plies:
            self._add_variation(tree)
        return tree.parent

    def _add_variation(self, tree: _Tree) -> None:
        parent = tree.parent
        assert parent is not None
        if len(parent.line.plies) <= parent.branching:
            raise RecordError("A variation must follow the move that it replaces.", tree.line.plies[0].line)
        parent.line.plies[parent.branching].variations.append(tree.line)

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
            self._set_tag(each, "Game", _game_of(each))
        elif each.name == "RE":
            result = Word(_result_of(each), each.line)
            if self._result is not None and self._result.text != result.text:
                raise RecordError(f"RE[{each.value}] contradicts the result {self._result.text}.", each.line)
            self._result = result
            if each.value.strip().lower() == "void":
                self._set_tag(each, "Void", "1")
        elif each.name in TAGS:
            self._set_tag(each, TAGS[each.name], each.value.replace("-", ".") if each.name == "DT" else each.value)
        elif each.name == "HA" and each.value.strip() not in _NO_HANDICAP:
            raise RecordError(f"HA[{each.value}]: there is no handicap in this game.", each.line)
        elif each.name in _SETTING_UP:
            raise RecordError(f"{each.name} sets up a position, which is not read from SGF; use FEN.", each.line)
        elif each.name == "C":
            line.comment(" ".join(each.value.split()))
        elif (glyph := _glyph_of(each)) is not None and line.plies:
            line.plies[-1].glyphs.append(glyph)

    def _set_tag(self, each: _Property, name: str, value: str) -> None:
        known = self._tags.setdefault(name.lower(), Tag(name, value, each.line))
        if known.value != value:
            raise RecordError(f"{each.name} is given twice: {known.value!r} and {value!r}.", each.line)

    def _properties(self) -> Iterator[_Property]:
        while self._reader.peek().isalpha():
            line, name = self._reader.line, "".join(filter(str.isupper, self._reader.take()))
            if not self._reader.peek().startswith("["):
                raise RecordError(f"The property {name} has no value.", line)
            while self._reader.peek().startswith("["):
                yield _Property(name, _ESCAPED.sub(r"\1", self._reader.take()[1:-1]), line)


def _game_of(given: _Property) -> str:
    """Return the name of the game. Raises: RecordError."""
    known = {str(game.texts.sgf_number): game for game in GAMES.values() if game.texts.sgf_number is not None}
    game = known.get(given.value.strip())
    if game is None:
        numbers = ", ".join(f"{game.title} is GM[{number}]" for number, game in known.items())
        raise RecordError(f"GM[{given.value}] is not played here; {numbers}.", given.line)
    return game.name


def _glyph_of(given: _Property) -> int | None:
    """Return the number of a glyph; None for another property. Raises: RecordError."""
    value = given.value.strip()
    if given.name == OTHER_GLYPH:
        if not value.isdecimal() or int(value[:9]) > MAX_GLYPH:
            raise RecordError(f"{OTHER_GLYPH}[{given.value}] is not a glyph; they are 0 to {MAX_GLYPH}.", given.line)
        return int(value)
    return GLYPHS.get((given.name, value)) or GLYPHS.get((given.name, "1"))


def _result_of(given: _Property) -> str:
    """Return the result as in PGN. Raises: RecordError."""
    value = given.value.strip().lower()
    if value in _NO_RESULT:
        return "*"
    if value in ("0", "draw"):
        return "1/2-1/2"
    if value.startswith(("w+", "b+")):
        return "1-0" if value.startswith("w") else "0-1"
    raise RecordError(f"RE[{given.value}] is not a result.", given.line)
