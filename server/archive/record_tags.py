"""Reads a written match's game, position, players and times from its tags. Pure.

An unknown tag that changes the meaning of the moves is an error; others are skipped.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec
from msgspec.structs import asdict

from millrace.engine.game import EngineError
from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State
from millrace.protocol import ClockSettings

from ..matches.clock import find_fault
from .clock_texts import parse_clock
from .record import MatchRecord, RecordError, SeatRecord
from .record_text import seat_names_of, tags_of
from .result_words import parse_result
from .written_match import WrittenMatch

UNKNOWN_NAME, UNKNOWN_DATE = "?", "????.??.??"
VARIANT_TAGS = ("Variant", "Rules", "GameType", "Rule", "RuleSet", "VariantName")
OPTION_TAGS = {
    **{"Flying": {"1", "on", "true", "yes"}, "Men": {"9"}, "Pieces": {"9"}},
    **{"Diagonals": {"0", "no", "off", "false"}, "Handicap": {"0", "no", "none"}},
}
"""Tags of rules, with the values that mean the usual rules here."""
USUAL_VARIANTS = {"", "?", "-", "standard", "normal", "from position"}
"""Values of these tags without a meaning."""
_FIELD_TAGS = {
    *("result", "game", "setup", "fen", "position", "void", "ending", "rated"),
    *map(str.lower, VARIANT_TAGS),
    *(f"seat{number}" for number in range(1, 5)),
}
"""Tags, in lower case, whose meaning is in fields of a record."""
LINK_TAGS = ("Site", "Source")
"""Tags that may link to the match itself."""
_DATE = re.compile(r"(\d{4})(?:[-./](\d\d)(?:[-./](\d\d))?)?", re.ASCII)
_LINK = re.compile(r"/match/([!-.0-~]{1,32})$")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def game_of(written: WrittenMatch, default_game: str) -> str:
    """Return the game of a match. Raises: RecordError."""
    game = written.tag("Game").strip() or _game_of_variant(written) or default_game
    found = _game_named(game)
    if found is None:
        known = ", ".join(GAMES)
        problem = (
            f"There is no game {game.lower()!r}; write"
            if game
            else "The match does not name its game; choose it for the import, or add"
        )
        raise RecordError(f'{problem} [Game "NAME"] with one of {known}.', written.line_of("Game"))
    return found


def setup_of(written: WrittenMatch, game: str) -> str:
    """Return the set-up text of a match. Raises: RecordError."""
    _check_options(written)
    variant = _setup_of_variant(written, game)
    position, fen, flag = written.tag("Position"), written.tag("FEN"), written.tag("SetUp").strip()
    if flag not in ("", "0", "1"):
        raise RecordError(f'[SetUp "{flag}"] is not understood; it is 0 or 1.', written.line_of("SetUp"))
    if flag == "1" and not (position or fen):
        raise RecordError('[SetUp "1"] is without the tag FEN or Position.', written.line_of("SetUp"))
    if flag == "0" and (position or fen):
        raise RecordError('[SetUp "0"] contradicts the position that is given.', written.line_of("SetUp"))
    if variant and (position or fen):
        raise RecordError("The tag Variant and a position are both given; use only one.", written.line_of("Variant"))
    read_fen = _position_of(written, game, fen) if fen else ""
    if position and fen and _position_of(written, game, position, "Position") != read_fen:
        raise RecordError("The tags FEN and Position give two positions; use only one.", written.line_of("FEN"))
    return position or read_fen or variant


def seats_of(written: WrittenMatch, names: Sequence[str]) -> tuple[SeatRecord, ...]:
    """Return the players of a match with these seat names."""
    seats = []
    for number, name in enumerate(names, 1):
        player = written.tag(name, written.tag(f"Seat{number}")) or UNKNOWN_NAME
        rating = written.tag(f"{name}Rating", written.tag(f"{name}Elo"))
        is_program = written.tag(f"{name}Type") == "program"
        known_rating = int(rating) if rating.isdecimal() and len(rating) < 5 else None
        seats.append(SeatRecord(player, "bot" if is_program else "person", known_rating))
    return tuple(seats)


def ranks_of(written: WrittenMatch) -> tuple[int, ...] | None:
    """Return the result after the moves, or else in the tag. Raises: RecordError if they contradict each other."""
    header = written.tag("Result").strip()
    try:
        by_header = parse_result(header) if header not in ("", "?") else None
    except ValueError as error:
        raise RecordError(str(error), written.line_of("Result")) from None
    if written.result is None:
        return by_header
    by_end = parse_result(written.result.text)
    if header not in ("", "?") and by_header != by_end:
        raise RecordError(
            f"The result {header} of the tag contradicts {written.result.text} after the moves.", written.result.line
        )
    return by_end


def clock_of(written: WrittenMatch) -> ClockSettings | None:
    """Return the clock of a match; None if it has none, or one that does not exist here."""
    clock = parse_clock(written.tag("TimeControl", "-"), written.tag("TimeLimit"))
    try:
        is_usable = clock is not None and find_fault(msgspec.convert(asdict(clock), ClockSettings)) is None
    except msgspec.ValidationError:
        return None
    return clock if is_usable else None


def moment_ms(date: str, time: str) -> int | None:
    """Return a time, precise to the day at least; None if unknown."""
    for text, form in ((f"{date} {time}", "%Y.%m.%d %H:%M:%S"), (date, "%Y.%m.%d")):
        try:
            moment = datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
        return (moment - _EPOCH) // timedelta(milliseconds=1)
    return None


def first_day_ms(date: str) -> int | None:
    """Return when the first day begins that a date may mean, even if it begins with a year alone; None if unknown.

    >>> first_day_ms("2019.07.??"), first_day_ms("1970"), first_day_ms("July")
    (1561939200000, 0, None)
    """
    found = _DATE.match(date)
    return None if found is None else moment_ms(".".join(part or "01" for part in found.groups()), "")


def is_field_tag(name: str, game: str) -> bool:
    """Return whether a tag's meaning is in the fields of a game's records. Raises: UnknownGameError."""
    return name.lower() in _FIELD_TAGS or name.lower() in map(str.lower, seat_names_of(game))


def other_tags(written: WrittenMatch, record: MatchRecord) -> Mapping[str, str]:
    """Return the tags of a written match that its record does not say or says otherwise."""
    own = {name.lower(): (name, value) for name, value in tags_of(record)}
    (_, date), (_, time) = own["date"], own.get("utctime", ("", ""))
    other = {}
    if written.tag("Date", date) != date or written.tag("UTCTime") != time:
        # The start is known only to the day, or the date is that of another zone.
        own = {**own, "date": ("Date", UNKNOWN_DATE), "utctime": ("UTCTime", "")}
        if record.started_ms is not None:
            other["Date"] = written.tag("Date", UNKNOWN_DATE)
    for lower, tag in written.tags.items():
        name, value = own.get(lower, (tag.name, None))
        is_own_link = lower in map(str.lower, LINK_TAGS) and bool(record.id) and match_id_in(tag.value) == record.id
        if value != tag.value and not is_own_link and not is_field_tag(lower, record.game):
            other[name] = tag.value
    return other


def lost_tags(written: WrittenMatch, record: MatchRecord) -> Iterator[str]:
    """Yield the names of a written match's tags that are in no field of its record, nor among its other tags."""
    own = {name.lower() for name, _ in tags_of(record)}
    seats = dict(
        zip((f"seat{number}" for number in range(1, 5)), map(str.lower, seat_names_of(record.game)), strict=False)
    )
    for lower, tag in written.tags.items():
        if lower in own or not tag.value or not is_field_tag(lower, record.game):
            continue
        is_rated = lower == "rated" and tag.value == "1"
        is_seat = lower in seats and seats[lower] not in written.tags
        is_start = lower in map(str.lower, VARIANT_TAGS) and _plain(tag.value) not in USUAL_VARIANTS
        if not (is_rated or is_seat or is_start):
            yield tag.name


