"""`docs/cluster.md`: upgrade, rollback and restore, run word by word; containers are processes of this machine."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from millrace.client import ME, connect
from tests.processes import end_with_tests
from tests.project.composition import COMPOSE
from tests.project.repository import ROOT, read
from tests.server.databases import fresh_postgres, read_value
from tests.server.redis_servers import fresh_redis

PAGE = "docs/cluster.md"


def blocks_of(title: str) -> list[str]:
    """Return the shell commands of a section."""
    (section,) = re.findall(rf"^## {title}\n(.*?)^## ", read(PAGE), re.MULTILINE | re.DOTALL)
    return re.findall(r"^```sh\n(.*?)\n```$", section, re.MULTILINE | re.DOTALL)


class Machine:
    """A folder with a `docker` of its own, and what its shell prints."""

    def __init__(self, folder: Path, database: str) -> None:
        self._folder = folder
        shared = [
            "--database",
            database,
            "--bus",
            fresh_redis(),
            "--no-tablebases",
            "--no-browser-engine",
            "--bot-workers",
            "1",
        ]
        settings = {"number": 2, "database": database, "options": [*shared, "--data-dir", str(folder / "data")]}
        (folder / "settings.json").write_text(json.dumps(settings))
        docker = folder / "bin/docker"
        docker.parent.mkdir()
        docker.write_text(f'#!/bin/sh\nexec {sys.executable} {ROOT / "tests/docs/docker.py"} "$@"\n')
        docker.chmod(0o755)

    def run(self, *commands: str) -> str:
        environment = {
            **os.environ,
            "PATH": f"{self._folder / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "FAKE_DOCKER": str(self._folder),
        }
        done = subprocess.run(
            ["bash", "-ec", "\n".join(commands)], env=environment, capture_output=True, text=True, check=False
        )
        logs = "\n".join(path.read_text()[-2_000:] for path in self._folder.glob("node-*.log"))
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{logs}"
        return done.stdout

    @property
    def nodes(self) -> dict[str, int]:
        """The ports of the nodes by process."""
        found: dict[str, int] = json.loads((self._folder / "nodes.json").read_text())
        return found

    def end(self) -> None:
        for process in self.nodes:
            with suppress(ProcessLookupError):
                os.killpg(int(process), signal.SIGKILL)


@pytest.fixture
def database() -> Iterator[str]:
    with fresh_postgres() as url:
        yield url


@pytest.fixture
def machine(tmp_path: Path, database: str) -> Iterator[Machine]:
    machine = Machine(tmp_path, database)
    machine.run("docker compose up --detach --no-deps --wait node")
    yield machine
    machine.end()


async def create_match(port: int) -> str:
    async with connect(f"localhost:{port}") as me:
        return (await me.create("morris", [ME, ME])).match


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.usefixtures("processes")
def test_upgrade_rollback_and_restore_are_what_the_page_says(machine: Machine, database: str) -> None:
    backup, upgrade, rollback, restore = blocks_of("Upgrade, rollback and restore")
    before = machine.nodes
    kept = asyncio.run(create_match(next(iter(before.values()))))
    assert "before-upgrade.backup" in machine.run(backup)
    machine.run(upgrade)
    upgraded = machine.nodes
    assert len(upgraded) == 2
    assert before.keys().isdisjoint(upgraded)
    machine.run(rollback)
    assert upgraded.keys().isdisjoint(machine.nodes)
    lost = asyncio.run(create_match(next(iter(machine.nodes.values()))))
    assert "is kept as " in machine.run(restore)
    assert read_value(database, f"SELECT count(*) FROM matches WHERE id = '{kept}'") == 1
    assert read_value(database, f"SELECT count(*) FROM matches WHERE id = '{lost}'") == 0
    for port in machine.nodes.values():
        asyncio.run(create_match(port))


@pytest.mark.usefixtures("processes")
def test_the_command_pins_every_image_by_the_digest_that_the_registry_says(tmp_path: Path) -> None:
    (command,) = (block for block in _indented_blocks() if "imagetools" in block)
    docker = tmp_path / "docker"
    docker.write_text("#!/bin/sh\necho sha256:of-$6\n")
    docker.chmod(0o755)
    (tmp_path / "compose.yaml").write_text(COMPOSE.read_text())
    path = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(["sh", "-ec", command], cwd=tmp_path, env=path, check=True, preexec_fn=end_with_tests)
    pinned = dict(line.split("=") for line in (tmp_path / ".env").read_text().splitlines())
    assert pinned["POSTGRES_IMAGE"] == "postgres:17@sha256:of-postgres:17"
    assert pinned.keys() == set(re.findall(r"\$\{(\w+_IMAGE):-", COMPOSE.read_text()))


def _indented_blocks() -> list[str]:
    return re.findall(r"^  ```sh\n(.*?)\n  ```$", read(PAGE), re.MULTILINE | re.DOTALL)
