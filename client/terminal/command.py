"""A command of the terminal: its syntax, and the error for lines that do not follow it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


class UsageError(Exception):
    """The typed line cannot be run. The message tells the player why."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command, known by its first word."""

    syntax: str
    """The command's word and arguments: names in capitals, optional ones in brackets."""
    summary: str
    run: Callable[[list[str]], Awaitable[None]]
    """Runs the command with the words that follow its name. Raises: UsageError, ClientError."""

    @property
    def name(self) -> str:
        """The command's word."""
        return self.syntax.split()[0]

    def check(self, arguments: list[str]) -> None:
        """Raise UsageError if there are too few or too many arguments."""
        parameters = self.syntax.split()[1:]
        least = sum(not word.startswith("[") for word in parameters)
        takes_rest = bool(parameters) and parameters[-1].endswith("...]")
        if len(arguments) < least or (len(arguments) > len(parameters) and not takes_rest):
            raise UsageError(f"Usage: {self.syntax}")


def help_lines(commands: list[Command]) -> list[str]:
    """Return the lines of the list of commands."""
    width = max(len(command.syntax) for command in commands)
    return [f"  {command.syntax:<{width}}  {command.summary}" for command in commands]
