"""Groups of commands whose help stands whole in 80 columns: Typer's boxes cut the names of options and variables."""

from typing import Any

import typer
from typer.core import TyperGroup

LONGEST_SUMMARY = 1_000
"""Characters; without boxes, Typer would cut summaries at the end of the line."""


def command_group(summary: str) -> typer.Typer:
    """Return an empty group of commands; without arguments, it prints its help."""
    return typer.Typer(
        cls=_Group,
        help=summary,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )


class _Group(TyperGroup):
    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the name and the first sentence of each command."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, command.get_short_help_str(LONGEST_SUMMARY)) for name, command in self.commands.items()]
            )
