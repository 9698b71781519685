"""A long text over the rest of the full screen, to scroll through."""

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static


class TextScreen(ModalScreen[None]):
    """A text that is read and closed."""

    BINDINGS = [Binding("escape,q,enter,space", "dismiss", "Close")]

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """Return the text."""
        with VerticalScroll(id="text"):
            yield Static(Text(self.text, no_wrap=True))
        yield Static("Up and Down scroll, Esc closes.", id="hint")
