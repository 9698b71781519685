"""Reads what somebody has written down, as text or as JSON, and plays it by the rules: only what is a match is taken.

Pure; nothing is stored here.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from millrace.engine.game import NO_MOVE, EngineError, MoveSyntaxError
from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State

from ..matches.clock import find_fault
from ..protocol import ClockSettings
from .record import MOST_PLIES, MatchRecord, PlyRecord, RecordError, SeatRecord
from .record_text import WrittenMatch, parse_clock, parse_matches, parse_result, seat_names_of

LONGEST_NAME = 64
LONGEST_MOVE = 64
LONGEST_SETUP = 2048
"""Characters, as in messages."""
UNKNOWN_NAME = "?"

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
_JSON = re.compile(r"\ufeff?\s*(?:\{\s*\"|\[\s*[{\]])")
"""How JSON begins, and no header and no remark."""
_decoder = msgspec.json.Decoder(MatchRecord)


class Reading(NamedTuple):
    """A match that was read, in its usual form, and where it leads."""

    record: MatchRecord
    state: State


def read_matches(text: str, default_game: str = "") -> Iterator[Reading]:
    """Yield the matches of a text: JSON if it begins like it, else as the server exports them as text.

    `default_game` is played where the text does not say. Raises: RecordError.
    """
    if _JSON.match(text):
        yield from (play(record) for record in _read_json(text))
        return
    for written in parse_matches(text):
        record, lines = _record_of(written, default_game)
        yield play(record, lines, written.line)


def play(record: MatchRecord, lines: Sequence[int] = (), line: int | None = None) -> Reading:
    """Return a match in its usual form if it is one by the rules.

    `lines` are those of its plies, `line` that on which it begins, for what is said of faults. Raises: RecordError.
    """
    if len(record.plies) > MOST_PLIES:
        raise RecordError(f"the match has {len(record.plies)} moves; at most {MOST_PLIES} are taken in.", line)
    if len(record.setup) > LONGEST_SETUP:
        raise RecordError(f"the position has more than {LONGEST_SETUP} characters.", line)
    try:
        state = State.of(find_game(record.game), record.setup)
    except EngineError as error:
        raise RecordError(str(error), line) from None
    seats = state.start.seats
    plies: list[PlyRecord] = []
    for index, ply in enumerate(record.plies):
        before = state
        try:
            state = _after(state, ply.move)
        except EngineError as error:
            raise RecordError(str(error), lines[index] if lines else None, index // seats + 1) from None
        plies.append(PlyRecord(before.format_move(state.move), ply.clock_ms, ply.at_ms))
    names = [SeatRecord(_name(seat.name), seat.kind, seat.rating) for seat in record.seats[:seats]]
    names += [SeatRecord(UNKNOWN_NAME)] * (seats - len(names))
    clock = record.clock if record.clock is not None and find_fault(record.clock) is None else None
    usual = replace(record, seats=tuple(names), plies=tuple(plies), clock=clock, words=_name(record.words, 200))
    return Reading(_with_result(usual, state, line), state)


def _after(state: State, text: str) -> State:
    if len(text) > LONGEST_MOVE:
        raise MoveSyntaxError(f"{text[:LONGEST_MOVE]}… is no move.")
    move = state.parse_move(text)
    # As in `State.from_moves`: a pass may also be that of a seat that is skipped.
    return state.skip() if move == state.game.rules.forced_pass != NO_MOVE else state.play(move)


def _with_result(record: MatchRecord, state: State, line: int | None) -> MatchRecord:
    """Return a match with the result that it has by the rules, if it has one; else that which stands there."""
    ranks, outcome = record.ranks, state.outcome
    if ranks is not None and (len(ranks) != state.start.seats or 1 not in ranks):
        raise RecordError(f"The result is not one for {state.start.seats} seats.", line)
    if outcome is None:
        return record
    if ranks is not None and len(ranks) == 2 and ranks != outcome.ranks:
        raise RecordError("The result is another than that to which the moves lead by the rules.", line)
    return replace(record, ranks=ranks or outcome.ranks, termination=record.termination or outcome.reason)


def _record_of(written: WrittenMatch, default_game: str) -> tuple[MatchRecord, list[int]]:
    tags = written.tags
    game = tags.get("Game", default_game).strip().lower()
    if game not in GAMES:
        known = ", ".join(GAMES)
        said = f"There is no game {game!r}" if game else "The match does not say which game it is"
        raise RecordError(f'{said}: [Game "NAME"] with one of {known} does.', written.line)
    record = MatchRecord(
        id=tags.get("Site", "").rpartition("/match/")[2],
        game=game,
        setup=tags.get("Position", ""),
        seats=_seats_of(tags, seat_names_of(game)),
        clock=_clock_of(tags),
        rated=tags.get("Event", "").startswith("Rated"),
        imported=tags.get("Event", "").startswith("Imported"),
        started_ms=_moment_ms(tags.get("UTCDate", tags.get("Date", "")), tags.get("UTCTime", "")),
        ended_ms=_moment_ms(*tags.get("UTCEnd", "").partition(" ")[::2]),
        ranks=_ranks_of(written),
        termination="" if (reason := tags.get("Termination", "")) == "unterminated" else reason,
        words=tags.get("Ending", ""),
        void=tags.get("Void") == "1",
        plies=tuple(PlyRecord(ply.move, ply.clock_ms) for ply in written.plies),
    )
    return record, [ply.line for ply in written.plies]


def _seats_of(tags: Mapping[str, str], names: Sequence[str]) -> tuple[SeatRecord, ...]:
    seats = []
    for number, name in enumerate(names, 1):
        player = tags.get(name, tags.get(f"Seat{number}"))
        if player is None:
            seats.append(SeatRecord(UNKNOWN_NAME))
            continue
        rating = tags.get(f"{name}Rating", tags.get(f"{name}Elo", ""))
        is_program = tags.get(f"{name}Type") == "program"
        seats.append(
            SeatRecord(
                player,
                "bot" if is_program else "person",
                int(rating) if rating.isdecimal() and len(rating) < 5 else None,
            )
        )
    return tuple(seats)


def _ranks_of(written: WrittenMatch) -> tuple[int, ...] | None:
    """Return the result behind the moves, or else that of the header. Raises: RecordError."""
    for word in (written.result, written.tags.get("Result")):
        if word not in (None, "*", ""):
            try:
                return parse_result(str(word))
            except ValueError as error:
                raise RecordError(str(error), written.line) from None
    return None


def _clock_of(tags: Mapping[str, str]) -> ClockSettings | None:
    return parse_clock(tags.get("TimeControl", "-"), tags.get("TimeLimit", ""))


def _moment_ms(date: str, time: str) -> int | None:
    """Return a moment, its day at least; None if it is not known."""
    for text, form in ((f"{date} {time}", "%Y.%m.%d %H:%M:%S"), (date, "%Y.%m.%d")):
        try:
            moment = datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
        return max(0, int(moment.timestamp() * 1000))
    return None


def _name(text: str, most: int = LONGEST_NAME) -> str:
    """Return a name as it may be shown to others."""
    return " ".join(_CONTROL.sub(" ", text).split())[:most] or ("" if most != LONGEST_NAME else UNKNOWN_NAME)


def _read_json(text: str) -> Iterator[MatchRecord]:
    """Yield the records of an array, of one object, or of one on each line. Raises: RecordError."""
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("["):
        yield from _decoded(msgspec.json.Decoder(list[MatchRecord]).decode, text, None)
        return
    # Within its strings JSON may hold what else ends a line.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and not lines[0][1].rstrip().endswith("}"):
        lines = [(1, text)]
    for number, line in lines:
        yield from _decoded(lambda one: [_decoder.decode(one)], line, number)


def _decoded(decode: Callable[[str], list[MatchRecord]], text: str, line: int | None) -> list[MatchRecord]:
    try:
        return decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RecordError(f"This is no match as JSON: {error}", line) from None
