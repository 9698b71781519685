"""How the full screen is laid out in windows of different sizes. Pure."""

from collections.abc import Mapping

from textual.geometry import Size

NARROW, LOW = 100, 30
"""Columns and lines below which there are no margins."""
SMALLEST = 80
"""Columns below which the board takes space from the panel beside it."""
TINY = 56, 18
"""Columns and lines below which only the players, the state and the messages are beside the board."""
UNUSABLE = 36, 12
"""Columns and lines below which no board can be shown."""
TOO_SMALL = "This window is too small for a board. Make it larger, or start with --plain."


def size_classes(size: Size) -> Mapping[str, bool]:
    """Return which classes of the style sheet a window of a size has."""
    return {
        "-narrow": size.width < NARROW,
        "-smallest": size.width < SMALLEST,
        "-tiny": size.width < TINY[0] or size.height < TINY[1],
        "-unusable": size.width < UNUSABLE[0] or size.height < UNUSABLE[1],
        "-low": size.height < LOW,
    }
