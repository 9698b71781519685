"""A long text over the rest of the full screen, to scroll through."""

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from ..wrapping import wrap_lines

SCROLL_BAR = 1
"""The columns of the scroll bar."""


class TextScreen(ModalScreen[None]):
    """A text that is read and closed."""

    BINDINGS = [Binding("escape,q,enter,space", "dismiss", "Close")]

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """Return the text."""
        with VerticalScroll(id="text"):
            yield Static(id="lines")
        yield Static("Up and Down scroll, Esc closes.", id="hint")

    def on_resize(self, event: events.Resize) -> None:
        """Wrap the text for the width there is."""
        lines = wrap_lines(self.text, event.size.width - SCROLL_BAR)
        self.query_one("#lines", Static).update(Text("\n".join(lines), no_wrap=True))
