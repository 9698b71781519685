"""A command: its words, its help, and what runs it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from ..usage import UsageError
from .session import Session


@dataclass(frozen=True, slots=True)
class Command:
    """A command, known by its first word."""

    syntax: str
    """The command's word and arguments: names in capitals, optional ones in brackets, `...` if there may be several."""
    summary: str
    run: Callable[[Session, list[str]], Awaitable[None]]
    """Runs the command with the words that follow its name. Raises: UsageError, ClientError."""
    example: str = ""
    """A line that runs it; not needed without arguments."""
    also: str = ""
    """Other words for it, which are understood and found by a search but not listed."""

    @property
    def name(self) -> str:
        """The command's word."""
        return self.syntax.split()[0]

    @property
    def parameters(self) -> list[str]:
        """The names of its arguments, without brackets."""
        return [word.strip("[].") for word in self.syntax.split()[1:]]

    @property
    def usage(self) -> str:
        """How it is typed."""
        return f"Usage: {self.syntax}" + (f", such as: {self.example}" if self.example else "")

    def lacks_game(self, arguments: Sequence[str], *, has_board: bool) -> bool:
        """Return whether it needs a game that was not typed; an optional one is that of the shown board."""
        first = self.syntax.split()[1:2]
        return not arguments and (first == ["GAME"] or (first == ["[GAME]"] and not has_board))

    def check(self, arguments: Sequence[str]) -> None:
        """Raise UsageError if there are too few or too many arguments."""
        parameters = self.syntax.split()[1:]
        least = sum(not word.startswith("[") for word in parameters)
        takes_rest = bool(parameters) and "..." in parameters[-1]
        if len(arguments) < least or (len(arguments) > len(parameters) and not takes_rest):
            raise UsageError(self.usage)


@dataclass(frozen=True, slots=True)
class Group:
    """The commands of a subject, as `help` lists them."""

    title: str
    commands: tuple[Command, ...]
    needs_others: bool = False
    """Whether they are about other players or accounts, which a server for one player alone does not have."""
