"""The `go` command: parsing its arguments."""

from typing import NamedTuple

from ..analysis import Limits
from ..game import EngineError
from ..time_management import plan_time

COUNTS = ("movetime", "depth", "nodes", "movestogo")
"""Arguments that are numbers of at least 1."""

CLOCKS = ("time", "inc", "delay", "wtime", "btime", "winc", "binc")
"""Arguments in milliseconds, which may be 0. Some programs send negative times; these count as 0."""

NO_TIME_MS = 1
"""The time limit of pondering without a limit: the answer is what was found until `ponderhit`."""

USAGE = (
    "go takes: nothing, infinite, ponder, or [ponder] with movetime MS, depth N, nodes N, time MS [inc MS] [delay MS]"
    " [movestogo N] or wtime MS btime MS [winc MS] [binc MS] [movestogo N]."
)


class ProtocolError(EngineError):
    """An unknown command, or one with wrong arguments."""


class GoCommand(NamedTuple):
    """A requested search."""

    limits: Limits
    is_infinite: bool = False
    is_pondering: bool = False


def parse_go(arguments: list[str], seat: int, seats: int) -> GoCommand:
    """Parse the arguments of `go`, with this seat to move. Raises: ProtocolError."""
    if arguments in ([], ["infinite"]):
        return GoCommand(Limits(), is_infinite=True)
    is_pondering = arguments[:1] == ["ponder"]
    words = arguments[is_pondering:]
    if is_pondering and not words:
        return GoCommand(Limits(movetime_ms=NO_TIME_MS), is_pondering=True)
    if not words or len(words) % 2 or set(words[::2]) - {*COUNTS, *CLOCKS}:
        raise ProtocolError(USAGE)
    numbers = {name: _parse_limit(name, text) for name, text in zip(words[::2], words[1::2], strict=True)}
    return GoCommand(_limits_of(numbers, seat, seats), is_pondering=is_pondering)


def parse_number(name: str, text: str) -> int:
    """Parse a non-negative number. Raises: ProtocolError."""
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise ProtocolError(f"{name} must be a number, not {text!r}.")
    return int(text)


def _parse_limit(name: str, text: str) -> int:
    if name in CLOCKS:
        number = parse_number(name, text.removeprefix("-"))
        return 0 if text.startswith("-") else number
    number = parse_number(name, text)
    if number < 1:
        raise ProtocolError(f"{name} must be at least 1.")
    return number


def _limits_of(numbers: dict[str, int], seat: int, seats: int) -> Limits:
    """Return the limits from numeric arguments. Raises: ProtocolError if they contradict each other."""
    own = _own_clock(numbers, seat, seats)
    movetime_ms, soft_ms = numbers.get("movetime"), None
    if own is None:
        return Limits(numbers.get("depth"), numbers.get("nodes"), movetime_ms)
    left_ms, increment_ms = own
    soft_ms, hard_ms, _ = plan_time(left_ms, increment_ms, numbers.get("delay", 0), numbers.get("movestogo"))
    if movetime_ms is not None:
        hard_ms = min(hard_ms, movetime_ms)
    return Limits(numbers.get("depth"), numbers.get("nodes"), hard_ms, soft_ms)


def _own_clock(numbers: dict[str, int], seat: int, seats: int) -> tuple[int, int] | None:
    """Return the remaining time and increment of the seat to move, in milliseconds; None without a clock."""
    is_of_two = not {"wtime", "btime", "winc", "binc"}.isdisjoint(numbers)
    if is_of_two and not {"time", "inc", "delay"}.isdisjoint(numbers):
        raise ProtocolError("A clock is given by time or by wtime and btime, not by both.")
    if is_of_two and seats != 2:
        raise ProtocolError(f"wtime and btime are for two seats; for {seats}, give time for the seat to move.")
    time, increment = (
        ("wtime" if seat == 0 else "btime", "winc" if seat == 0 else "binc") if is_of_two else ("time", "inc")
    )
    if time in numbers:
        return numbers[time], numbers.get(increment, 0)
    if is_of_two or not {"inc", "delay", "movestogo"}.isdisjoint(numbers):
        raise ProtocolError(f"{time} must say what the clock has left.")
    return None
