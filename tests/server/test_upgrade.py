"""An upgrade while people play: an older release runs, and restarts, beside a newer one that has changed the tables.

The older release is this checkout, and the newer one the same with another migration, which adds what the older one
does not use. `MILLRACE_TEST_PREVIOUS=COMMIT` runs an older commit beside the newer one as well.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from millrace.server.app.stores import open_storage
from millrace.server.storage.errors import StorageError
from millrace.server.storage.migrate import head_revision
from tests.proxies import RoundRobinProxy
from tests.server.databases import fresh_postgres, read_value
from tests.server.redis_servers import fresh_redis
from tests.server.steady_play import play_on_during
from tests.serving import CHECKOUT, GENEROUS, ServerProcess

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.usefixtures("processes")]

HEAD = head_revision()
THIS = "this checkout"
OLDER = [THIS, *filter(None, [os.environ.get("MILLRACE_TEST_PREVIOUS")])]
NEXT, AFTER_NEXT = (f"{int(HEAD) + steps:04}" for steps in (1, 2))

EXPANDING = f'''"""Add what older releases do not use."""

import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{HEAD}"
oldest_compatible = "{HEAD}"


def upgrade() -> None:
    op.create_table("inventions", sa.Column("name", sa.Text, primary_key=True))
    op.add_column("events", sa.Column("invention", sa.Text))
    op.add_column("matches", sa.Column("invention", sa.Integer, nullable=False, server_default="0"))
'''
CONTRACTING = f'''"""Take away what older releases use."""

from alembic import op

revision = "{AFTER_NEXT}"
down_revision = "{NEXT}"


def upgrade() -> None:
    op.drop_table("heartbeats")
'''


def release(folder: Path, *migrations: tuple[str, str]) -> Path:
    """Make a checkout that is this one with further migrations, by revision; return its folder."""
    package = folder / "millrace"
    package.mkdir(parents=True)
    for module in ("__init__.py", "release.py"):
        shutil.copyfile(CHECKOUT / "millrace" / module, package / module)
    for part in ("client", "engine", "protocol", "server"):
        (package / part).symlink_to(CHECKOUT / part)
    shutil.copytree(CHECKOUT / "migrations", package / "migrations", ignore=shutil.ignore_patterns("__pycache__"))
    for revision, program in migrations:
        (package / "migrations" / "versions" / f"revision_{revision}_of_a_test.py").write_text(program)
    return folder


@pytest.fixture(params=OLDER)
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A checkout of the older release."""
    if request.param == THIS:
        return CHECKOUT
    folder = tmp_path / "older"
    folder.mkdir()
    archive = subprocess.run(["git", "archive", request.param], cwd=CHECKOUT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "--extract", "--directory", str(folder)], input=archive, check=True)
    if (folder / "tools" / "make.py").exists():
        subprocess.run(
            [sys.executable, "-m", "tools.make"], cwd=folder, env={**os.environ, "PYTHONPATH": ""}, check=True
        )
    return folder


class Upgrade:
    """Two nodes behind a proxy, each of any release."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self.database = stack.enter_context(fresh_postgres())
        self._bus = fresh_redis()
        self._ports = [0, 0]
        self._nodes: dict[int, ServerProcess] = {}

    def run(self, number: int, checkout: Path) -> None:
        """Start a node of a release, in place of the one that runs, if there is one."""
        if number in self._nodes:
            self._nodes.pop(number).stop_in_good_order()
        arguments = ("--database", self.database, "--bus", self._bus, "--bot-workers", "1", *GENEROUS)
        node = ServerProcess(self._folder / f"{number}", *arguments, folder=checkout, port=self._ports[number])
        self._stack.callback(node.kill)
        node.start()
        self._nodes[number], self._ports[number] = node, node.port

    def open(self) -> RoundRobinProxy:
        """Return the proxy before the nodes that have been started."""
        return self._stack.enter_context(RoundRobinProxy(self._ports))

    @property
    def revision(self) -> object:
        """The revision of the tables."""
        return read_value(self.database, "SELECT version_num FROM alembic_version")

    def check_logs(self) -> None:
        """Check that nothing has failed on the nodes that run."""
        for node in self._nodes.values():
            assert not [line for line in node.output if "Traceback" in line or "[error" in line], "\n".join(node.output)


@pytest.fixture
def beside() -> Iterator[ThreadPoolExecutor]:
    """A thread for what must not hold up the event loop, which lives as long as the nodes."""
    with ThreadPoolExecutor(1) as beside:
        yield beside


@pytest.fixture
def upgrade(tmp_path: Path, beside: ThreadPoolExecutor) -> Iterator[Upgrade]:
    with ExitStack() as stack:
        yield Upgrade(tmp_path, stack)


@pytest.mark.slow
def test_play_continues_while_a_newer_release_takes_over_and_the_older_one_restarts(
    upgrade: Upgrade, older: Path, tmp_path: Path, beside: ThreadPoolExecutor
) -> None:
    newer = release(tmp_path / "newer", (NEXT, EXPANDING))

    def replace_nodes() -> None:
        upgrade.run(0, newer)
        assert upgrade.revision == NEXT
        upgrade.run(1, older)
        upgrade.run(1, newer)

    for number in (0, 1):
        beside.submit(upgrade.run, number, older).result()
    proxy = upgrade.open()

    async def play() -> None:
        await play_on_during(proxy.address, upgrade.database, lambda: asyncio.wrap_future(beside.submit(replace_nodes)))

    asyncio.run(play())
    upgrade.check_logs()


def test_a_release_that_needs_something_removed_is_refused_with_a_reason(tmp_path: Path) -> None:
    newer = release(tmp_path / "newer", (NEXT, EXPANDING), (AFTER_NEXT, CONTRACTING))
    with fresh_postgres() as database:
        migrated = subprocess.run(
            [sys.executable, "-m", "millrace.server.app.cli", "migrate", "--database", database],
            cwd=newer,
            env={**os.environ, "PYTHONPATH": str(newer)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert migrated.stdout == "Upgraded the database.\n"
        words = f"which releases with revision {AFTER_NEXT} or later can use; this one has {HEAD}"
        with pytest.raises(StorageError, match=words):
            asyncio.run(open_storage(database))
