"""Openings for matches: random positions some plies from the start, about equal for both sides."""

import random
from collections.abc import Iterator, Sequence

from millrace.engine.game import Game
from millrace.engine.search import Limits, analyse, no_clock
from millrace.engine.state import State
from millrace.engine.transposition_table import new_table

JUDGING_NODES = 200_000
"""Nodes that check an opening, about what an engine searches in 100 ms. With a tenth of it, 15 of 50 openings of Battle
Sheep were won by the side that a search of 6 s preferred, in either seat."""

USUAL_PLIES = 6
BALANCE = 40
"""Maximum lead of either side by that search, in hundredths of a man."""
PATIENCE = 40
"""Unbalanced openings in a row after which the bound is doubled."""


def usual_setups(game: Game) -> tuple[str, ...]:
    """Return the set-ups for two seats: the standard one and the random ones."""
    return ("", *(start.setup for start in game.starts if start.seats == 2 and "{seed}" in start.setup))


def draw_openings(
    game: Game, chance: random.Random, plies: int = USUAL_PLIES, setups: Sequence[str] = ()
) -> Iterator[str]:
    """Yield different position texts, each `plies` from one of the set-ups, without end.

    The same `chance` gives the same ones. Without plies, the set-ups themselves, in turn. Raises: SetupError.
    """
    setups = setups or usual_setups(game)
    known = set[str]()
    bound, failures = float(BALANCE), 0
    while True:
        setup = chance.choice(setups).replace("{seed}", str(chance.randrange(10**9)))
        if plies == 0:
            yield setup
            continue
        state = wander(State.of(game, setup), plies, chance)
        if state is not None and state.position_text not in known and is_balanced(state, bound):
            known.add(state.position_text)
            bound, failures = float(BALANCE), 0
            yield state.position_text
        elif (failures := failures + 1) % PATIENCE == 0:
            bound *= 2


def wander(state: State, plies: int, chance: random.Random) -> State | None:
    """Return the state after random plies, or None if play ended before."""
    for _ in range(plies):
        if state.outcome is not None:
            return None
        state = state.play(chance.choice(state.legal_moves))
    return None if state.outcome is not None else state


def is_balanced(state: State, bound: float) -> bool:
    """Return whether neither side is better by more than `bound` hundredths of a man."""
    found = analyse(state, Limits(nodes=JUDGING_NODES), no_clock, table=new_table(1))
    return abs(found.value) <= bound
