"""The options of the line protocol: what there is to set, and what is set."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..analysis import TABLE_MEGABYTES, Parallel
from ..levels.opponents import LEVEL_NAMES, LEVELS, OPPONENTS, STRONGEST_LEVEL, Opponent
from .go_command import ProtocolError, parse_number

MOST_VARIATIONS = 64
OPTIONS = {"Hash": (1, 1024, TABLE_MEGABYTES), "Threads": (1, 1, 1), "MultiPV": (1, MOST_VARIATIONS, 1)}
"""Minimum, maximum and default of the numbers; Hash is in MiB. The caller sets the maximum of Threads."""

CHECKS = {"Ponder": False, "Book": True, "UCI_ShowWDL": False}
"""Defaults of what is on or off. `Ponder` is accepted, as UCI requires, and has no effect."""

TEXTS = ("Level", "Game", "Weights", "Parallel", "Setup")
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

    def describe(self, game: str, games: Sequence[str], weights: str, sets: Sequence[str]) -> Iterator[str]:
        """Yield the `option` line of each option, given the game and its weights."""
        yield _combo("Level", str(STRONGEST_LEVEL), [*OPPONENTS, *LEVEL_NAMES])
        yield _combo("Game", game, games)
        yield _combo("Weights", weights, sets)
        yield _combo("Parallel", Parallel.SHARED, list(Parallel))
        for name in OPTIONS:
            least, largest, usual = self._bounds(name)
            yield f"option name {name} type spin default {usual} min {least} max {largest}"
        for name, usual_check in CHECKS.items():
            yield f"option name {name} type check default {str(usual_check).lower()}"
        yield "option name Setup type string default <empty>"

    def set_number(self, name: str, text: str) -> None:
        """Set a number. Raises: ProtocolError."""
        least, largest, _ = self._bounds(name)
        value = parse_number(name, text)
        if not least <= value <= largest:
            raise ProtocolError(f"{name} must be {least} to {largest}, not {value}.")
        self.numbers[name] = value

    def set_check(self, name: str, text: str) -> None:
        """Switch on or off. Raises: ProtocolError."""
        if text not in ("true", "false"):
            raise ProtocolError(f"{name} must be true or false, not {text!r}.")
        self.checks[name] = text == "true"

    def set_parallel(self, text: str) -> None:
        """Set how threads divide the work. Raises: ProtocolError."""
        if text not in list(Parallel):
            raise ProtocolError(f"Parallel must be {' or '.join(Parallel)}, not {text!r}.")
        self.parallel = Parallel(text)

    def _bounds(self, name: str) -> tuple[int, int, int]:
        least, largest, usual = OPTIONS[name]
        return (least, self.most_threads if name == "Threads" else largest, usual)


def parse_option(arguments: Sequence[str]) -> tuple[str, str]:
    """Return name and value of `setoption`. Raises: ProtocolError."""
    match arguments:
        case ["name", name] | ["name", name, "value", *_] if name.casefold() in NAMES:
            return NAMES[name.casefold()], " ".join(arguments[3:])
        case _:
            raise ProtocolError(f"setoption takes: name {'|'.join(NAMES.values())} value V.")


def _combo(name: str, usual: str, values: Sequence[str]) -> str:
    return f"option name {name} type combo default {usual} {' '.join(f'var {value}' for value in values)}"
