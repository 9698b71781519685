"""By how much the search looks less deep at moves that it believes to be bad. Imported by `engine.search.loop`."""

from engine.bits import kernel
from engine.search.ordering import KILLER_RANK


@kernel
def reduction_of(depth: int, tried: int, rank: int) -> int:
    """Return by how many plies a late quiet move is searched less deep (chessprogramming.org/Late_Move_Reductions)."""
    if depth < 3 or tried <= 3 or rank >= KILLER_RANK:
        return 0
    return 1 if tried <= 8 or depth < 5 else 2
