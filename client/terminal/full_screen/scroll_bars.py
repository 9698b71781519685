"""Scroll bars of whole cells: a thumb that ends within a cell would need characters that not every terminal has."""

from typing import ClassVar

from textual.scrollbar import ScrollBarRender


class WholeCells(ScrollBarRender):
    """Draws scroll bars with nothing but spaces."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]
