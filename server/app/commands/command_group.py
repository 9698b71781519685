"""Groups of commands whose help stands whole in 80 columns: Typer's boxes cut the names of options and variables."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from millrace.engine.shortening import shorten

from .environment import variables_of

LONGEST_SUMMARY = 1_000
"""Characters; without boxes, Typer would cut summaries at the end of the line."""

USAGE_ERROR: Any = typer.BadParameter.__base__
"""What is raised for all wrong arguments; Typer does not export it."""


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


@contextmanager
def _shortened_errors() -> Iterator[None]:
    try:
        yield
    except USAGE_ERROR as error:
        error.message = f"{shorten(error.message)}{_origin_in_environment(error)}"
        raise


def _origin_in_environment(error: Any) -> str:
    """Return a sentence with the variable that a wrong value comes from; empty if it was typed."""
    context, option = error.ctx, getattr(error, "param", None)
    source = context.get_parameter_source(option.name) if context and option else None
    if source is None or source.name != "ENVIRONMENT":
        return ""
    variables = variables_of(option, context.auto_envvar_prefix)
    given = " ".join(f"{name}={os.environ[name]}" for name in variables if name in os.environ)
    return f" The environment has {shorten(given)}."


class _Group(TyperGroup):
    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """Parse the group's own arguments."""
        with _shortened_errors():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: Any) -> Any:
        """Parse the rest, and run the command."""
        with _shortened_errors():
            return super().invoke(ctx)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the name and the first sentence of each command."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, command.get_short_help_str(LONGEST_SUMMARY)) for name, command in self.commands.items()]
            )
