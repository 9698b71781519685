"""The stability of a search: how long its best move has been the same, how its value changed, and which moves took its
nodes.

`engine.time_management` turns that into time.
"""

from ..time_management import settled_share, time_factor

EFFORT_DECAY = 0.5
"""The weight of earlier iterations' nodes when an iteration is completed."""


class Stability:
    """The stability of a search so far."""

    def __init__(self) -> None:
        self.best_move: int | None = None
        self.value = 0
        self.stable_iterations = 0
        self.drop = 0
        self.changed_at = 0.0
        """The share of the limits that was used when the best move last changed."""
        self.efforts: dict[int, float] = {}

    def add_effort(self, move: int, nodes: int) -> None:
        """Count nodes searched below a root move."""
        self.efforts[move] = self.efforts.get(move, 0.0) + nodes

    def fail_low(self, value: int) -> None:
        """Record that the present iteration failed low with this upper bound."""
        self.drop = self.value - value

    def complete_iteration(self, best_move: int, value: int) -> None:
        """Record the result of a completed iteration."""
        self.stable_iterations = self.stable_iterations + 1 if best_move == self.best_move else 0
        self.drop = self.value - value if self.best_move is not None else 0
        self.best_move, self.value = best_move, value
        self.efforts = {move: nodes * EFFORT_DECAY for move, nodes in self.efforts.items()}

    def time_factor(self, best_move: int) -> float:
        """Return the factor for the soft limit while the present iteration has this best move."""
        total = sum(self.efforts.values())
        effort = self.efforts.get(best_move, 0.0) / total if total > 0 else 1.0
        return time_factor(self.stable_iterations if best_move == self.best_move else 0, self.drop, effort)

    def is_settled(self, used_share: float, expected: float) -> bool:
        """Return whether the best move is settled, with this expected score, after an iteration at which this share of
        the limits has been used. To be asked after each one."""
        if self.stable_iterations == 0:
            self.changed_at = used_share
        return used_share >= settled_share(expected, self.changed_at)
