"""Made-up results of a solved game, for tests."""

from collections.abc import Collection

from millrace.engine.state import State
from millrace.engine.tablebase.results import DRAW, ProofBudget


class MadeUpResults:
    """The side to move wins in some positions, and draws in all others."""

    tables: Collection[str] = ()

    def __init__(self, wins: Collection[str] = (), unproved: Collection[str] = ()) -> None:
        self.wins = wins
        """The texts of the positions that are won."""
        self.unproved = unproved
        """Positions whose result no proof finds in time."""

    def covers(self, _state: State) -> bool:
        return True

    def proof_nodes(self, _state: State) -> int:
        return 0

    def reaches(self, state: State, least: int, _budget: ProofBudget) -> bool | None:
        if state.position_text in self.unproved:
            return None
        return state.position_text in self.wins or least == DRAW
