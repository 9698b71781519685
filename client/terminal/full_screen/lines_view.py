"""A widget of lines that repaints only the characters that have changed, so that nothing flickers over a slow link."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

NO_STYLE = Style()


class Span(NamedTuple):
    """Characters of a line."""

    text: str
    style: Style = NO_STYLE
    command: str = ""
    """The line to run when it is clicked."""


Line = Sequence[Span]


class LinesView(Widget):
    """Lines of text, some of which can be clicked."""

    class Chosen(Message):
        """A span with a command was clicked."""

        def __init__(self, command: str) -> None:
            super().__init__()
            self.command = command

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: list[Line] = []
        self._offset = (0, 0)

    def set_lines(self, lines: Sequence[Line], offset: tuple[int, int] = (0, 0)) -> None:
        """Show other lines, from a column and line on. Only what differs is painted."""
        old, old_offset = self._lines, self._offset
        self._lines, self._offset = list(lines), offset
        if len(old) != len(self._lines) and self.styles.height is not None and self.styles.height.is_auto:
            self.refresh(layout=True)
        elif offset != old_offset:
            self.refresh()
        elif regions := list(_changed_regions(old, self._lines, offset)):
            self.refresh(*regions)

    def render_line(self, y: int) -> Strip:
        """Return a line of the widget."""
        width, (left, top) = self.size.width, self._offset
        line = self._lines[y - top] if 0 <= y - top < len(self._lines) else ()
        segments = [Segment(" " * left)] if left else []
        base = self.rich_style
        strip = Strip([*segments, *(Segment(span.text, span.style) for span in line)])
        return strip.apply_style(base).adjust_cell_length(width, base)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines."""
        return max(1, len(self._lines))

    def on_click(self, event: events.Click) -> None:
        """Run what was clicked."""
        span = self.span_at(event.x, event.y)
        if span is not None and span.command:
            event.stop()
            self.post_message(self.Chosen(span.command))

    def span_at(self, x: int, y: int) -> Span | None:
        """Return the span at a place of the widget."""
        left, top = self._offset
        column = left
        for span in self._lines[y - top] if 0 <= y - top < len(self._lines) else ():
            column += cell_len(span.text)
            if left <= x < column:
                return span
        return None


def _changed_regions(old: Sequence[Line], new: Sequence[Line], offset: tuple[int, int]) -> Iterator[Region]:
    """Yield the part of each line that differs."""
    left, top = offset
    for row in range(max(len(old), len(new))):
        before = _characters(old[row]) if row < len(old) else []
        after = _characters(new[row]) if row < len(new) else []
        if before == after:
            continue
        length = max(len(before), len(after))
        blank = (" ", NO_STYLE)
        before += [blank] * (length - len(before))
        after += [blank] * (length - len(after))
        differing = [column for column in range(length) if before[column] != after[column]]
        first, last = differing[0], differing[-1]
        if all(cell_len(text) == 1 for text, _ in (*before, *after)):
            yield Region(left + first, top + row, last - first + 1, 1)
        else:
            yield Region(0, top + row, 10_000, 1)


def _characters(line: Line) -> list[tuple[str, Style]]:
    return [(character, span.style) for span in line for character in span.text]
