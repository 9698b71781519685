"""The stability of a search: how long its best move has stood, how its value moved, and where its nodes went.

It only keeps count; what follows for the time is `engine.time_management.time_factor`.
"""

from ..time_management import time_factor

FADING = 0.5
"""What the nodes of earlier iterations count when one is completed, against those of the next."""


class Stability:
    """What has happened in a search so far."""

    def __init__(self) -> None:
        self.best_move: int | None = None
        self.value = 0
        self.standing = 0
        self.drop = 0
        self.efforts: dict[int, float] = {}

    def spend(self, move: int, nodes: int) -> None:
        """Take note of nodes searched below a move of the root."""
        self.efforts[move] = self.efforts.get(move, 0.0) + nodes

    def fall(self, value: int) -> None:
        """Take note that the iteration under way is worth this at most."""
        self.drop = self.value - value

    def complete(self, best_move: int, value: int) -> None:
        """Take note of an iteration's result."""
        self.standing = self.standing + 1 if best_move == self.best_move else 0
        self.drop = self.value - value if self.best_move is not None else 0
        self.best_move, self.value = best_move, value
        self.efforts = {move: nodes * FADING for move, nodes in self.efforts.items()}

    def time_factor(self, best_move: int) -> float:
        """Return by what to multiply a soft time, the iteration under way having this best move."""
        total = sum(self.efforts.values())
        effort = self.efforts.get(best_move, 0.0) / total if total > 0 else 1.0
        return time_factor(self.standing if best_move == self.best_move else 0, self.drop, effort)
