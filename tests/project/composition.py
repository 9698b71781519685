"""The files of `deploy/cluster`, for tests."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from tests.project.repository import ROOT

FOLDER = ROOT / "deploy/cluster"
COMPOSE = FOLDER / "compose.yaml"
SMALL = ROOT / "docker-compose.yml"

_VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


@cache
def load(path: Path) -> Any:
    """Return the content of a YAML file, with its anchors and merged keys resolved."""
    return YAML(typ="safe", pure=True).load(path)


def services(path: Path = COMPOSE) -> dict[str, dict[str, Any]]:
    """Return the services by name."""
    found: dict[str, dict[str, Any]] = load(path)["services"]
    return found


def command_of(service: str, **variables: str) -> list[str]:
    """Return the command of a service, with Compose's variables replaced by values or their defaults."""
    return [interpolate(str(word), variables) for word in services()[service]["command"]]


def interpolate(text: str, variables: dict[str, str]) -> str:
    """Replace variables like Compose. Raises: KeyError for a required variable without a value."""

    def value(found: re.Match[str]) -> str:
        name, operator, default = found.groups()
        if name in variables:
            return variables[name]
        if operator == "-":
            return str(default)
        raise KeyError(name)

    return _VARIABLE.sub(value, text)
