"""How long a bot may think about a ply.

Pure. Imported by `client.bots.engines`.
"""

from client.view import MatchView

SHARE = 20
"""A ply takes this part of the time that is left, as the engines of the field do, and most of its increment."""
OVERHEAD_MS = 60
"""Goes to the way to the server and back, and to starting and stopping the search."""
LEAST_MS = 10


def movetime_ms(view: MatchView, seat: int, most_ms: int) -> int:
    """Return how long a seat may think in milliseconds: by its clock, but at most `most_ms`, which an untimed match and
    one by correspondence give.

    What has passed of the ply already is not taken off: a turn is heard of a moment after it began.
    """
    created = view.created
    if created is None or created.clock is None or created.clock.renews:
        return most_ms
    clock = created.clock
    left_ms = clock.initial_ms if view.clocks_ms is None else view.clocks_ms[seat]
    share_ms = left_ms // SHARE + clock.increment_ms * 4 // 5 + clock.delay_ms
    return max(LEAST_MS, min(most_ms, share_ms, (left_ms + clock.delay_ms) // 2) - OVERHEAD_MS)
