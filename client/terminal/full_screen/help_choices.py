"""The help as a list to be searched. Pure."""

from collections.abc import Sequence

from ..commands import COMPLETED, Group
from ..commands.help import command_line, command_lines
from .pick_screen import Choice

HELP_HINT = "Up/Down, Enter begins it, Esc closes."


def help_choices(groups: Sequence[Group]) -> list[Choice]:
    """Return the commands under the titles of their groups, each with its options and an example."""
    width = max(len(command.syntax) for group in groups for command in group.commands)
    choices = list[Choice]()
    for group in groups:
        choices.append(Choice(group.title, ""))
        for command in group.commands:
            word = f"{command.name} {COMPLETED}" if command.name.islower() else COMPLETED
            details = "\n".join(line[2:] for line in command_lines(command)[2:])
            choices.append(Choice(f"  {command_line(command, width)}", word, details, command.also))
    return choices
