"""Shared test helpers are in modules that are neither tests nor conftest files."""

import ast
from collections.abc import Iterator

from tests.project.repository import ROOT


def imported_modules(program: str) -> Iterator[str]:
    """Yield the full name of everything that a program imports, as a module may be the last part of it."""
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module or ''}.{name.name}" for name in node.names)


def imports_of_tests(program: str) -> list[str]:
    """Return the imports of a program from modules of tests and from conftest files."""
    parts = {name: name.split(".") for name in imported_modules(program)}
    return [
        name
        for name, (first, *rest) in parts.items()
        if first in {"tests", ""} and any(part.startswith("test_") or part == "conftest" for part in rest)
    ]


def test_nothing_imports_from_a_module_of_tests_or_from_a_conftest_file() -> None:
    paths = [path for folder in ("tests", "benchmarks") for path in sorted((ROOT / folder).rglob("*.py"))]
    found = {str(path.relative_to(ROOT)): imports_of_tests(path.read_text(encoding="utf-8")) for path in paths}
    assert {path: names for path, names in found.items() if names} == {}, "move what is shared to a module of its own"


def test_an_import_from_a_module_of_tests_is_found_in_every_form() -> None:
    program = """
import tests.engine.test_state
from tests.engine import test_perft
from tests.server.conftest import Served
from tests.engine.minimax import search
"""
    assert imports_of_tests(program) == [
        "tests.engine.test_state",
        "tests.engine.test_perft",
        "tests.server.conftest.Served",
    ]
