"""Reads matches in SGF: see `server.archive.sgf`. Pure; `server.archive.record_reader` replays the moves."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from millrace.engine.games import GAMES

from .record import RecordError
from .result_words import is_result
from .sgf import GLYPHS, OTHER_GLYPH, OTHER_TAG, REASONS, SETTING_UP, SIDES, TAGS, USED
from .tokenizer import MAX_GLYPH, NEW_LINE, RECORD_LINE, Tag, Word, is_prose
from .written_match import MAX_NESTING, PROSE_LEFT_OUT, WrittenLine, WrittenMatch, WrittenPly

_SGF = re.compile(r"(\ufeff?\s*)\(\s*;")
_SGF_AFTER_TEXT = re.compile(r"^[ \t]*\(\s*;\s*[A-Za-z]+\s*\[", re.MULTILINE)
_TOKEN = re.compile(r"(\s*)([();]|[A-Za-z]+|\[(?:[^\\\]]|\\.)*\])", re.DOTALL)
_ESCAPED = re.compile(r"\\(?:\r\n|\n\r|[\r\n]|(.))", re.DOTALL)
"""A line break that is none, or a character."""
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)
_SECONDS = re.compile(r"(?:\d{1,9}|[12]\d{9}|3[0-5]\d{8})(?:\.\d{1,3})?", re.ASCII)
"""Less than a million hours, as in `record.ClockTime`."""
_USUAL_RESULT = re.compile(r"[WB]\+(?:R|Resign|T|Time)?|0|Draw|\?|Void|", re.IGNORECASE)
_NO_PROSE = re.compile(r"[^\r\n\S]*\S|\s*\(")
"""What follows a match that has no text after it, which begins on a new line."""
_PROSE = " "
"""The token for text after a match."""
_OTHER_TAG_NAME = re.compile("[A-Za-z0-9_]+")
_POINT_OF_GO = re.compile("[a-s]{2}")
_NO_MOVE = "--"
"""The word for a node whose player does not move, which SGF leaves empty."""
_NO_RESULT = {"", "?", "void"}
_NO_HANDICAP = {"", "0"}
_OF_THE_FORMAT = {"FF", "CA", "AP", "ST", "HA", *SIDES}
"""Properties that say nothing about the match, or are used elsewhere."""


class _Property(NamedTuple):
    name: str
    value: str
    line: int


def sgf_beginning(text: str) -> int | None:
    r"""Return where SGF begins in a text, possibly after text of a letter; None if it is no SGF.

    >>> sgf_beginning("(;GM[5];W[d6])"), sgf_beginning("Hello\n\n(;GM[5];W[d6])"), sgf_beginning("(1. d6)")
    (0, 7, None)
    """
    if (found := _SGF.match(text)) is not None:
        return found.end(1)
    found = _SGF_AFTER_TEXT.search(text)
    return None if found is None or RECORD_LINE.search(text, 0, found.start()) else found.start()


def parse_sgf(text: str) -> Iterator[WrittenMatch]:
    """Yield the matches of a text in SGF. Raises: RecordError."""
    reader = _Reader(text.removeprefix("\ufeff"))
    while reader.peek():
        begins = reader.line
        reader.expect("(")
        match = _Match(reader, begins).read()
        if reader.peek() == _PROSE:
            reader.take()
            match = match._replace(left_out=(*match.left_out, PROSE_LEFT_OUT))
        yield match


class _Token(NamedTuple):
    """A parenthesis, a semicolon, a name, a value with its brackets, or `_PROSE`; empty at the end."""

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
    line, at, depth = 1, 0, 0
    while found := _TOKEN.match(text, at):
        line += len(NEW_LINE.findall(found[1]))
        yield _Token(found[2], line)
        line += len(NEW_LINE.findall(found[2]))
        at = found.end()
        depth += {"(": 1, ")": -1}.get(found[2], 0)
        if depth == 0:
            end = _end_of_prose(text, at)
            if end > at:
                yield _Token(_PROSE, line)
            line += len(NEW_LINE.findall(text, at, end))
            at = end
    rest = text[at:]
    line += len(NEW_LINE.findall(rest[: len(rest) - len(rest.lstrip())]))
    if rest.strip():
        raise RecordError(f"This is not SGF: {rest.strip()[:20]!r}.", line)
    yield _Token("", line)


def _end_of_prose(text: str, begin: int) -> int:
    """Return where the text after a match ends; where it begins, if there is none."""
    if _NO_PROSE.match(text, begin):
        return begin
    found = _SGF_AFTER_TEXT.search(text, begin)
    end = len(text) if found is None else found.start()
    return end if is_prose(text[begin:end]) else begin


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
        self._reason: Tag | None = None
        self._is_at_root = True
        self._left_out: set[str] = set()
        """The names of properties that are not kept."""

    def read(self) -> WrittenMatch:
        """Read a match after its opening parenthesis, up to the closing one. Raises: RecordError."""
        moves = WrittenLine()
        open_tree: _Tree | None = _Tree(moves, 0)
        while open_tree is not None:
            open_tree = self._go_on(open_tree)
        if "game" not in self._tags and ("sz" in self._tags or _has_points_of_go(moves)):
            raise RecordError("A record in SGF without GM is one of Go, which is not played here.", self._line)
        if self._reason is not None:
            self._tags.setdefault("termination", self._reason)
        names = ", ".join(sorted(self._left_out))
        left_out = (f"These properties of SGF were left out: {names}.",) if names else ()
        return WrittenMatch(self._tags, moves, self._result, self._line, left_out)

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
            line.plies.append(WrittenPly(move.value.strip() or _NO_MOVE, move.line, side=SIDES.index(move.name)))
        uses = Counter(each.name for each in properties)
        for each in properties:
            self._use(each, line, is_single=uses[each.name] == 1)
        self._is_at_root = False

    def _use(self, each: _Property, line: WrittenLine, *, is_single: bool) -> None:
        """Use a property other than the move. Raises: RecordError."""
        if self._use_of_match(each) or _use_at_ply(each, line) or each.name in _OF_THE_FORMAT:
            return
        if self._is_at_root and is_single and each.name not in USED and len(each.name) <= 2:
            self._set_tag(each, each.name, " ".join(each.value.split()))
        else:
            self._left_out.add(each.name)

    def _use_of_match(self, each: _Property) -> bool:
        """Use a property of the match; return whether it is one. Raises: RecordError."""
        value = " ".join(each.value.split())
        own_name, _, own_value = value.partition(":")
        if each.name == "GM":
            self._set_tag(each, "Game", _game_of(each))
        elif each.name == "RE":
            self._set_result(each, value)
        elif each.name == "DT":
            self._set_date(each, value)
        elif each.name == "RU":
            self._set_tag(each, "Rules", value)
        elif each.name in TAGS:
            self._set_tag(each, TAGS[each.name], value)
        elif each.name == OTHER_TAG and _OTHER_TAG_NAME.fullmatch(own_name):
            self._set_tag(each, own_name, own_value)
        elif each.name == "HA" and value not in _NO_HANDICAP:
            raise RecordError(f"HA[{each.value}]: there is no handicap in this game.", each.line)
        elif each.name in SETTING_UP:
            raise RecordError(f"{each.name} sets up a position, which is not read from SGF; use FEN.", each.line)
        else:
            return False
        return True

    def _set_result(self, each: _Property, value: str) -> None:
        result = Word(_result_of(each), each.line)
        if self._result is not None and self._result.text != result.text:
            raise RecordError(f"RE[{each.value}] contradicts the result {self._result.text}.", each.line)
        if value.lower() == "void":
            # A tag may give the result that does not count.
            self._set_tag(each, "Void", "1")
        else:
            self._result = result
        if _USUAL_RESULT.fullmatch(value) is None:
            self._set_tag(each, "RE", value)
        elif (reason := REASONS.get(value[2:3].upper())) is not None:
            self._reason = Tag("Termination", reason, each.line)

    def _set_tag(self, each: _Property, name: str, value: str) -> None:
        known = self._tags.setdefault(name.lower(), Tag(name, value, each.line))
        if known.value != value:
            raise RecordError(f"{each.name} is given twice: {known.value!r} and {value!r}.", each.line)

    def _set_date(self, each: _Property, value: str) -> None:
        """Use a date. It is the first of several days, and is kept as a whole unless it is one date."""
        found = _DATE.match(value)
        if found is not None:
            self._tags.setdefault("date", Tag("Date", ".".join(part or "??" for part in found.groups()), each.line))
        if found is None or found[0] != value:
            self._set_tag(each, "DT", value)

    def _properties(self) -> Iterator[_Property]:
        while self._reader.peek().isalpha():
            line, name = self._reader.line, "".join(filter(str.isupper, self._reader.take()))
            if not self._reader.peek().startswith("["):
                raise RecordError(f"The property {name} has no value.", line)
            while self._reader.peek().startswith("["):
                yield _Property(name, _ESCAPED.sub(lambda found: found[1] or "", self._reader.take()[1:-1]), line)


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
    if is_result(value):
        return value
    raise RecordError(f"RE[{given.value}] is not a result.", given.line)


def _use_at_ply(each: _Property, line: WrittenLine) -> bool:
    """Use a property of the latest ply of a line, or a comment; return whether it is one. Raises: RecordError."""
    ply = line.plies[-1] if line.plies else None
    if each.name == "C":
        line.comment(each.value.strip())
    elif ply is not None and (glyph := _glyph_of(each)) is not None:
        ply.glyphs.append(glyph)
    elif ply is not None and each.name == f"{SIDES[ply.side or 0]}L" and _SECONDS.fullmatch(each.value.strip()):
        ply.clock_ms = round(1000 * float(each.value))
    else:
        return False
    return True


def _has_points_of_go(line: WrittenLine) -> bool:
    return any(_POINT_OF_GO.fullmatch(ply.word) for ply in line.plies)
