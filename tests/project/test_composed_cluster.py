"""What the composition of a cluster runs serves matches: the same commands, as processes of this machine."""

import asyncio
import json
import re
from pathlib import Path
from urllib.request import urlopen

import pytest

from millrace.client import ME, OPEN, bot, connect
from tests.commands import run
from tests.project.composed_processes import ComposedProcesses, composed_database
from tests.proxies import RoundRobinProxy
from tests.server.databases import read_value
from tests.serving import PATIENCE_S, ServerProcess

pytestmark = pytest.mark.usefixtures("processes")


OWN = ("--host=", "--port=", "--data-dir=")
"""Options of a node for which its process here has values of its own."""


async def play_across_nodes(address: str) -> None:
    """Play a short match between two players, who come one after the other, while a third watches."""
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(address) as ann,
        connect(address) as eve,
        connect(address) as spectator,
    ):
        match = (await ann.create("morris", [ME, OPEN], setup="WW............WBB....W.B b 0 0 flying=off")).match
        await eve.join(match)
        async with spectator.watch(match) as feed:
            await eve.play(match, 1, "g1-d1")
            await ann.play(match, 0, "g4-g7xc3")
            await feed.result()


async def play_against_a_bot(address: str) -> None:
    """Return when a bot has moved."""
    async with asyncio.timeout(PATIENCE_S), connect(address) as ann:
        match = (await ann.create("morris", [ME, bot(3)])).match
        async with ann.watch(match) as feed:
            for _ in range(2):
                turn = await feed.my_turn()
                assert turn is not None
                await turn.play(turn.moves[0])


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.redis
def test_the_composed_commands_serve_matches_across_nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with composed_database(tmp_path) as url:
        assert (
            read_value(url, "SELECT bool_or(rolsuper) FROM pg_roles WHERE rolname IN ('millrace', 'metrics')") is False
        )
        assert read_value(url, "SELECT pg_has_role('metrics', 'pg_monitor', 'MEMBER')") is True
        composed = ComposedProcesses(tmp_path, url)
        for name, value in composed.environment("node").items():
            monkeypatch.setenv(name, value)
        assert run(*composed.command("migration")) == (0, "Upgraded the database.\n")
        command, *arguments = composed.command("node")
        assert command == "serve"
        arguments = [word for word in arguments if not word.startswith(OWN)]
        with (
            composed.redis(),
            composed.bots(),
            ServerProcess(tmp_path / "one", *arguments) as one,
            ServerProcess(tmp_path / "two", *arguments) as two,
            RoundRobinProxy([one.port, two.port]) as proxy,
        ):
            for node in (one, two):
                with urlopen(f"{node.url}/health") as answer:
                    assert json.load(answer)["status"] == "ok"
            asyncio.run(play_across_nodes(proxy.address))
            assert set(proxy.taken[:3]) == {one.port, two.port}
            asyncio.run(play_against_a_bot(proxy.address))
            searched = re.findall(r"^millrace_bot_search_seconds_total\{.*\} (\S+)$", composed.metrics_of_bots(), re.M)
            assert any(float(seconds) > 0 for seconds in searched)
            assert (one.stop(), two.stop()) == (0, 0)
