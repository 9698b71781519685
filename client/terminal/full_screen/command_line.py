"""The command line of the full screen, with completion and a history."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from textual import events
from textual.message import Message
from textual.suggester import Suggester

from ..commands import Session, complete
from .ordered_input import OrderedInput

INVITATION = "Type a move or a command, such as help. Ctrl+Q quits."


class CommandLine(OrderedInput):
    """Where commands and moves are typed. While it is empty, it shows the command that is waiting for its answer."""

    class Entered(Message):
        """A line was entered."""

        def __init__(self, line: str, openings: int) -> None:
            super().__init__()
            self.line = line
            self.openings = openings
            """The session's when it was begun."""

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(
            placeholder=INVITATION,
            suggester=_Completion(session),
            id=id,
            compact=True,
            select_on_focus=False,
        )
        # Blinking would cost a slow link bytes all the time.
        self.cursor_blink = False
        self._session = session
        self._unanswered: list[str] = []
        """The commands that are waiting for their answers."""
        self._typed: list[str] = []
        self._back = 0
        self._openings = 0
        """The session's when the line was begun."""

    def watch_value(self, before: str, after: str) -> None:
        """Notice when a line is begun."""
        if not before and after:
            self._openings = self._session.openings

    async def action_submit(self) -> None:
        """Enter the typed line, and clear it at once: what has been typed after it belongs to the next one."""
        line, self.value, self._back = self.value, "", 0
        if line.strip():
            self._typed.append(line)
        self.post_message(self.Entered(line, self._openings))

    @contextmanager
    def show_unanswered(self, line: str) -> Iterator[None]:
        """Show that a command is waiting for its answer."""
        self._unanswered.append(line)
        self._show_latest()
        try:
            yield
        finally:
            self._unanswered.remove(line)
            self._show_latest()

    def _show_latest(self) -> None:
        self.placeholder = f"{self._unanswered[-1]} ..." if self._unanswered else INVITATION

    async def on_key(self, event: events.Key) -> None:
        """Complete the last word by Tab, bring earlier lines back by Up and Down, and drop the line by Esc."""
        if event.key == "tab" and self.value:
            self._complete()
        elif event.key == "escape":
            self.value = ""
            # The application moves the focus.
            return
        elif event.key in ("up", "down"):
            self._back = min(max(self._back + (1 if event.key == "up" else -1), 0), len(self._typed))
            self.value = self._typed[-self._back] if self._back else ""
            self.cursor_position = len(self.value)
        else:
            return
        event.stop()
        event.prevent_default()

    def _complete(self) -> None:
        words = complete(self._session, self.value)
        if not words:
            return
        before, space, _ = self.value.rpartition(" ")
        self.value = before + space + _common_start(words) + (" " if len(words) == 1 else "")
        self.cursor_position = len(self.value)


def _common_start(words: Sequence[str]) -> str:
    """Return the characters with which all words begin."""
    least, most = min(words), max(words)
    length = next((index for index, letter in enumerate(least) if most[index : index + 1] != letter), len(least))
    return least[:length]


class _Completion(Suggester):
    """Suggests the rest of the line."""

    def __init__(self, session: Session) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._session = session

    async def get_suggestion(self, value: str) -> str | None:
        words = complete(self._session, value) if value else []
        before, space, _ = value.rpartition(" ")
        return before + space + words[0] if words else None
