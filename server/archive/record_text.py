"""Matches as text like PGN, the portable game notation of chess: tags, then moves. Pure.

This module does not know the rules; `server.archive.record_reader` replays the moves.

    [Event "Rated match"]
    [White "Beatrix"]
    [Black "Bot, level 3"]
    [Result "1-0"]
    [Game "morris"]

    1. d6 {[%clk 0:04:58.2]} f4 {[%clk 0:04:59]} 2. a4 *

Reading is more lenient than writing: tags may be missing; comments, variations, glyphs and move numbers are skipped.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from millrace.engine.game import UnknownGameError
from millrace.engine.games import find_game

from ..protocol import ClockSettings
from .record import MatchRecord
from .tokenizer import Comment, Tag, Word, tokenize

LINE_LENGTH = 80
DECIDED_FOR_TWO = {(1, 2): "1-0", (2, 1): "0-1", (1, 1): "1/2-1/2"}
NO_RESULT = "*"

_CLOCK = re.compile(r"\[%clk\s+(\d{1,6}):(\d\d?):(\d\d?(?:\.\d{1,3})?)\s*\]")
_SECONDS = r"(\d{1,9}(?:\.\d{1,3})?)"
_TIME_CONTROL = re.compile(rf"(?:(1/)(\d{{1,9}})|{_SECONDS}(?:([+d])(?:(\d{{1,2}})x)?{_SECONDS})?)", re.ASCII)
_RANKS = re.compile(r"[1-4](?::[1-4]){2,3}")
_PLAIN = re.compile(r"[\x00-\x1f\x7f]+")


class WrittenPly(NamedTuple):
    """A move as it was written."""

    move: str
    line: int
    clock_ms: int | None = None


class WrittenMatch(NamedTuple):
    """A match as it was written."""

    tags: Mapping[str, str]
    plies: Sequence[WrittenPly]
    result: str | None
    """The result after the moves; None if there is none."""
    line: int
    """The line on which the match begins."""


def format_match(record: MatchRecord, site: str = "") -> str:
    """Return a match as text that ends with an empty line; `site` is the match's URL."""
    tags = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in _tags_of(record, site))
    words = [*_tokens_of(record), format_result(record.ranks)]
    return f"{tags}\n{_wrapped(words)}\n\n"


def format_result(ranks: Sequence[int] | None) -> str:
    """Return a result as text: for two seats as in chess, for more the rank of each.

    >>> format_result((2, 1)), format_result((1, 3, 2)), format_result(None)
    ('0-1', '1:3:2', '*')
    """
    if ranks is None:
        return NO_RESULT
    return DECIDED_FOR_TWO[ranks[0], ranks[1]] if len(ranks) == 2 else ":".join(map(str, ranks))


def parse_result(word: str) -> tuple[int, ...] | None:
    """Parse a result; None for a match without one. Raises: ValueError.

    >>> parse_result("1/2-1/2"), parse_result("1:3:2"), parse_result("*")
    ((1, 1), (1, 3, 2), None)
    """
    if word == NO_RESULT:
        return None
    if _RANKS.fullmatch(word):
        return tuple(map(int, word.split(":")))
    for ranks, name in DECIDED_FOR_TWO.items():
        if word == name:
            return ranks
    raise ValueError(f"{word!r} is not a result.")


def parse_matches(text: str) -> Iterator[WrittenMatch]:
    """Yield the matches of a text, in order. Raises: RecordError."""
    tags: dict[str, str] = {}
    plies: list[WrittenPly] = []
    begins: int | None = None
    for token in tokenize(text):
        line = token.line
        if isinstance(token, Comment):
            if plies:
                plies[-1] = _with_clock(plies[-1], token.text)
            continue
        if isinstance(token, Word) and _is_result(token.text):
            yield WrittenMatch(tags, plies, token.text, begins or line)
            tags, plies, begins = {}, [], None
            continue
        if isinstance(token, Tag):
            if plies:
                yield WrittenMatch(tags, plies, None, begins or line)
                tags, plies, begins = {}, [], None
            tags[token.name] = token.value
        else:
            plies.append(WrittenPly(token.text, line))
        begins = begins or line
    if tags or plies:
        yield WrittenMatch(tags, plies, None, begins or 1)


def format_clock(settings: ClockSettings | None) -> str:
    """Return a clock as the tag `TimeControl` has it.

    >>> format_clock(ClockSettings(300_000, 2_000)), format_clock(ClockSettings(86_400_000, renews=True))
    ('300+2', '1/86400')
    >>> format_clock(ClockSettings(300_000, periods=3, period_ms=10_000))
    '300+3x10'
    """
    if settings is None:
        return "-"
    initial = _seconds(settings.initial_ms)
    if settings.renews:
        return f"1/{initial}"
    if settings.periods:
        return f"{initial}+{settings.periods}x{_seconds(settings.period_ms)}"
    return (
        f"{initial}d{_seconds(settings.delay_ms)}"
        if settings.delay_ms
        else f"{initial}+{_seconds(settings.increment_ms)}"
    )


