"""The time limits for an engine's search: by the clock, or a fixed time if no clock runs. Pure."""

from typing import NamedTuple

from ..clock_texts import clock_face
from ..match_view import MatchView

OVERHEAD_MS = 60
"""Time subtracted from a clock for the connection to the server, and for starting and stopping the search."""


class GoLimits(NamedTuple):
    """The time limits of a search."""

    arguments: str
    """The arguments of `go` in the line protocol."""
    most_ms: int
    """Maximum time until the answer."""


def limits_of(view: MatchView, seat: int, movetime_ms: int, waited_ms: int = 0) -> GoLimits:
    """Return a seat's limits: by its clock, or `movetime_ms` if no clock runs or the clock counts days.

    With two seats and no delay, the arguments are those of UCI for chess. `waited_ms` is the time since the turn began.
    In byo-yomi the time is that until a period is lost, and the period counts as increment.
    """
    created = view.created
    if created is None or created.clock is None or created.clock.renews:
        return GoLimits(f"movetime {movetime_ms}", movetime_ms)
    clock = created.clock
    clocks_ms = view.clocks_ms or (clock.initial_ms + clock.periods * clock.period_ms,) * len(created.seats)
    spent_ms = max(0, waited_ms - clock.delay_ms)
    left_ms = [
        max(0, _spendable_ms(view, each, each_ms - (spent_ms if each == seat else 0)) - OVERHEAD_MS)
        for each, each_ms in enumerate(clocks_ms)
    ]
    increment_ms, delay_ms = clock.increment_ms or clock.period_ms, max(0, clock.delay_ms - waited_ms)
    if len(left_ms) == 2 and not clock.delay_ms:
        arguments = f"wtime {left_ms[0]} btime {left_ms[1]} winc {increment_ms} binc {increment_ms}"
    else:
        arguments = f"time {left_ms[seat]} inc {increment_ms} delay {delay_ms}"
    return GoLimits(arguments, left_ms[seat] + OVERHEAD_MS + delay_ms)


def _spendable_ms(view: MatchView, seat: int, left_ms: int) -> int:
    """Return how long a seat with this much left may think without losing a period, or else its flag."""
    assert view.created is not None
    assert view.created.clock is not None
    clock = view.created.clock
    face = clock_face(clock, max(0, left_ms), view.periods[seat] if view.periods else 0)
    return face.left_ms + clock.period_ms * (face.periods > 0 and not face.in_period)
