"""The techniques of the search by name.

Imported by `engine.search.loop`, and by whoever wants a search without some of them.
"""

from typing import NamedTuple


class Techniques(NamedTuple):
    """What a search may do without looking at every move to full depth."""

    reduces_late_moves: bool = True
    uses_table: bool = True


ALL_TECHNIQUES = Techniques()