def match_id_in(link: str) -> str:
    """Return the id of a match in its link; empty for any other text."""
    found = _LINK.search(link)
    return "" if found is None else found[1]


def _game_named(name: str) -> str | None:
    wanted = _plain(name)
    return next((game.name for game in GAMES.values() if wanted in (game.name, _plain(game.title))), None)


def _game_of_variant(written: WrittenMatch) -> str:
    return next((found for tag in VARIANT_TAGS if (found := _game_named(written.tag(tag)))), "")


def _setup_of_variant(written: WrittenMatch, game: str) -> str:
    """Return the set-up of the start named by a variant. Raises: RecordError if it names anything else."""
    starts = {_plain(start.title): start.setup for start in find_game(game).starts if "{" not in start.setup}
    setup = ""
    for tag in VARIANT_TAGS:
        value = written.tag(tag)
        name = _plain(value)
        if name in starts:
            setup = starts[name]
        elif name not in USUAL_VARIANTS and _game_named(value) != game:
            raise RecordError(
                f"{tag} {value!r} is not played here; the match is read as {find_game(game).title} only if the tag "
                f"{tag} says so, or is absent.",
                written.line_of(tag),
            )
    return setup


def _check_options(written: WrittenMatch) -> None:
    """Check that no tag requires other rules. Raises: RecordError."""
    for tag, usual in OPTION_TAGS.items():
        value = written.tag(tag).strip()
        if value.lower() not in {*usual, *USUAL_VARIANTS}:
            raise RecordError(f"{tag} {value!r} is not played here.", written.line_of(tag))


def _position_of(written: WrittenMatch, game: str, text: str, tag: str = "FEN") -> str:
    """Return the position text of a set-up. Raises: RecordError."""
    try:
        return State.of(find_game(game), text).position_text
    except EngineError as error:
        raise RecordError(f"{tag} {text[:80]!r}: {error}", written.line_of(tag)) from None


def _plain(name: str) -> str:
    return " ".join(name.replace("\u2019", "'").lower().split())
