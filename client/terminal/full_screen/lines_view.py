"""A widget of lines that repaints only the characters that have changed, so that nothing flickers over a slow link."""

from collections.abc import Iterator, Sequence
from functools import cache
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
        """Show new lines from an offset, which may be outside the widget, and paint only the differences."""
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
        base = self.rich_style
        blank = _space_style(base)
        segments = [Segment(" " * left, blank)] if left > 0 else []
        strip = Strip([*segments, *_merged(line, base)])
        if left < 0:
            strip = strip.crop(-left)
        return strip.adjust_cell_length(width, blank)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines."""
        return max(1, len(self._lines))

    def on_click(self, event: events.Click) -> None:
        """Run the command of the clicked span."""
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


def _merged(line: Line, base: Style) -> Iterator[Segment]:
    """Yield the spans of a line with as few changes of style as look the same: each costs a slow link 40 bytes."""
    text, style = "", base
    for span in line:
        own = base + span.style
        if own != style:
            looks_same = _space_style(own) == _space_style(style)
            if not looks_same or (text.strip(" ") and span.text.strip(" ")):
                yield from _segment(text, style)
                text = ""
            # Spaces look the same in the style of what stands beside them.
            if not text.strip(" "):
                style = own
        text += span.text
    yield from _segment(text, style)


def _segment(text: str, style: Style) -> Iterator[Segment]:
    if text:
        yield Segment(text, style if text.strip(" ") else _space_style(style))


@cache
def _space_style(style: Style) -> Style:
    """Return what can be seen of a style where it is that of a space."""
    return style if style.reverse or style.underline or style.strike else Style(bgcolor=style.bgcolor)


def _changed_regions(old: Sequence[Line], new: Sequence[Line], offset: tuple[int, int]) -> Iterator[Region]:
    """Yield the part of each line that differs."""
    left, top = offset
    for row in range(max(len(old), len(new))):
        before = _characters(old[row]) if row < len(old) else []
        after = _characters(new[row]) if row < len(new) else []
        length = max(len(before), len(after))
        blank = (" ", NO_STYLE)
        before += [blank] * (length - len(before))
        after += [blank] * (length - len(after))
        differing = [column for column in range(length) if before[column] != after[column]]
        if not differing:
            continue
        first, last = differing[0], differing[-1]
        if all(cell_len(text) == 1 for text, _ in (*before, *after)):
            yield Region(left + first, top + row, last - first + 1, 1)
        else:
            yield Region(0, top + row, 10_000, 1)


def _characters(line: Line) -> list[tuple[str, Style]]:
    return [(character, span.style) for span in line for character in span.text]
