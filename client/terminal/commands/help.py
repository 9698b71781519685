"""The help: the list of commands, a command with its options and an example, and a search. Pure."""

from collections.abc import Iterator, Sequence

from .command import Command, Group
from .options import OPTIONS

OPTION = "OPTION"
"""The name of the arguments that are options."""


def help_lines(groups: Sequence[Group]) -> list[str]:
    """Return the lines of the list of commands."""
    width = _width(groups)
    lines = list[str]()
    for group in groups:
        lines.append(f"{group.title}:")
        lines += [f"  {command_line(command, width)}" for command in group.commands]
    return lines


def command_lines(command: Command) -> list[str]:
    """Return the lines about a command."""
    lines = [f"  {command.syntax}", f"  {command.summary}"]
    if command.example:
        lines.append(f"  Example: {command.example}")
    return lines + (["  Options:", *option_lines()] if OPTION in command.parameters else [])


def option_lines() -> list[str]:
    """Return the lines about the options after a game."""
    width = max(len(words) for words, _ in OPTIONS)
    return [f"    {words:<{width}}  {meaning}" for words, meaning in OPTIONS]


def search_lines(groups: Sequence[Group], words: Sequence[str]) -> list[str]:
    """Return the lines about the commands and options that contain all of some words."""
    found = [command for group in groups for command in group.commands if is_about(command, words)]
    options = [line for line in option_lines() if _contains(line, words)]
    width = _width(groups)
    return [f"  {command_line(command, width)}" for command in found] + (["  Options:", *options] if options else [])


def is_about(command: Command, words: Sequence[str]) -> bool:
    """Return whether the help on a command contains all of some words."""
    return _contains(f"{command.syntax} {command.summary} {command.example} {command.also}", words)


def command_line(command: Command, width: int) -> str:
    """Return a command as a line whose first column has a width."""
    return f"{command.syntax:<{width}}  {command.summary}"


def _width(groups: Sequence[Group]) -> int:
    return max(len(command.syntax) for command in _commands(groups))


def _commands(groups: Sequence[Group]) -> Iterator[Command]:
    return (command for group in groups for command in group.commands)


def _contains(text: str, words: Sequence[str]) -> bool:
    return all(word.lower() in text.lower() for word in words)
