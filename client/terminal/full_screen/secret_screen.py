"""A question over the full screen whose answer is not shown, such as a password."""

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from .ordered_input import OrderedInput


class SecretScreen(ModalScreen[str]):
    """Asks for a text; the result is empty if the player presses Esc."""

    BINDINGS = [Binding("escape", "dismiss('')", "Cancel")]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """Return the question and the field."""
        answer = OrderedInput(password=True, compact=True, id="secret")
        answer.cursor_blink = False
        with Vertical(id="question"):
            yield Static(self._question, markup=False)
            yield answer
            yield Static("Enter continues, Esc cancels.", id="hint")

    @on(Input.Submitted, "#secret")
    def _answer(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value)