def parse_clock(text: str, limit: str = "") -> ClockSettings | None:
    """Read it again; None for none, and for what is no clock of ours."""
    found = _TIME_CONTROL.fullmatch(text)
    if found is None:
        return None
    renews, daily, initial, kind, periods, more = found.groups()
    more_ms = round(1000 * float(more or 0))
    limit_ms = 1000 * int(limit) if limit.isdecimal() and len(limit) < 9 else None
    if periods is not None:
        period_ms = more_ms if kind == "+" else 0
        return ClockSettings(round(1000 * float(initial)), 0, limit_ms, periods=int(periods), period_ms=period_ms)
    return ClockSettings(
        round(1000 * float(daily or initial)),
        more_ms if kind == "+" else 0,
        limit_ms,
        more_ms if kind == "d" else 0,
        renews is not None,
    )


def seat_names_of(game: str) -> tuple[str, ...]:
    """Return what the seats of a game are called; also in its tags. Raises: UnknownGameError."""
    return find_game(game).seat_names


def _tags_of(record: MatchRecord, site: str) -> Iterator[tuple[str, str]]:
    event = "Imported match" if record.imported else "Rated match" if record.rated else "Casual match"
    yield "Event", event
    yield "Site", site or "?"
    yield "Date", _moment(record.started_ms, "%Y.%m.%d", "????.??.??")
    yield "Round", "-"
    names = _names_for(record)
    for name, seat in zip(names, record.seats, strict=True):
        yield name, seat.name
    yield "Result", format_result(record.ranks)
    if record.started_ms is not None:
        yield "UTCTime", _moment(record.started_ms, "%H:%M:%S", "")
    if record.ended_ms is not None:
        yield "UTCEnd", _moment(record.ended_ms, "%Y.%m.%d %H:%M:%S", "")
    for name, seat in zip(names, record.seats, strict=True):
        if seat.rating is not None:
            yield f"{name}Rating", str(seat.rating)
        if seat.kind == "bot":
            yield f"{name}Type", "program"
    yield "Game", record.game
    yield "TimeControl", format_clock(record.clock)
    if record.clock is not None and record.clock.match_limit_ms is not None:
        yield "TimeLimit", str(record.clock.match_limit_ms // 1000)
    if record.setup:
        yield "SetUp", "1"
        yield "Position", record.setup
    yield "Termination", record.termination or "unterminated"
    if record.explanation:
        yield "Ending", record.explanation
    if record.void:
        yield "Void", "1"
    yield "PlyCount", str(len(record.plies))


def _names_for(record: MatchRecord) -> tuple[str, ...]:
    try:
        names = seat_names_of(record.game)
    except UnknownGameError:
        names = ()
    return (
        names[: len(record.seats)]
        if len(names) >= len(record.seats)
        else tuple(f"Seat{n + 1}" for n in range(len(record.seats)))
    )


def _tokens_of(record: MatchRecord) -> Iterator[str]:
    """Yield moves, their numbers and what the clocks showed.

    The seat that moves first has the first ply of every number, wherever a position begins.
    """
    seats = len(record.seats)
    for index, ply in enumerate(record.plies):
        if index % seats == 0:
            yield f"{index // seats + 1}."
        yield ply.move
        if ply.clock_ms is not None:
            yield f"{{[%clk {_clock_text(ply.clock_ms)}]}}"


def _wrapped(words: Sequence[str]) -> str:
    lines, length = [[words[0]]], len(words[0])
    for word in words[1:]:
        if length + 1 + len(word) > LINE_LENGTH:
            lines.append([])
            length = -1
        lines[-1].append(word)
        length += 1 + len(word)
    return "\n".join(" ".join(line) for line in lines)


def _with_clock(ply: WrittenPly, remark: str) -> WrittenPly:
    clock = _CLOCK.search(remark)
    return ply if clock is None else ply._replace(clock_ms=_milliseconds(*clock.groups()))


def _is_result(word: str) -> bool:
    return word == NO_RESULT or word in DECIDED_FOR_TWO.values() or _RANKS.fullmatch(word) is not None


def _quoted(value: str) -> str:
    return _PLAIN.sub(" ", value).replace("\\", "\\\\").replace('"', '\\"')


def _moment(at_ms: int | None, form: str, unknown: str) -> str:
    return unknown if at_ms is None else datetime.fromtimestamp(at_ms / 1000, UTC).strftime(form)


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".")


def _clock_text(clock_ms: int) -> str:
    seconds, rest_ms = divmod(max(0, clock_ms), 1000)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return text + (f".{rest_ms:03}".rstrip("0") if rest_ms else "")


def _milliseconds(hours: str, minutes: str, seconds: str) -> int:
    return 3_600_000 * int(hours) + 60_000 * int(minutes) + round(1000 * float(seconds))
