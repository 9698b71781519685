"""The documented commands are the tested ones."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator

import pytest
import typer
from typer.testing import CliRunner

from millrace.release import release_text
from millrace.server.app.cli import app
from tests.project.repository import ROOT, read, shell_blocks


def test_the_readme_has_two_commands_of_one_line() -> None:
    serve, test = shell_blocks("README.md")
    assert serve == "python3 -m venv .venv && .venv/bin/pip install '.[server]' && .venv/bin/millrace serve"
    assert test == "python3 -m venv .venv && .venv/bin/pip install '.[test]' && .venv/bin/pytest"


def test_ci_runs_the_readmes_test_command_and_the_second_ring_next() -> None:
    _, test = shell_blocks("README.md")
    lines = [line for line in read(".ci/run").splitlines() if "bin/pytest" in line]
    assert lines[lines.index(test) + 1] == ".venv/bin/pytest -m second_ring"


def test_ci_stops_at_the_first_failure() -> None:
    assert "set -euo pipefail" in read(".ci/run").splitlines()
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100


def test_the_documented_command_is_installed() -> None:
    scripts = tomllib.loads(read("pyproject.toml"))["project"]["scripts"]
    assert scripts == {"millrace": "millrace.server.app.__main__:main"}


@pytest.mark.usefixtures("processes")
def test_python_runs_the_package_as_the_command() -> None:
    command = (sys.executable, "-m", "millrace", "--version")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == f"Millrace {release_text()}\n"


def test_every_link_of_the_pages_leads_somewhere() -> None:
    pages = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")]
    for page in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", *pages):
        for target in re.findall(r"\]\(([^)#\s]+)", read(page)):
            if "://" not in target:
                assert ((ROOT / page).parent / target).exists(), f"{page}: {target}"


_BENCHMARK = r"python -m benchmarks\.(\w+)(?![^`]*` at (?:commit )?(?:42e2304|6a53ff3e))\b"
"""One that a page names, unless it is said to be at a commit."""


def test_every_benchmark_named_on_the_pages_exists() -> None:
    pages = ["README.md", *(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))]
    named = {name for page in pages for name in re.findall(_BENCHMARK, read(page))}
    assert named
    assert all((ROOT / "benchmarks" / f"{name}.py").exists() for name in named)


def commands_of(group: typer.Typer) -> Iterator[tuple[str, ...]]:
    """Yield the words of each command, and of the group itself."""
    yield ()
    for command in group.registered_commands:
        assert command.callback is not None
        yield (command.name or command.callback.__name__.replace("_", "-"),)
    for inner in group.registered_groups:
        assert inner.typer_instance is not None
        assert inner.name
        yield from ((inner.name, *words) for words in commands_of(inner.typer_instance))


@pytest.mark.parametrize("words", tuple(commands_of(app)), ids=" ".join)
def test_the_help_of_each_command_stands_whole_in_80_columns(words: tuple[str, ...]) -> None:
    asked = CliRunner().invoke(app, [*words, "--help"], terminal_width=80)
    assert asked.exit_code == 0, asked.output
    assert max(map(len, asked.output.splitlines())) <= 80
    assert "\N{HORIZONTAL ELLIPSIS}" not in asked.output
    assert not re.search(r"\w\.\.\.$", asked.output, re.MULTILINE)
    assert re.search(r"--help +Show this message", asked.output)
