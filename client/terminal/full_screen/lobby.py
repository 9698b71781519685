"""The lobby of the full screen: matches to play and watch, puzzles and lessons. Each entry is a command."""

from collections.abc import Callable, Iterable, Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from millrace.protocol import GameInfo

from ..commands import COMPLETED
from ..wrapping import wrap_lines

Entries = Sequence[tuple[str, str]]
"""Texts, and the command of each."""

LISTS = {"mine": "Your matches", "seeks": "Challenges and open matches", "live": "Live matches"}
"""The lists that change, and their titles."""
NOTHING = "-"
LEAST_WIDTH = 28
"""Columns of a list before the screen is laid out."""


_ELSEWHERE: Entries = (
    ("Everywhere", ""),
    ("  Tournaments", "tournaments"),
    ("  Puzzle of the day", "daily"),
    ("  Race others at puzzles", "race"),
    ("  Your finished matches", "archive"),
    ("  Who is online", "who"),
)


class Lobby(Horizontal):
    """Lists of commands."""

    class Picked(Message):
        """An entry was picked."""

        def __init__(self, command: str) -> None:
            super().__init__()
            self.command = command

    def __init__(self, games: Sequence[GameInfo], is_offered: Callable[[str], bool], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._games = games
        self._is_offered = is_offered
        """Whether the server has what a command is about."""
        self._greeting = Static(markup=False)
        self._shown: dict[str, Entries] = {}
        self._otherwise: dict[str, str] = {}
        """What is shown instead of an empty list."""
        self.play = OptionList(*_options(self._play_entries()), id="play", compact=True, markup=False)
        """The games on offer."""
        self._lists = {name: OptionList(id=name, compact=True, markup=False) for name in LISTS if is_offered(name)}

    def compose(self) -> ComposeResult:
        """Return the lists."""
        with Vertical(classes="column"):
            yield Static("Play", classes="heading")
            yield self.play
        with Vertical(classes="column"):
            yield self._greeting
            yield Static("Tab and arrows move, Enter picks.", classes="hint")
            for name, options in self._lists.items():
                yield Static(LISTS[name], classes="heading")
                yield options

    def greet(self, name: str) -> None:
        """Show who the player is."""
        self._greeting.update(f"You are {name}.")

    def fill(self, name: str, entries: Entries, otherwise: str) -> None:
        """Show the entries of a list, or a text if there are none."""
        if name not in self._lists or self._shown.get(name) == entries:
            return
        self._shown[name] = entries
        self._otherwise[name] = otherwise
        self._show(name)

    def on_resize(self) -> None:
        """Wrap the entries for the width there is, once the lists have it."""
        for name in self._shown:
            self.call_after_refresh(self._show, name)

    def _show(self, name: str) -> None:
        options, entries = self._lists[name], self._shown[name]
        width = options.scrollable_content_region.width or LEAST_WIDTH
        highlighted = options.highlighted
        wrapped = [("\n".join(wrap_lines(text, width)), command) for text, command in entries]
        options.set_options(_options(wrapped) if entries else [Option(self._otherwise[name], NOTHING, disabled=True)])
        if highlighted is not None and highlighted < len(entries):
            options.highlighted = highlighted

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Tell which entry was picked."""
        event.stop()
        if event.option_id is not None:
            self.post_message(self.Picked(event.option_id.partition(" ")[2]))

    def _play_entries(self) -> Entries:
        entries: list[tuple[str, str]] = []
        for game in self._games:
            entries += [
                (game.title, ""),
                ("  Play now", f"now {game.name}"),
                ("  Find an opponent, 5+3", f"find {game.name} 5+3"),
                ("  Play a bot ...", f"bot {game.name} easy{COMPLETED}"),
                ("  Open a match ...", f"seek {game.name} 10+5{COMPLETED}"),
                ("  All seats on this device", f"here {game.name}"),
                ("  Solve puzzles", f"puzzle {game.name}"),
                *([("  Begin the lesson", f"lesson {game.name}")] if game.has_lesson else []),
                ("  Study positions", f"study {game.name}"),
                ("  Best players", f"leaders {game.name}"),
            ]
        return [each for each in (*entries, *_ELSEWHERE) if not each[1] or self._is_offered(each[1])]


def _options(entries: Entries) -> Iterable[Option]:
    # An id is unique, so the number of the entry comes before its command.
    return (Option(text, f"{number} {command}", disabled=not command) for number, (text, command) in enumerate(entries))
