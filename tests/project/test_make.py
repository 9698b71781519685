"""What a contributor types, and what the hosted CI runs."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.project.repository import ROOT, check_schema, read

TARGETS = ("install", "quick", "test", "all", "lint", "lock", "serve")
WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"


def recipes() -> dict[str, list[str]]:
    """Return the commands of each target of the Makefile."""
    found = re.findall(r"^(\w+): ## .*\n((?:\t.*\n)*)", read("Makefile"), re.MULTILINE)
    return {target: [line.strip() for line in lines.splitlines()] for target, lines in found}


@pytest.mark.usefixtures("processes")
def test_make_alone_lists_every_target_with_a_line() -> None:
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [re.match(r"make (\w+) +\S", line)[1] for line in listed] == ["help", *TARGETS]  # type: ignore[index]


def test_contributing_begins_with_the_targets_and_fits_two_screens() -> None:
    page = read("CONTRIBUTING.md")
    assert tuple(re.findall(r"^\| `make (\w+)", page, re.MULTILINE)) == TARGETS
    assert len(page.splitlines()) <= 100


def test_ci_runs_what_lint_and_quick_run() -> None:
    script = read(".ci/run").splitlines()
    for command in (*recipes()["lint"], *recipes()["quick"]):
        assert any(command in line for line in script), command
    assert recipes()["all"] == [".ci/run"]


def test_install_makes_what_the_other_targets_run() -> None:
    assert recipes()["install"][-1] == ".venv/bin/pip install --editable '.[test]'"
    others = [line for target in ("quick", "test", "lint", "serve") for line in recipes()[target]]
    assert all(line.startswith(".venv/bin/") for line in others)


@pytest.mark.usefixtures("processes")
def test_the_hosted_ci_runs_the_script_and_obeys_its_schema(tmp_path: Path) -> None:
    done = check_schema("github-workflows", WORKFLOW)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"- run: (.*)", WORKFLOW.read_text())[-1] == ".ci/run"
    misspelt = tmp_path / "ci.yml"
    misspelt.write_text(WORKFLOW.read_text().replace("runs-on:", "run-on:"))
    assert check_schema("github-workflows", misspelt).returncode != 0
