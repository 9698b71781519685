"""What `pip install .` installs: the packages whole, with the page and the migrations, and nothing else."""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from millrace.release import read_commit
from tests.project.repository import ROOT, files, read

pytestmark = pytest.mark.usefixtures("processes")


SOURCES: dict[str, str] = tomllib.loads(read("pyproject.toml"))["tool"]["hatch"]["build"]["targets"]["wheel"]["sources"]
"""Where each folder of the checkout is installed."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.Path:
    """A wheel built from the repository."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return zipfile.Path(built)


@pytest.fixture(scope="module")
def installed(wheel: zipfile.Path) -> set[str]:
    """The names of the files in it."""
    return set(wheel.root.namelist())


def test_a_wheel_knows_the_commit_that_it_was_built_from(wheel: zipfile.Path) -> None:
    git = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    commit = (wheel / "millrace" / "commit.txt").read_text().strip()
    assert len(commit) == 12
    assert git.stdout.startswith(commit)
    assert read_commit(ROOT) == commit


def test_every_file_of_the_packages_is_installed(installed: set[str]) -> None:
    for folder, package in SOURCES.items():
        for path in files(ROOT / folder):
            assert f"{package}/{path.relative_to(ROOT / folder).as_posix()}" in installed
    assert {f"millrace/{path.name}" for path in (ROOT / "millrace").glob("*.py")} <= installed


@pytest.mark.usefixtures("processes")
def test_a_source_distribution_holds_the_folders_and_not_the_links_to_them(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {name.rpartition("/")[0] for name in names if name.startswith("millrace/")} == {"millrace"}
    for name in (*SOURCES, "tools"):
        assert f"{name}/__init__.py" in names or f"{name}/env.py" in names


def test_nothing_else_is_installed(installed: set[str]) -> None:
    tops = {Path(name).parts[0] for name in installed}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"millrace"}


@pytest.mark.parametrize(
    "name",
    [
        "millrace/client/web/index.html",
        "millrace/client/web/protocol.js",
        "millrace/client/web/protocol.html",
        "millrace/client/web/protocol.schema.json",
        "millrace/client/web/asyncapi.json",
        "millrace/client/languages/de.json",
        "millrace/engine/games/morris/languages/de.json",
        "millrace/migrations/env.py",
        "millrace/engine/games/morris/positions.perft",
        "millrace/engine/games/morris/opening.book",
        "millrace/server/app/cli.py",
    ],
)
def test_everything_needed_to_serve_is_installed(installed: set[str], name: str) -> None:
    assert name in installed
