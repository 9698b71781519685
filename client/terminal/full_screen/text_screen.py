"""A text over the full screen, to scroll through or to copy."""

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from ..wrapping import cut_lines, wrap_lines

SCROLL_BAR = 1
"""The columns of the scroll bar."""


class TextScreen(ModalScreen[None]):
    """A text that is read and closed. One for copying has no spaces that do not belong to it."""

    BINDINGS = [Binding("escape,q,enter,space", "dismiss", "Close"), Binding("c", "copy", "Copy")]

    def __init__(self, text: str, *, is_for_copying: bool = False) -> None:
        super().__init__()
        self.text = text
        self._is_for_copying = is_for_copying

    @property
    def is_passing(self) -> bool:
        """Whether it may be closed unread; a text to copy may not be shown again, such as recovery codes."""
        return not self._is_for_copying

    def compose(self) -> ComposeResult:
        """Return the text."""
        with VerticalScroll(id="text"):
            yield Static(id="lines")
        yield Static("c copies, Up/Down scroll, Esc closes.", id="hint")

    def on_resize(self, event: events.Resize) -> None:
        """Wrap the text for the width there is."""
        width = event.size.width - SCROLL_BAR
        lines = cut_lines(self.text, width) if self._is_for_copying else wrap_lines(self.text, width)
        self.query_one("#lines", Static).update(Text("\n".join(lines), no_wrap=True))

    def action_copy(self) -> None:
        """Ask the terminal to copy the text."""
        self.app.copy_to_clipboard(self.text)
        self.notify(
            "The text was sent to the clipboard. If your terminal cannot do that, select it with Shift and the mouse."
        )
