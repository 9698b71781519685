"""The options after a game: seats, opponents, clock, `rated` and the start position. Pure."""

import re
import secrets
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from millrace.protocol import ClockSettings, GameInfo, SeatPlan

from ...clock_texts import parse_clock
from ...match_commands import ME, OPEN, bot
from ..usage import UsageError

MOST_LIMIT_MINUTES = 24 * 60
"""The longest time limit of a match."""
OPTIONS = (
    ("5+3, 5 d3", "a clock: minutes, and an increment or delay in seconds"),
    ("5m + 3x10s", "a clock with byo-yomi: main time and periods"),
    ("10s per move", "a clock for each move; also 3 days per move"),
    ("against 1", "the minutes of the opponents, in a casual match"),
    ("rated", "the result counts for the ratings"),
    ("within 30", "after 30 minutes the match ends, the position decides"),
    ("for 3", "the number of players"),
    ("with 3,open,hunter", "the other seats: bots, open seats, or me"),
    ("from TEXT", "the start, as the last option: see games, or a set-up"),
)
"""The options, and what each means, for the help."""
OPTION_WORDS = ("casual", "untimed", *(words.split()[0] for words, _ in OPTIONS if words[0].isalpha()))
"""The words with which options begin; clocks begin with a number."""
_SEED_DIGITS = 9
_MINUTES = re.compile(r"\d{1,4}(\.\d+)?")


class Options(NamedTuple):
    """What was typed after a game."""

    seats: int | None = None
    """The number of players; None for the game's smallest."""
    opponents: tuple[SeatPlan, ...] = ()
    clock: ClockSettings | None = None
    opponents_ms: int | None = None
    """The initial time of the opponents, if it differs."""
    rated: bool = False
    setup: str = ""


def parse_options(words: Sequence[str], game: GameInfo, seats: int | None = None) -> Options:
    """Return the options of some words; `seats` is the number of players if it is known already. Raises: UsageError.

    >>> info = GameInfo("morris", "Nine Men's Morris", (2,), ("White", "Black"), 8)
    >>> parse_options(["rated", "5+3"], info).clock == ClockSettings(300_000, 3_000)
    True
    >>> [(plan.occupant, plan.level) for plan in parse_options(["with", "3,open"], info).opponents]
    [('bot', 3), ('open', None)]
    """
    left, options, clock, limit_ms = list(words), Options(seats), list[str](), 0
    while left:
        word = left.pop(0)
        match word:
            case "rated":
                options = options._replace(rated=True)
            case "casual":
                options = options._replace(rated=False)
            case "for":
                options, left = options._replace(seats=_seats_of(left, game)), left[1:]
            case "with":
                options, left = options._replace(opponents=_opponents_of(left, game)), left[1:]
            case "against":
                options, left = options._replace(opponents_ms=_minutes_of(left)), left[1:]
            case "within":
                limit_ms, left = _limit_ms_of(left), left[1:]
            case "from":
                options, left = _with_setup(options, " ".join(left), game), []
            case _:
                clock.append(word)
    settings = parse_typed_clock(clock)
    if limit_ms:
        if settings is None:
            raise UsageError("A match with a time limit needs a clock as well, such as 5+3 within 30.")
        settings = replace(settings, match_limit_ms=limit_ms)
    return options._replace(clock=settings)


def parse_typed_clock(words: Sequence[str]) -> ClockSettings | None:
    """Return the clock that was typed; None, for an untimed match, if there are no words. Raises: UsageError."""
    try:
        return parse_clock(" ".join(words)) if words else None
    except ValueError as error:
        raise UsageError(str(error)) from None


def parse_level(word: str, game: GameInfo) -> int | str:
    """Return the level or personality of a bot. Raises: UsageError.

    >>> parse_level("3", GameInfo("morris", "Nine Men's Morris", (2,), ("White", "Black"), 8))
    3
    """
    if word.isdecimal() and 1 <= int(word) <= game.levels:
        return int(word)
    if word in game.level_names or word in [each.name for each in game.personalities]:
        return word
    raise UsageError(
        f"There is no bot {word}. Type bots {game.name} to list them: levels 1 to {game.levels}, and others."
    )


def setup_of(options: Options, game: GameInfo, seats: int) -> str:
    """Return the set-up text of a match: the typed one, or the game's own start for a number of seats."""
    return options.setup or (f"seats={seats}" if len(game.seats) > 1 else "")


def plans_of(options: Options, game: GameInfo, otherwise: SeatPlan) -> list[SeatPlan]:
    """Return who gets each seat: this player, then the opponents, and then `otherwise`. Raises: UsageError."""
    given = [ME, *options.opponents]
    seats = options.seats or max(len(given), game.seats[0])
    if len(given) > seats or seats not in game.seats:
        raise UsageError(f"{game.title} is played by {numbers_of_players(game)}.")
    _, *others = given + [otherwise] * (seats - len(given))
    own_ms = options.opponents_ms
    return [ME, *(each if own_ms is None or each == ME else replace(each, initial_ms=own_ms) for each in others)]


def numbers_of_players(game: GameInfo) -> str:
    """Return the numbers of players that a game allows: `2, 3 or 4`."""
    *others, last = map(str, game.seats)
    return f"{', '.join(others)} or {last}" if others else last


def _seats_of(words: Sequence[str], game: GameInfo) -> int:
    if not words or not words[0].isdecimal() or int(words[0]) not in game.seats:
        raise UsageError(f"Type the number of players after for: {game.title} is played by {numbers_of_players(game)}.")
    return int(words[0])


def _limit_ms_of(words: Sequence[str]) -> int:
    if not words or not words[0].isdecimal() or not 1 <= int(words[0]) <= MOST_LIMIT_MINUTES:
        raise UsageError(f"Type minutes after within: 1 to {MOST_LIMIT_MINUTES}.")
    return int(words[0]) * 60_000


def _minutes_of(words: Sequence[str]) -> int:
    """Return the milliseconds of typed minutes. Raises: UsageError."""
    if not words or not _MINUTES.fullmatch(words[0]):
        raise UsageError("Type the minutes of the opponents after against, such as: 5+3 against 1.")
    return round(float(words[0]) * 60_000)


def _opponents_of(words: Sequence[str], game: GameInfo) -> tuple[SeatPlan, ...]:
    if not words:
        raise UsageError("Type who plays after with, such as: with 3 or with open,hunter.")
    plans = {"me": ME, "open": OPEN}
    return tuple(plans.get(word) or bot(parse_level(word, game)) for word in words[0].split(",") if word)


def _with_setup(options: Options, text: str, game: GameInfo) -> Options:
    starts = [start for start in game.starts if start.title.lower() == text.lower()]
    if not starts:
        return options._replace(setup=text)
    wanted = options.seats or 1 + len(options.opponents)
    start = next((each for each in starts if each.seats == wanted), starts[0])
    seed = str(secrets.randbelow(10**_SEED_DIGITS))
    return options._replace(setup=start.setup.replace("{seed}", seed), seats=start.seats)
