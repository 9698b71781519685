"""Moderation of players connected to another node than the moderator."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from millrace.protocol import Code, ModerationAction
from millrace.server.callers.presence import PlayerUpdated, SessionsEnded
from millrace.server.cluster.events import ModerationApplied, ReportsChanged, SharedEvent
from millrace.server.cluster.match_events import MatchesRenamed
from millrace.server.moderation import enforcement
from millrace.server.rooms import resuming, rooms
from millrace.server.rooms.room import Room
from tests.server.chat.conversation import talk
from tests.server.cluster.loopback import LoopbackBus, LoopbackNetwork
from tests.server.in_process_server import Visitor
from tests.server.moderation.console import console_of
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import ask, closed, register_all
from tests.server.ratings.rated_play import ME, OPEN, play
from tests.serving import PATIENCE_S


async def begin(cluster: Cluster, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Visitor, Visitor, Visitor]:
    """Return a moderator on the first node, and two players on the second."""
    (meg,) = await register_all(cluster.first, "Margaret")
    async with console_of(folder) as console:
        await console.do(ModerationAction.MAKE_MODERATOR, "Margaret")
    await meg.hear_until("your_restrictions")
    ann, ben = await register_all(cluster.second, "Annabel", "Benjamin")
    # From now on the log is read when there is news only.
    monkeypatch.setattr(enforcement, "POLL_SECONDS", 3_600)
    return meg, ann, ben


async def moderate(visitor: Visitor, action: str, **fields: object) -> None:
    assert (await ask(visitor, "moderate", action=action, reason="Insults.", **fields))["type"] == "done"


def count_ends(folder: Path, match: str) -> int:
    with closing(sqlite3.connect(folder / "test.sqlite3")) as database:
        counting = "select count(*) from events where match = ? and body like '%ended%'"
        return int(database.execute(counting, (match,)).fetchone()[0])


def count_sent(network: LoopbackNetwork, monkeypatch: pytest.MonkeyPatch) -> Counter[type[SharedEvent]]:
    """Count from now on what nodes tell each other, by kind."""
    sent: Counter[type[SharedEvent]] = Counter()
    send = network.send

    def count(sender: LoopbackBus, event: SharedEvent) -> None:
        sent[type(event)] += 1
        send(sender, event)

    monkeypatch.setattr(network, "send", count)
    return sent


def count_readings(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """Count from now on how often each room reads again what is stored."""
    read: Counter[int] = Counter()

    def counting(do: Callable[[Room], Awaitable[None]]) -> Callable[[Room], Awaitable[None]]:
        async def count(room: Room) -> None:
            read[id(room)] += 1
            await do(room)

        return count

    for name in ("rename", "refresh"):
        monkeypatch.setattr(rooms, name, counting(getattr(resuming, name)))
    return read


async def test_an_action_counts_on_the_other_node_without_waiting_for_the_next_reading_of_the_log(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meg, ann, _ = await begin(cluster, tmp_path, monkeypatch)
    match = str((await ann.ask("create", id="c", game="morris", seats=(ME, OPEN)))["match"])
    await moderate(meg, "mute", player=ann.player["id"], duration_ms=86_400_000)
    while not (await ann.hear_until("your_restrictions"))["mute_text"]:
        pass
    assert (await talk(ann, match, "hello"))["code"] == Code.MUTED
    await moderate(meg, "ban", player=ann.player["id"])
    assert (await closed(ann))[2] == Code.BANNED
    while not (ends := count_ends(tmp_path, match)):
        await ask(meg, "get_moderation_log")
    assert ends == 1


async def test_a_reporter_is_notified_once_and_moderators_see_reports_of_other_nodes(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meg, ann, ben = await begin(cluster, tmp_path, monkeypatch)
    await meg.say("watch_reports")
    assert (await meg.hear_until("open_reports"))["players"] == []
    for watcher in (elsewhere := await cluster.first.visitor(ann.token)), ann:
        await watcher.say("watch_notifications")
        await watcher.hear_until("notifications")
    assert (await ask(ann, "report", match=None, player=ben.player["id"], reason="name"))["type"] == "done"
    (case,) = (await meg.hear_until("open_reports"))["players"]
    reports = [each["id"] for each in case["reports"]]
    await ask(meg, "take_reports", player=ben.player["id"])
    await moderate(meg, "remove_name", player=ben.player["id"], reports=reports)
    for watcher in (ann, elsewhere):
        assert (await watcher.hear_until("notification_added"))["notification"]["kind"] == "report_upheld"
        await ask(watcher, "mark_notifications_read")
        assert [frame["type"] for frame in watcher.read].count("notification_added") == 1


@pytest.mark.parametrize("action", ["remove_name", "ban", "void"])
async def test_a_node_announces_an_action_once_and_each_room_reads_it_once(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    meg, ann, ben = await begin(cluster, tmp_path, monkeypatch)
    match = await play([ann, ben])
    await meg.say("watch", match=match)
    await meg.hear_event("ended")
    await cluster.network.settle(0.1)
    applied: list[ModerationApplied] = []
    for node in cluster.nodes.values():
        node.bus.subscribe(ModerationApplied, applied.append)
    sent, read = count_sent(cluster.network, monkeypatch), count_readings(monkeypatch)
    await moderate(meg, action, **({"match": match} if action == "void" else {"player": ann.player["id"]}))
    async with asyncio.timeout(PATIENCE_S):
        while len(applied) < len(cluster.nodes):
            await cluster.network.settle(0.01)
    await cluster.network.settle(0.1)
    assert sent[ReportsChanged] == 1
    assert not sent.keys() & {MatchesRenamed, PlayerUpdated, SessionsEnded}
    assert set(read.values()) <= {1}
    assert len(read) == (0 if action == "ban" else len(cluster.nodes))
