"""Reads matches from text or JSON and replays them by the rules; anything else is an error. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from millrace.engine.game import NO_MOVE, EngineError, MoveSyntaxError
from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State

from ..identity.user_text import showable_part
from ..matches.clock import find_fault
from ..protocol import ClockSettings
from ..protocol.faults import explain
from .record import MAX_PLIES, MatchRecord, PlyRecord, RecordError, SeatRecord
from .record_text import WrittenMatch, parse_clock, parse_matches, parse_result, seat_names_of

MAX_NAME_LENGTH = 64
MAX_MOVE_LENGTH = 64
MAX_SETUP_LENGTH = 2048
"""Maximum characters, as in messages."""
UNKNOWN_NAME = "?"

_JSON = re.compile(r"\ufeff?\s*(?:\{\s*\"|\[\s*[{\]])")
"""How JSON begins, unlike any tag or comment."""
_decoder = msgspec.json.Decoder(MatchRecord)


class ReadMatch(NamedTuple):
    """A match that was read, in canonical form, and its last state."""

    record: MatchRecord
    state: State


def read_matches(text: str, default_game: str = "") -> Iterator[ReadMatch]:
    """Yield the matches of a text: JSON if it begins like JSON, otherwise the text format.

    `default_game` is the game of matches that do not name one. Raises: RecordError.
    """
    if _JSON.match(text):
        yield from (play(record) for record in _read_json(text))
        return
    for written in parse_matches(text):
        record, lines = _record_of(written, default_game)
        yield play(record, lines, written.line)


def play(record: MatchRecord, lines: Sequence[int] = (), line: int | None = None) -> ReadMatch:
    """Return a match in canonical form, replayed by the rules.

    `lines` are the lines of its plies and `line` the one on which it begins, for error messages. Raises: RecordError.
    """
    if len(record.plies) > MAX_PLIES:
        raise RecordError(f"the match has {len(record.plies)} moves; at most {MAX_PLIES} are allowed.", line)
    if len(record.setup) > MAX_SETUP_LENGTH:
        raise RecordError(f"the position has more than {MAX_SETUP_LENGTH} characters.", line)
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
    canonical = replace(
        record, seats=tuple(names), plies=tuple(plies), clock=clock, explanation=_name(record.explanation, 200)
    )
    return ReadMatch(_with_result(canonical, state, line), state)


def _after(state: State, text: str) -> State:
    if len(text) > MAX_MOVE_LENGTH:
        raise MoveSyntaxError(f"{text[:MAX_MOVE_LENGTH]}… is not a move.")
    move = state.parse_move(text)
    # As in `State.from_moves`: a pass may also be that of a seat that was skipped.
    return state.skip() if move == state.game.rules.forced_pass != NO_MOVE else state.play(move)


def _with_result(record: MatchRecord, state: State, line: int | None) -> MatchRecord:
    """Return a match with its result by the rules, or else with the recorded one."""
    ranks, outcome = record.ranks, state.outcome
    if ranks is not None and (len(ranks) != state.start.seats or 1 not in ranks):
        raise RecordError(f"The result does not fit {state.start.seats} seats.", line)
    if outcome is None:
        return record
    if ranks is not None and len(ranks) == 2 and ranks != outcome.ranks:
        raise RecordError("The result contradicts the moves.", line)
    return replace(record, ranks=ranks or outcome.ranks, termination=record.termination or outcome.reason)


def _record_of(written: WrittenMatch, default_game: str) -> tuple[MatchRecord, list[int]]:
    tags = written.tags
    game = tags.get("Game", default_game).strip().lower()
    if game not in GAMES:
        known = ", ".join(GAMES)
        problem = f"There is no game {game!r}" if game else "The match does not name its game"
        raise RecordError(f'{problem}; add [Game "NAME"] with one of {known}.', written.line)
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
        explanation=tags.get("Ending", ""),
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
    """Return the result after the moves, or else that of the tags. Raises: RecordError."""
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
    """Return a time, precise to the day at least; None if unknown."""
    for text, form in ((f"{date} {time}", "%Y.%m.%d %H:%M:%S"), (date, "%Y.%m.%d")):
        try:
            moment = datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
        return max(0, int(moment.timestamp() * 1000))
    return None


def _name(text: str, most: int = MAX_NAME_LENGTH) -> str:
    """Return a name without characters that cannot be shown."""
    return " ".join(showable_part(text).split())[:most] or ("" if most != MAX_NAME_LENGTH else UNKNOWN_NAME)


def _read_json(text: str) -> Iterator[MatchRecord]:
    """Yield the records of a JSON array, of one object, or of one object per line. Raises: RecordError."""
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("["):
        yield from _decoded(msgspec.json.Decoder(list[MatchRecord]).decode, text, None)
        return
    # Strings in JSON may contain other line separators.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and not lines[0][1].rstrip().endswith("}"):
        lines = [(1, text)]
    for number, line in lines:
        yield from _decoded(lambda one: [_decoder.decode(one)], line, number)


def _decoded(decode: Callable[[str], list[MatchRecord]], text: str, line: int | None) -> list[MatchRecord]:
    try:
        return decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RecordError(f"This is not a match in JSON. {explain(error)}", line) from None
