"""What `docker-compose.yml` runs serves matches from PostgreSQL: the same command, as a process of this machine."""

import asyncio
import json
import urllib.request
from pathlib import Path

import pytest

from millrace.client import ME, connect
from tests.project.composition import SMALL, services
from tests.project.repository import read
from tests.server.databases import fresh_postgres
from tests.serving import PATIENCE_S, ServerProcess

pytestmark = pytest.mark.usefixtures("processes")


def composed_command() -> list[str]:
    """Return the command of the service `millrace`."""
    return [str(word) for word in services(SMALL)["millrace"]["command"]]


async def play(address: str) -> int:
    """Play a short match and return the number of its events."""
    async with asyncio.timeout(PATIENCE_S), connect(address) as player:
        match = (await player.create("morris", [ME, ME], setup="WW............WBB....W.B b 0 0 flying=off")).match
        await player.play(match, 1, "g1-d1")
        await player.play(match, 0, "g4-g7xc3")
        async with player.watch(match) as feed:
            await feed.result()
            return feed.view.seq


def test_the_image_and_the_composition_serve_from_the_same_folder() -> None:
    data_dir = composed_command()[composed_command().index("--data-dir") + 1]
    assert f"VOLUME {data_dir}\n" in read("Dockerfile")
    assert f"millrace:{data_dir}" in services(SMALL)["millrace"]["volumes"]
    assert f"ENV MILLRACE_DATA_DIR={data_dir} " in read("Dockerfile")
    assert json.dumps(composed_command()[:3]) in read("Dockerfile")


@pytest.mark.postgres
def test_the_composed_command_serves_matches_from_postgresql(tmp_path: Path) -> None:
    program, *arguments = composed_command()
    assert program == "serve"
    with fresh_postgres() as url:
        arguments[arguments.index("--database") + 1] = url
        arguments[arguments.index("--data-dir") + 1] = str(tmp_path)
        with ServerProcess(tmp_path, *arguments) as server:
            with urllib.request.urlopen(f"http://{server.address}/health") as answer:
                assert json.load(answer)["status"] == "ok"
            assert asyncio.run(play(server.address)) == 7
            server.stop_in_good_order()
        assert not list(tmp_path.glob("*.sqlite3"))
