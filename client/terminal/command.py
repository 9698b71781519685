"""What may be typed: the form of a command, and what is wrong with a line that has another."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


class UsageError(Exception):
    """What was typed cannot be done, or not just now; the text says why."""


@dataclass(frozen=True, slots=True)
class Command:
    """A first word that may be typed."""

    form: str
    """The word and what may follow it: capitals stand for something, brackets mean that it may be left out."""
    words: str
    """What it does."""
    obey: Callable[[list[str]], Awaitable[None]]
    """Does it, with the words that follow. Raises: UsageError, ClientError."""

    @property
    def name(self) -> str:
        """The first word."""
        return self.form.split()[0]

    def check(self, words: list[str]) -> None:
        """Raise a UsageError if words are missing, or too many."""
        wanted = self.form.split()[1:]
        least = sum(not word.startswith("[") for word in wanted)
        takes_rest = bool(wanted) and wanted[-1].endswith("...]")
        if len(words) < least or (len(words) > len(wanted) and not takes_rest):
            raise UsageError(f"Type: {self.form}")


def help_lines(commands: list[Command]) -> list[str]:
    """Return a line for each command."""
    width = max(len(command.form) for command in commands)
    return [f"  {command.form:<{width}}  {command.words}" for command in commands]
