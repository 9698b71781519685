"""Folders are floors: imports between the children of a package point down only, as in the contract."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.project.repository import ROOT, files, read

MAX_FLOORS = {"engine": 12, "server": 9, "client": 15}
MAX_ROOMS = 24
"""Maximum folders and modules in `server/`."""
DATABASES = {"aiosqlite", "alembic", "asyncpg", "sqlalchemy", "sqlite3"}


@cache
def imported_modules(path: Path) -> list[str]:
    """Return the dotted names that a module imports, also under TYPE_CHECKING and inside functions."""
    package = ("millrace", *path.relative_to(ROOT).with_suffix("").parts[:-1])
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            begin = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*begin, *([node.module] if node.module else [])])
            found.extend(f"{base}.{alias.name}" for alias in node.names)
    return found


def imports_between_children(package: str) -> dict[str, set[str]]:
    """Return which children of a top-level folder each child imports; a child is a folder or a module."""
    graph: dict[str, set[str]] = {}
    for path in files(ROOT / package):
        child = path.relative_to(ROOT / package).parts[0].removesuffix(".py")
        if path.suffix != ".py" or child == "__init__":
            continue
        own = graph.setdefault(child, set())
        for name in imported_modules(path):
            parts = name.split(".")
            if parts[:2] == ["millrace", package] and len(parts) > 2 and parts[2] != child:
                own.add(parts[2])
    return {child: imported & graph.keys() for child, imported in graph.items()}


def floors(graph: dict[str, set[str]]) -> list[tuple[str, ...]]:
    """Return the floors, lowest first. Raises: graphlib.CycleError."""
    sorter = TopologicalSorter(graph)
    sorter.prepare()
    found = []
    while sorter.is_active():
        found.append(sorter.get_ready())
        sorter.done(*found[-1])
    return found


@pytest.mark.parametrize("package", MAX_FLOORS)
def test_no_imports_form_a_cycle_within_a_package(package: str) -> None:
    graph = imports_between_children(package)
    assert sum(map(len, graph.values())) > len(graph) / 2, "imports are found at all"
    assert len(floors(graph)) <= MAX_FLOORS[package]


def test_only_stores_and_the_engine_room_know_databases() -> None:
    """The SQL of a feature is in its `..._store` modules, and in `tables` where two of them share tables."""
    modules = (path for path in files(ROOT / "server") if path.suffix == ".py")
    others = (path for path in modules if not re.search("server/storage/|_store.py$|/tables.py$", path.as_posix()))
    known = {path: DATABASES.intersection(name.split(".")[0] for name in imported_modules(path)) for path in others}
    assert {path: names for path, names in known.items() if names} == {}


def test_the_server_has_few_rooms() -> None:
    assert len(imports_between_children("server")) <= MAX_ROOMS


def test_the_contract_names_folders_in_a_few_rows() -> None:
    contracts = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layered = [contract for contract in contracts if contract["type"] == "layers"]
    assert layered
    for contract in layered:
        assert len(contract["layers"]) <= max(MAX_FLOORS.values())
        assert not any("." in row for row in contract["layers"])


@pytest.mark.usefixtures("processes")
def test_the_contract_is_kept() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
