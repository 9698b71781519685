"""The pytest plug-in that calls the conformance tests (`engine.conformance`, `server.app.conformance`) for each game.

Beside the packages, since pytest imports it wherever Millrace is installed, even without the engine. Games are loaded
when tests are collected.
"""

from collections.abc import Iterator
from typing import Any

import pytest

MODULES = ("millrace.engine.conformance", "millrace.server.app.conformance")

pytest.register_assert_rewrite(*MODULES)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--conformance`."""
    group = parser.getgroup("millrace", "games for Millrace")
    group.addoption(
        "--conformance",
        action="append",
        default=[],
        metavar="NAME",
        help="Run the tests that every game passes for this game only. Repeatable; by default for all games.",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Call a conformance test for each game, beginning or opening."""
    if metafunc.function.__module__ not in MODULES:
        return
    names = metafunc.config.getoption("--conformance")
    wanted = {"game": _games, "beginning": _beginnings, "opening": _openings}
    for argument, values in wanted.items():
        if argument in metafunc.fixturenames:
            metafunc.parametrize(argument, list(values(names)))


def _games(names: list[str]) -> Iterator[Any]:
    from .engine.games import GAMES, find_game  # noqa: PLC0415

    for game in map(find_game, names or GAMES):
        yield pytest.param(game, id=game.name)


def _beginnings(names: list[str]) -> Iterator[Any]:
    from .engine.conformance import Beginning  # noqa: PLC0415

    for (game,) in (each.values for each in _games(names)):
        for seats in game.seats:
            for opening in ("", *game.rules.openings):
                label = "-".join(filter(None, (game.name, str(seats), opening)))
                yield pytest.param(Beginning(game, seats, opening), id=label)


def _openings(names: list[str]) -> Iterator[Any]:
    for each in _beginnings(names):
        (beginning,) = each.values
        if beginning.opening:
            yield each
