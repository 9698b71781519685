"""Finds misspelt environment variables: those that begin as ours do, and that nothing reads."""

import os
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from ...runtime.standard_streams import LEVELS_VARIABLE, warn
from .arguments import BUS_VARIABLE, DATABASE_VARIABLE

PREFIX = "MILLRACE_"
OF_TESTS = "MILLRACE_TEST"

WITHOUT_OPTIONS = frozenset(
    {
        BUS_VARIABLE,
        DATABASE_VARIABLE,
        LEVELS_VARIABLE,
        "MILLRACE_SMTP_PASSWORD",
        "MILLRACE_KERNEL_CACHE",
        "MILLRACE_URL",
        # Of the composition, whose nodes get all of its variables.
        "MILLRACE_NODES",
        "MILLRACE_WORKERS",
    }
)
"""Variables that no option stands for."""


def warn_of_unknown_variables(commands: Any) -> None:
    """Warn of each variable that no option of a group's commands reads, and name the one that may be meant."""
    known = WITHOUT_OPTIONS.union(_variables_of(commands))
    for name in sorted(os.environ):
        if name.startswith(PREFIX) and name not in known and not name.startswith(OF_TESTS):
            alike = get_close_matches(name.removeprefix(PREFIX), [each.removeprefix(PREFIX) for each in known], 1)
            advice = f"Did you mean {PREFIX}{alike[0]}?" if alike else "Nothing reads it."
            warn(f"The environment variable {name} is unknown. {advice}")


def variables_of(option: Any, prefix: str | None) -> list[str]:
    """Return the variables that an option of a command reads, given the command's prefix of variables."""
    if option.envvar:
        return [option.envvar] if isinstance(option.envvar, str) else list(option.envvar)
    return [f"{prefix}_{option.name.upper()}"] if prefix else []


def _variables_of(command: Any) -> Iterator[str]:
    """Yield the variables that a command, or the commands of a group, reads."""
    for each in getattr(command, "commands", {}).values():
        yield from _variables_of(each)
    prefix = command.context_settings.get("auto_envvar_prefix")
    for option in command.params:
        yield from variables_of(option, prefix)
