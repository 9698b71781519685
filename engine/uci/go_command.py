"""The `go` command: parsing its arguments."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from ..game import EngineError
from ..game.written_moves import join_captures
from ..search import Limits
from ..state import State
from ..time_management import plan_time, plan_twentieth

COUNTS = ("movetime", "depth", "nodes", "movestogo", "mate")
"""Arguments that are numbers of at least 1."""

CLOCKS = ("time", "inc", "delay", "wtime", "btime", "winc", "binc")
"""Arguments in milliseconds, which may be 0. Some programs send negative times; these count as 0."""

MOST = 10**12 - 1
"""The largest number that is understood."""

FLAGS = ("infinite", "ponder", "searchmoves", "perft")
KEYWORDS = {*COUNTS, *CLOCKS, *FLAGS}

NO_TIME_MS = 1
"""The time limit of pondering without a limit: the answer is what was found until `ponderhit`."""

USAGE = (
    "go takes: nothing, infinite, perft N, or [ponder] [searchmoves M...] with movetime MS, depth N, nodes N, mate N, "
    "time MS [inc MS] [delay MS] [movestogo N] or wtime MS btime MS [winc MS] [binc MS] [movestogo N]."
)


class TimePlan(StrEnum):
    """How much of the clock a move takes."""

    ADAPTIVE = "adaptive"
    """As `plan_time` says, more or less as the search becomes clear."""
    TWENTIETH = "twentieth"
    """A twentieth of the time left; no iteration begins for which as much time as for all before would not do."""


class ProtocolError(EngineError):
    """An unknown command, or one with wrong arguments."""


class GoCommand(NamedTuple):
    """A requested search."""

    limits: Limits
    is_infinite: bool = False
    is_pondering: bool = False
    moves: tuple[int, ...] = ()
    """The moves to search; all if empty."""
    perft_depth: int | None = None
    """Count leaves to this depth instead of searching."""

    @property
    def wants_a_move(self) -> bool:
        """Whether a move is wanted, limited by time only, and not an analysis."""
        is_timed = self.limits.movetime_ms is not None and self.limits.depth is None and self.limits.nodes is None
        return is_timed and not self.is_pondering and not self.moves


def parse_go(arguments: list[str], state: State, time_plan: TimePlan = TimePlan.ADAPTIVE) -> GoCommand:
    """Parse the arguments of `go` in a state. Raises: EngineError."""
    words, texts = _without_moves(arguments)
    if words[:1] == ["perft"]:
        if len(words) != 2 or texts:
            raise ProtocolError(USAGE)
        return GoCommand(Limits(), perft_depth=_parse_limit("perft", words[1]))
    moves = _parse_moves(texts, state)
    if words in ([], ["infinite"]):
        return GoCommand(Limits(), is_infinite=True, moves=moves)
    is_pondering = words[:1] == ["ponder"]
    words = words[is_pondering:]
    if is_pondering and not words:
        return GoCommand(Limits(movetime_ms=NO_TIME_MS), is_pondering=True, moves=moves)
    if not words or len(words) % 2 or set(words[::2]) - {*COUNTS, *CLOCKS}:
        raise ProtocolError(USAGE)
    numbers = {name: _parse_limit(name, text) for name, text in zip(words[::2], words[1::2], strict=True)}
    return GoCommand(
        _limits_of(numbers, state.seat, state.start.seats, time_plan), is_pondering=is_pondering, moves=moves
    )


def parse_number(name: str, text: str, least: int, most: int) -> int:
    """Parse a number in a range. Raises: ProtocolError."""
    if not (re.fullmatch("-?[0-9]{1,12}", text) and least <= int(text) <= most):
        raise ProtocolError(f"{name} must be a number from {least} to {most}, not {text!r}.")
    return int(text)


def _without_moves(arguments: Sequence[str]) -> tuple[list[str], list[str] | None]:
    """Return the arguments without `searchmoves` and its moves, and these; None if there is no `searchmoves`."""
    if "searchmoves" not in arguments:
        return list(arguments), None
    begin = arguments.index("searchmoves")
    end = begin + 1
    while end < len(arguments) and arguments[end] not in KEYWORDS:
        end += 1
    return [*arguments[:begin], *arguments[end:]], list(arguments[begin + 1 : end])


def _parse_moves(texts: Sequence[str] | None, state: State) -> tuple[int, ...]:
    """Return the moves of `searchmoves`. Raises: EngineError."""
    if texts is None:
        return ()
    if not texts:
        raise ProtocolError("searchmoves needs moves.")
    moves = tuple(state.parse_move(text) for text in join_captures(texts, state.game.texts.capture_mark))
    for text, move in zip(texts, moves, strict=False):
        if move not in state.legal_moves:
            raise ProtocolError(f"searchmoves: {text} is not allowed here.")
    return tuple(dict.fromkeys(moves))


def _parse_limit(name: str, text: str) -> int:
    if name in CLOCKS:
        return max(0, parse_number(name, text, -MOST, MOST))
    return parse_number(name, text, 1, MOST)


def _limits_of(numbers: dict[str, int], seat: int, seats: int, time_plan: TimePlan) -> Limits:
    """Return the limits from numeric arguments. Raises: ProtocolError if they contradict each other."""
    own = _own_clock(numbers, seat, seats)
    movetime_ms, soft_ms = numbers.get("movetime"), None
    # The winning ply is the seat's own, after one round of plies for each of its moves before.
    depths = [numbers.get("depth"), seats * (numbers["mate"] - 1) + 1 if "mate" in numbers else None]
    depth = min((each for each in depths if each is not None), default=None)
    if own is None:
        return Limits(depth, numbers.get("nodes"), movetime_ms)
    left_ms, increment_ms = own
    if time_plan is TimePlan.TWENTIETH:
        planned_ms = min(plan_twentieth(left_ms), movetime_ms or left_ms)
        return Limits(depth, numbers.get("nodes"), planned_ms, wants_doubling=True)
    soft_ms, hard_ms, _ = plan_time(left_ms, increment_ms, numbers.get("delay", 0), numbers.get("movestogo"))
    if movetime_ms is not None:
        hard_ms = min(hard_ms, movetime_ms)
    return Limits(depth, numbers.get("nodes"), hard_ms, soft_ms)


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
