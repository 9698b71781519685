"""The options of the line protocol: what there is to set, and what is set."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from ..game import Game
from ..game.techniques import DEFAULT_TECHNIQUES, Techniques, choose_techniques
from ..levels.opponents import DRAW_PENALTY, LEVEL_NAMES, LEVELS, OPPONENTS, STRONGEST_LEVEL, Opponent
from ..search import TABLE_MEGABYTES, Parallel
from .go_command import ProtocolError, TimePlan, parse_number

_Choice = TypeVar("_Choice", bound=StrEnum)

MOST_VARIATIONS = 64
OPTIONS = {
    "Hash": (1, 1024, TABLE_MEGABYTES),
    "Threads": (1, 1, 1),
    "MultiPV": (1, MOST_VARIATIONS, 1),
    "DepthStep": (1, 2, 1),
    "Contempt": (0, 100, DRAW_PENALTY),
}
"""Minimum, maximum and default of the numbers; Hash is in MiB. The caller sets the maximum of Threads."""

CHECKS = {"Ponder": False, "Book": True, "StopWhenSettled": False, "UCI_ShowWDL": False}
"""Defaults of what is on or off. `Ponder` is accepted, as UCI requires, and has no effect."""

TEXTS = ("Level", "Game", "Weights", "Techniques", "Parallel", "TimePlan", "Setup")
USUAL_TECHNIQUES = "usual"
NAMES = {name.casefold(): name for name in (*OPTIONS, *CHECKS, *TEXTS)}


@dataclass(slots=True)
class EngineOptions:
    """The options as they are set."""

    most_threads: int
    numbers: dict[str, int] = field(default_factory=lambda: {name: usual for name, (_, _, usual) in OPTIONS.items()})
    checks: dict[str, bool] = field(default_factory=lambda: dict(CHECKS))
    opponent: Opponent = LEVELS[STRONGEST_LEVEL]
    """The level or personality that plays."""
    parallel: Parallel = Parallel.SHARED
    time_plan: TimePlan = TimePlan.ADAPTIVE
    techniques: str = USUAL_TECHNIQUES
    """The chosen techniques (`choose_techniques`); those of the game may change with it."""

    def describe(self, game: str, games: Sequence[str], weights: str, sets: Sequence[str]) -> Iterator[str]:
        """Yield the `option` line of each option, given the game and its weights."""
        yield _combo("Level", str(STRONGEST_LEVEL), [*OPPONENTS, *LEVEL_NAMES])
        yield _combo("Game", game, games)
        yield _combo("Weights", weights, sets)
        yield _combo("Parallel", Parallel.SHARED, list(Parallel))
        yield _combo("TimePlan", TimePlan.ADAPTIVE, list(TimePlan))
        yield f"option name Techniques type string default {USUAL_TECHNIQUES}"
        for name in OPTIONS:
            least, largest, usual = self._bounds(name)
            yield f"option name {name} type spin default {usual} min {least} max {largest}"
        for name, usual_check in CHECKS.items():
            yield f"option name {name} type check default {str(usual_check).lower()}"
        yield "option name Setup type string default <empty>"

    def set_number(self, name: str, text: str) -> None:
        """Set a number. Raises: ProtocolError."""
        least, largest, _ = self._bounds(name)
        self.numbers[name] = parse_number(name, text, least, largest)

    def set_check(self, name: str, text: str) -> None:
        """Switch on or off. Raises: ProtocolError."""
        if text not in ("true", "false"):
            raise ProtocolError(f"{name} must be true or false, not {text!r}.")
        self.checks[name] = text == "true"

    def set_parallel(self, text: str) -> None:
        """Set how threads divide the work. Raises: ProtocolError."""
        self.parallel = _member("Parallel", Parallel, text)

    def set_time_plan(self, text: str) -> None:
        """Set how much of a clock is used. Raises: ProtocolError."""
        self.time_plan = _member("TimePlan", TimePlan, text)

    def set_techniques(self, text: str) -> None:
        """Choose the techniques of the search. Raises: EngineError."""
        choose_techniques(text, DEFAULT_TECHNIQUES)
        self.techniques = text

    def techniques_of(self, game: Game) -> Techniques:
        """Return the chosen techniques for a game."""
        return choose_techniques(self.techniques, game.strength.techniques)

    def _bounds(self, name: str) -> tuple[int, int, int]:
        least, largest, usual = OPTIONS[name]
        return (least, self.most_threads if name == "Threads" else largest, usual)


def parse_option(arguments: Sequence[str]) -> tuple[str, str]:
    """Return name and value of `setoption`. Raises: ProtocolError."""
    listed = "|".join(NAMES.values())
    match arguments:
        case ["name", name] | ["name", name, "value", *_] if name.casefold() in NAMES:
            return NAMES[name.casefold()], " ".join(arguments[3:])
        case ["name", *words] if words and words[0] != "value":
            named = " ".join(words).partition(" value ")[0]
            raise ProtocolError(f"There is no option {named!r}; setoption takes: name {listed} value V.")
        case _:
            raise ProtocolError(f"setoption takes: name {listed} value V.")


def _member(name: str, kind: type[_Choice], text: str) -> _Choice:
    """Return the member of an enumeration that a text names. Raises: ProtocolError."""
    if text not in list(kind):
        raise ProtocolError(f"{name} must be {' or '.join(kind)}, not {text!r}.")
    return kind(text)


def _combo(name: str, usual: str, values: Sequence[str]) -> str:
    return f"option name {name} type combo default {usual} {' '.join(f'var {value}' for value in values)}"
