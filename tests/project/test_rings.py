"""The rings of the tests follow from what the tests use, and a run says what it leaves out."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import end_with_tests
from tests.project.repository import ROOT
from tests.rings import FIRST_RING

SETTINGS = f"""
[pytest]
testpaths = .
addopts = -q -p tests.rings -p no:cacheprovider -m "{FIRST_RING}"
markers =
    second_ring
    sampled
    slow
    postgres
"""

TESTS = """
import subprocess
import pytest

def test_pure(): pass
def test_that_says_so(processes): subprocess.run(["true"])
def test_that_says_nothing(): subprocess.run(["true"])
@pytest.mark.postgres
def test_of_a_database(): pass
@pytest.mark.slow
def test_that_takes_long(processes): pass
@pytest.mark.sampled
@pytest.mark.parametrize("case", range(5))
def test_of_many_cases(case): pass
"""

SECOND, THIRD = (
    "tests with browsers, databases and servers; pytest -m second_ring",
    "tests that take long; pytest -m slow",
)

pytestmark = pytest.mark.usefixtures("processes")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("arguments", "result", "left_out"),
    [
        ([], "1 failed, 3 passed, 6 deselected", [f"2 {SECOND}", f"4 {THIRD}"]),
        (["test_some.py"], "1 failed, 5 passed, 4 deselected", [f"4 {THIRD}"]),
        (["-m", "second_ring"], "2 passed, 8 deselected", []),
        (["-m", "slow"], "4 passed, 6 deselected", []),
        (["--numprocesses=2"], "1 failed, 3 passed", [f"2 {SECOND}", f"4 {THIRD}"]),
    ],
)
def test_each_ring_has_its_tests(tmp_path: Path, arguments: list[str], result: str, left_out: list[str]) -> None:
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    (tmp_path / "test_some.py").write_text(TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=end_with_tests,
    )
    assert result in done.stdout
    assert [line.removeprefix("Left out: ") for line in done.stdout.splitlines() if "Left out" in line] == left_out
    assert ("needs the fixture `processes`" in done.stdout) == ("failed" in result)
