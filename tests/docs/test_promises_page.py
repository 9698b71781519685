"""`docs/promises.md`: its tests exist, and its commands run for a moment each."""

import ast
import os
import re
import subprocess
import sys

import pytest

from tests.processes import end_with_tests
from tests.project.repository import ROOT, read, shell_blocks

PAGE = "docs/promises.md"
SHORTER = {"--minutes 60": "--minutes 0.02", "--runs 10000000": "--runs 2000", "--megabytes 550": "--megabytes 8"}
"""What makes the page's commands end soon."""

COMMANDS = shell_blocks(PAGE)
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", read(PAGE))))


def test_every_promise_names_a_test() -> None:
    rows = [row for row in re.findall(r"^\| (.*) \|$", read(PAGE), re.MULTILINE) if not row.startswith("promise |")]
    assert len(rows) >= 15
    assert all("`tests/" in row for row in rows), rows


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_the_tests_of_the_page_exist(file: str, name: str) -> None:
    tree = ast.parse(read(file))
    functions = {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
    assert not name or name in functions


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("processes")
def test_the_commands_of_the_page_can_be_run(command: str) -> None:
    short = command
    for long, shorter in SHORTER.items():
        short = short.replace(long, shorter)
    assert short != command
    program, *arguments = short.split()
    assert program == "python"
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=end_with_tests,
    )
    assert done.returncode == 0, done.stdout + done.stderr
