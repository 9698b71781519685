"""A list over the full screen: searched by typing, picked by arrows and Enter, by its numbers, or by mouse."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ..wrapping import wrap_lines
from .ordered_input import OrderedInput

HANGING = 4
"""Columns before the rest of a long entry."""
SCROLL_BAR = 2
"""The columns of the scroll bar and of the space before it."""


NOTHING_FOUND = "Nothing was found. Enter runs what you typed as a command."
HINT = "Up/Down, Enter picks, Esc closes."


class Choice(NamedTuple):
    """An entry."""

    text: str
    command: str
    """What it is picked for; empty for a title, which cannot be picked."""
    details: str = ""
    """Lines that are shown, and searched, while it is highlighted."""
    also: str = ""
    """Other words that find it."""


class PickScreen(ModalScreen[str]):
    """Entries of which one is picked; the result is its command, or empty if the player presses Esc.

    A typed line that finds nothing is the result itself: the player knows the command already.
    """

    BINDINGS = [
        Binding("escape", "dismiss('')", "Close"),
        Binding("down", "highlight('cursor_down')", priority=True),
        Binding("up", "highlight('cursor_up')", priority=True),
        Binding("pagedown", "highlight('page_down')", priority=True),
        Binding("pageup", "highlight('page_up')", priority=True),
    ]

    def __init__(self, heading: str, choices: Sequence[Choice], hint: str = HINT) -> None:
        super().__init__()
        self._hint = hint
        self._heading = heading
        self._choices = choices
        self._list = OptionList(id="choices_list", compact=True, markup=False)
        self._list.can_focus = False

    def compose(self) -> ComposeResult:
        """Return the widgets."""
        search = OrderedInput(placeholder="Type to search, or a number.", compact=True, id="search")
        search.cursor_blink = False
        if self._heading:
            yield Static(self._heading, id="list_heading", markup=False)
        yield search
        yield self._list
        yield Static(id="details", markup=False)
        yield Static(self._hint, id="hint")

    def on_resize(self, event: events.Resize) -> None:
        """Wrap the entries for the width there is."""
        self._fill(event.size.width)

    def action_highlight(self, action: str) -> None:
        """Move the highlight."""
        getattr(self._list, f"action_{action}")()

    @on(Input.Changed, "#search")
    def _search(self) -> None:
        self._fill(self.size.width)

    @on(Input.Submitted, "#search")
    def _pick(self, event: Input.Submitted) -> None:
        event.stop()
        if self._list.option_count:
            self._list.action_select()
        else:
            self.dismiss(event.value.strip())

    @on(OptionList.OptionHighlighted)
    def _explain(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        details = self.query_one("#details", Static)
        details.update(self._choices[int(event.option_id or 0)].details)

    @on(OptionList.OptionSelected)
    def _answer(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._choices[int(event.option_id or 0)].command)

    def _fill(self, width: int) -> None:
        found = matching(self._choices, self.query_one("#search", Input).value)
        self._list.set_options(
            Option(
                Text("\n".join(wrap_lines(self._choices[index].text, width - SCROLL_BAR, HANGING)), no_wrap=True),
                str(index),
                disabled=not self._choices[index].command,
            )
            for index in found
        )
        self.query_one("#details", Static).update("" if found else NOTHING_FOUND)
        self._list.action_first()


def matching(choices: Sequence[Choice], typed: str) -> list[int]:
    """Return the indices of the choices for what was typed: a number's, or those that contain every word.

    >>> choices = [Choice("Playing:", ""), Choice("1  bot", "bot", "play one"), Choice("2  here", "here")]
    >>> matching(choices, ""), matching(choices, "2"), matching(choices, "PLAY bot"), matching(choices, "3")
    ([0, 1, 2], [2], [1], [])
    """
    words = typed.lower().split()
    if not words:
        return list(range(len(choices)))
    is_found: Callable[[Choice], bool] = (
        (lambda choice: choice.text.split()[0] == words[0])
        if typed.strip().isdecimal()
        else (lambda choice: all(word in f"{choice.text} {choice.details} {choice.also}".lower() for word in words))
    )
    return [index for index, choice in enumerate(choices) if choice.command and is_found(choice)]
