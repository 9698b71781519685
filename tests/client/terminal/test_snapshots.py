"""The full screen looks as it did when it was last looked at."""

import pytest

from tests.client.terminal.recording import FOLDER, SNAPSHOTS, Snapshot, take
from tests.serving import ServerProcess

pytestmark = pytest.mark.sampled


@pytest.mark.parametrize("snapshot", SNAPSHOTS, ids=[snapshot.name for snapshot in SNAPSHOTS])
async def test_the_screen_looks_as_recorded(server: ServerProcess, snapshot: Snapshot) -> None:
    assert await take(server, snapshot) == (FOLDER / f"{snapshot.name}.txt").read_text(encoding="utf-8")


def test_every_snapshot_is_compared() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {snapshot.name for snapshot in SNAPSHOTS}
