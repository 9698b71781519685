"""What an engine is told of time when it is asked for a move: the clock, or how long it may think where none runs.

Pure.
"""

from typing import NamedTuple

from ..match_view import MatchView

OVERHEAD_MS = 60
"""Is kept back of a clock: it goes to the way to the server and back, and to starting and stopping the search."""


class GoLimits(NamedTuple):
    """How long an engine may think about a ply."""

    words: str
    """What follows `go` in the line protocol."""
    most_ms: int
    """After so long there must be an answer."""


def limits_of(view: MatchView, seat: int, movetime_ms: int, waited_ms: int = 0) -> GoLimits:
    """Return how long a seat may think: by its clock, or for `movetime_ms` where none runs or it counts in days.

    Two seats are told in the words that every engine of chess knows, unless a delay keeps their clocks from running.
    `waited_ms` is for how long the seat has been to move already.
    """
    created = view.created
    if created is None or created.clock is None or created.clock.renews:
        return GoLimits(f"movetime {movetime_ms}", movetime_ms)
    clock = created.clock
    clocks_ms = view.clocks_ms or (clock.initial_ms,) * len(created.seats)
    spent_ms = max(0, waited_ms - clock.delay_ms)
    left_ms = [
        max(0, each_ms - OVERHEAD_MS - (spent_ms if each == seat else 0)) for each, each_ms in enumerate(clocks_ms)
    ]
    increment_ms, delay_ms = clock.increment_ms, max(0, clock.delay_ms - waited_ms)
    if len(left_ms) == 2 and not clock.delay_ms:
        words = f"wtime {left_ms[0]} btime {left_ms[1]} winc {increment_ms} binc {increment_ms}"
    else:
        words = f"time {left_ms[seat]} inc {increment_ms} delay {delay_ms}"
    return GoLimits(words, left_ms[seat] + OVERHEAD_MS + delay_ms)
