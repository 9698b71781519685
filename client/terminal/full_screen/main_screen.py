"""The screen below all others."""

from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget


class MainScreen(Screen[None]):
    """Repaints nothing when the focus moves: the widgets that lose and get it draw what changes in them.

    Textual's own screen is repainted as a whole then: twice for each typed move, from the board to the command line and
    back.
    """

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
