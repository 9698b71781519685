"""Parses matches in text like PGN, the portable game notation of chess: tags, then moves. Pure.

It does not know the rules; `server.archive.record_reader` replays the moves.

Reading is more lenient than writing (`server.archive.record_text`): tags and move numbers may be missing, and a match
may end without a result.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .clock_texts import parse_shown_clock, without_clock
from .record import RecordError
from .result_words import is_result
from .tokenizer import Bracket, Comment, Escape, Glyph, Number, Prose, Tag, Token, Word, tokenize

COMMENTS_LEFT_OUT = "Empty comments were left out."
PARENTHESES_LEFT_OUT = "Parentheses without moves were left out."
ESCAPES_LEFT_OUT = "Lines that begin with % were left out."
PROSE_LEFT_OUT = "The text after the record was left out."
LEFT_OUT = (COMMENTS_LEFT_OUT, PARENTHESES_LEFT_OUT, ESCAPES_LEFT_OUT, PROSE_LEFT_OUT)
MAX_NESTING = 16
"""Maximum depth of variations within variations."""


@dataclass(slots=True)
class WrittenPly:
    """A move as written, with its comments and glyphs."""

    word: str
    line: int | None = None
    clock_ms: int | None = None
    at_ms: int | None = None
    comments: list[str] = field(default_factory=list)
    glyphs: list[int] = field(default_factory=list)
    variations: "list[WrittenLine]" = field(default_factory=list)
    numbers: tuple[Number, ...] = ()
    """The numbers before the move."""
    side: int | None = None
    """The seat that the text names for it, or None."""


@dataclass(slots=True)
class WrittenLine:
    """A line of play as written: that of a match, or a variation."""

    comments: list[str] = field(default_factory=list)
    """The comments before the first move."""
    plies: list[WrittenPly] = field(default_factory=list)

    def comment(self, text: str) -> None:
        """Add a comment to the latest move, or before the first."""
        clock_ms = parse_shown_clock(text)
        if self.plies and clock_ms is not None and self.plies[-1].clock_ms is None:
            self.plies[-1].clock_ms = clock_ms
            text = without_clock(text)
        if text:
            (self.plies[-1].comments if self.plies else self.comments).append(text)


class WrittenMatch(NamedTuple):
    """A match as written."""

    tags: Mapping[str, Tag]
    """By name, in lower case."""
    moves: WrittenLine
    result: Word | None
    """The result after the moves, or None."""
    line: int
    """The line on which the match starts."""
    left_out: Sequence[str] = ()
    """What of the text is in none of these, as sentences."""

    def tag(self, name: str, otherwise: str = "") -> str:
        """Return the value of a tag."""
        found = self.tags.get(name.lower())
        return otherwise if found is None else found.value

    def line_of(self, name: str) -> int:
        """Return the line of a tag, or the line on which the match starts."""
        found = self.tags.get(name.lower())
        return self.line if found is None else found.line


def parse_matches(text: str) -> Iterator[WrittenMatch]:
    """Yield the matches of a text, in order. Raises: RecordError."""
    match, closed, result = _OpenMatch(), None, None
    for token in tokenize(text):
        if isinstance(token, Comment) and closed is not None and result is not None and token.line == result.line:
            closed.moves.comment(token.text)
            continue
        if isinstance(token, Word) and not match.is_in_variation and is_result(token.text):
            _check_result(token, match, result)
            if closed is not None:
                yield closed
            match, closed, result = _OpenMatch(), match.close(token), token
            continue
        if isinstance(token, Word) and closed is not None and result is not None:
            _check_beginning(token, match, closed, result)
        if isinstance(token, Tag) and match.has_moves:
            match.check_tag(token)
            if closed is not None:
                yield closed
            match, closed, result = _OpenMatch(), match.close(None), None
        match.take(token)
    if closed is not None:
        for comment in () if match.has_content else match.remarks:
            closed.moves.comment(comment)
        yield closed if match.has_content else closed._replace(left_out=(*closed.left_out, *match.left_out))
    if match.has_content:
        yield match.close(None)


def _check_result(result: Word, match: "_OpenMatch", before: Word | None) -> None:
    """Check that a result ends a match. Raises: RecordError."""
    if match.has_content:
        return
    if before is not None:
        raise RecordError(f"The result {result.text} follows the result {before.text}; a match has one.", result.line)
    raise RecordError(f"There are no moves before the result {result.text}.", result.line)


def _check_beginning(word: Word, match: "_OpenMatch", before: WrittenMatch, result: Word) -> None:
    """Check that a move after a result begins a match, not that the result is among the moves. Raises: RecordError."""
    if match.has_content or match.is_numbered:
        return
    if word.line == result.line or any(ply.numbers for ply in before.moves.plies):
        problem = f"{word.text[:40]!r} follows the result {result.text}; another match begins with tags or a number."
        raise RecordError(problem, word.line)


def parse_line(text: str) -> WrittenLine:
    """Parse the text of a variation. Raises: RecordError."""
    match = _OpenMatch()
    for token in tokenize(text):
        if isinstance(token, Tag):
            raise RecordError("a variation has no tags.", token.line)
        if isinstance(token, Escape):
            raise RecordError("a variation does not begin with %.", token.line)
        if isinstance(token, Prose):
            raise RecordError("a variation has no text after it.", token.line)
        match.take(token)
    line = match.close(None).moves
    _forget_lines(line)
    return line


def _forget_lines(line: WrittenLine) -> None:
    """Remove the line numbers, which mean nothing for a text within another."""
    for ply in line.plies:
        ply.line, ply.numbers = None, ()
        for variation in ply.variations:
            _forget_lines(variation)


class _OpenMatch:
    """A match being read."""

    def __init__(self) -> None:
        self._tags: dict[str, Tag] = {}
        self._lines = [WrittenLine()]
        """The match's own line, and its open variations."""
        self._numbers: list[list[Number]] = [[]]
        """For each of these lines, the numbers since its latest move."""
        self._begins: int | None = None
        self._left_out: list[str] = []

    @property
    def is_in_variation(self) -> bool:
        return len(self._lines) > 1

    @property
    def has_moves(self) -> bool:
        return bool(self._lines[0].plies)

    @property
    def is_numbered(self) -> bool:
        """Whether a number stands before the next move."""
        return bool(self._numbers[-1])

    @property
    def has_content(self) -> bool:
        return bool(self._tags) or self.has_moves

    @property
    def remarks(self) -> list[str]:
        """The comments before the first move."""
        return self._lines[0].comments

    @property
    def left_out(self) -> tuple[str, ...]:
        """What of the text is not in the match, as sentences."""
        return tuple(dict.fromkeys(self._left_out))

    def check_tag(self, tag: Tag) -> None:
        """Check that a tag after the moves starts another match. Raises: RecordError."""
        if tag.line == self._lines[0].plies[-1].line or self.is_in_variation:
            raise RecordError(f"The tag {tag.name} is among the moves; tags must come first.", tag.line)

    def take(self, token: Token) -> None:
        """Process the next token that does not end the match. Raises: RecordError."""
        line = self._lines[-1]
        match token:
            case Tag():
                self._add_tag(token)
            case Word(text, at_line) if is_result(text):
                if not line.plies:
                    raise RecordError(f"The result {text} is inside parentheses.", at_line)
                line.comment(text)
            case Word(text, at_line):
                numbers, self._numbers[-1] = tuple(self._numbers[-1]), []
                line.plies.append(WrittenPly(text, at_line, numbers=numbers))
            case Number():
                self._numbers[-1].append(token)
            case Comment(text):
                line.comment(text)
                self._left_out += [] if text else [COMMENTS_LEFT_OUT]
                return
            case Escape():
                self._left_out.append(ESCAPES_LEFT_OUT)
                return
            case Prose():
                self._left_out.append(PROSE_LEFT_OUT)
                return
            case Glyph(number, at_line):
                if not line.plies:
                    raise RecordError(f"The glyph ${number} does not follow a move.", at_line)
                line.plies[-1].glyphs.append(number)
            case Bracket(is_opening, at_line):
                self._turn(is_opening, at_line)
        self._begins = self._begins or token.line

    def close(self, result: Word | None) -> WrittenMatch:
        """Return the match."""
        begins = self._begins or (1 if result is None else result.line)
        return WrittenMatch(self._tags, self._lines[0], result, begins, self.left_out)

    def _add_tag(self, tag: Tag) -> None:
        known = self._tags.setdefault(tag.name.lower(), tag)
        if known.value != tag.value:
            raise RecordError(f"The tag {tag.name} is given twice: {known.value!r} and {tag.value!r}.", tag.line)

    def _turn(self, is_opening: bool, at_line: int) -> None:
        """Start or end a variation."""
        if not is_opening:
            ended = self._lines.pop()
            self._numbers.pop()
            if not ended.plies:
                # Some programs put comments between parentheses.
                replaced = self._lines[-1].plies[-1]
                replaced.variations.remove(ended)
                replaced.comments += ended.comments
                self._left_out.append(PARENTHESES_LEFT_OUT)
            return
        plies = self._lines[-1].plies
        if not plies:
            raise RecordError("A variation must follow the move that it replaces; there is none here.", at_line)
        if len(self._lines) > MAX_NESTING:
            raise RecordError(f"Variations are nested more than {MAX_NESTING} deep.", at_line)
        variation = WrittenLine()
        plies[-1].variations.append(variation)
        self._lines.append(variation)
        self._numbers.append([])
