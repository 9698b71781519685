"""One match on several nodes: each serves it, one does what happens without a command, and any may stop."""

import asyncio
from functools import partial
from typing import Any

import pytest

from millrace.protocol import CommandId, IdentityId, MatchId, PairingRequest, Player
from millrace.server.cluster.rendezvous import choose_owner
from millrace.server.journal.entries import Origin
from millrace.server.journal.journal_store import Journal
from millrace.server.lobby.search_store import pairing_insertions
from millrace.server.matches.clock import GRACE_MS
from millrace.server.rooms import takeovers
from millrace.server.rooms.room import Room
from tests.server.in_process_server import Frame, Visitor
from tests.server.node_cluster import Cluster, Node
from tests.server.web.two_players import BOT, ME, begin_between, create, play, play_moves
from tests.serving import PATIENCE_S


async def begin(cluster: Cluster, **fields: object) -> tuple[Visitor, Visitor, str]:
    """Return two players of a match, on two nodes, who watch it."""
    await cluster.start("third")
    ann, ben = await cluster.first.visitor(), await cluster.second.visitor()
    return ann, ben, await begin_between(ann, ben, **fields)


async def loaded_room(cluster: Cluster, node: Node, match: str) -> Room:
    """Return a node's room of a match once it has one."""
    async with asyncio.timeout(PATIENCE_S):
        while (room := node.started.application.rooms.loaded.get(MatchId(match))) is None:
            await cluster.network.settle(0.01)
    return room


async def play_and_see(ann: Visitor, ben: Visitor, match: str, *moves: str) -> None:
    """Make the first moves of a match, each once the player has seen the one before."""
    for ply, move in enumerate(moves):
        player, opponent = ((ann, ben), (ben, ann))[ply % 2]
        await play(player, match, ply % 2, move)
        assert (await opponent.hear_event("moved"))["event"]["move"] == move


async def test_players_and_spectators_on_three_nodes_see_every_move(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster)
    cat = await cluster.nodes["third"].served.visitor()
    await cat.say("watch", match=match)
    for ply, move in enumerate(("d6", "f4", "a7", "g7", "b4", "c3")):
        player, opponent = (ann, ben) if ply % 2 == 0 else (ben, ann)
        await play(player, match, ply % 2, move)
        for watcher in (opponent, cat):
            event = await watcher.hear_event("moved")
            assert event["event"]["move"] == move
        await opponent.hear_until("turn", seat=(ply + 1) % 2)


async def test_a_node_that_has_not_heard_of_a_match_knows_to_whom_it_is_open(cluster: Cluster) -> None:
    cluster.cut()
    ann, ben = await cluster.first.visitor(), await cluster.second.visitor()
    match = await create(ann, ratings={"least": 1800, "most": 2200})
    assert (await ben.ask("join", match=match))["code"] == "not_for_you"


async def test_a_node_that_is_cut_off_from_the_bus_says_so(cluster: Cluster) -> None:
    cluster.cut()
    first, second = (node.started.application.health() for node in cluster.nodes.values())
    assert (first["status"], first["trouble"]) == ("ok", [])
    assert (second["status"], second["bus"]) == ("degraded", "away")
    assert "Redis does not answer this server" in str(second["trouble"])


async def test_nothing_is_read_twice_from_the_database(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben, match = await begin(cluster)
    loads: list[str] = []
    for node in cluster.nodes.values():
        journal = node.started.stores.journal
        monkeypatch.setattr(journal, "load", loads.append)
    await play_and_see(ann, ben, match, "d6", "f4", "a7", "g7")
    assert loads == []


async def test_of_two_moves_at_once_one_counts(cluster: Cluster) -> None:
    ann, _, match = await begin(cluster)
    again = await cluster.nodes["third"].served.visitor(token=ann.token)
    await again.say("watch", match=match)
    await again.hear_event("started")
    answers = await asyncio.gather(
        ann.ask("play", match=match, seat=0, move="d6"),
        again.ask("play", match=match, seat=0, move="f4"),
    )
    assert sorted(answer["type"] for answer in answers) == ["accepted", "refused"]
    assert {(await cluster.find(node, match)).state.ply for node in cluster.nodes.values()} == {1}


async def test_everyone_knows_who_watches_on_other_nodes(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster)
    await ann.hear_until("audience_update", present=[True, True], spectators=0)
    cat = await cluster.nodes["third"].served.visitor()
    await cat.say("watch", match=match)
    await ann.hear_until("audience_update", spectators=1)
    await ben.hear_until("audience_update", spectators=1)
    await cat.connection.close()
    await ann.hear_until("audience_update", spectators=0)
    await ben.connection.close()
    await ann.hear_until("audience_update", present=[True, False])


async def test_a_bot_is_asked_by_one_node(cluster: Cluster) -> None:
    ann = await cluster.first.visitor()
    match = await create(ann, ME, BOT)
    await ann.say("watch", match=match)
    elsewhere = await cluster.second.visitor(token=ann.token)
    await elsewhere.say("watch", match=match)
    await elsewhere.hear_event("started")
    answer: Frame = {"seq": 0}
    for number in range(4):
        turn = await elsewhere.hear_until("turn", seat=0)
        while turn["seq"] <= answer["seq"]:
            turn = await elsewhere.hear_until("turn", seat=0)
        if number < 3:
            move = list(turn["moves"])[-1]
            answer = await play(elsewhere, match, 0, move)
    assert len([request for node in cluster.nodes.values() for request in node.bots.requests]) == 3


async def test_another_node_asks_the_bot_when_the_first_has_died(cluster: Cluster) -> None:
    ann = await cluster.first.visitor()
    match = await create(ann, ME, BOT)
    owner, (other,) = cluster.owner_of(match), cluster.others_than_owner(match)
    away = asyncio.Event()
    owner.bots.choose = lambda request: away.wait()  # type: ignore[method-assign,assignment,return-value]
    elsewhere = await other.served.visitor(token=ann.token)
    await elsewhere.say("watch", match=match)
    await elsewhere.ask("play", match=match, seat=0, move="d6")
    await cluster.stop(owner.bus.node)
    await elsewhere.hear_until("turn", seat=0)
    assert [request.moves for request in other.bots.requests] == [("d6",)]


async def test_a_flag_falls_though_the_node_of_the_match_and_all_its_players_have_gone(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster, clock={"initial_ms": 10_000})
    await play_moves((ann, ben), match, "d6", "f4")
    start_ms = cluster.now_ms()
    owner = cluster.owner_of(match)
    (survivor, _) = cluster.others_than_owner(match)
    for player in (ann, ben):
        await player.connection.close()
    for node in tuple(cluster.nodes.values()):
        if node is not survivor and node is not owner:
            await cluster.stop(node.bus.node)
    await cluster.stop(owner.bus.node)
    cat = await survivor.served.visitor()
    await cat.say("watch", match=match)
    await cat.hear_event("resumed")
    room = await survivor.started.application.rooms.find(MatchId(match))
    assert room.is_owned
    assert room.match.clock is not None
    assert room.match.clock.flag_falls_at_ms is not None
    # It stood still from the last sign of life, and has a grace period.
    assert room.match.clock.flag_falls_at_ms > start_ms + 10_000 + GRACE_MS // 2


async def test_a_gap_is_filled_from_the_journal(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster)
    await play_and_see(ann, ben, match, "d6", "f4")
    cluster.network.loss = 1.0
    await ann.ask("play", match=match, seat=0, move="a7")
    cluster.network.loss = 0.0
    # Ben's node has not heard of the move: what it stores has a number that is taken, and is decided anew.
    answer = await ben.ask("offer", match=match, seat=1, kind="draw")
    assert answer["type"] == "accepted", answer
    assert (await ann.hear_event("offered"))["event"]["seat"] == 1
    ben_s_node = cluster.nodes["second"]
    assert (await cluster.find(ben_s_node, match)).state.move_texts == ("d6", "f4", "a7")


async def test_a_move_is_not_refused_because_its_node_has_not_heard_of_the_one_before(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster)
    cluster.network.loss = 1.0
    await play(ann, match, 0, "d6")
    await play(ben, match, 1, "f4")
    assert (await ben.ask("play", match=match, seat=1, move="a7"))["code"] == "not_your_turn"


async def test_while_the_bus_is_down_the_nodes_look_into_the_journal(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster)
    for node in cluster.nodes.values():
        cluster.network.cut(node.bus)
    await play_and_see(ann, ben, match, "d6", "f4", "a7")
    cluster.network.heal()
    await ben.ask("play", match=match, seat=1, move="g7")
    assert (await ann.hear_event("moved"))["event"]["move"] == "g7"


async def test_lists_show_the_matches_of_all_nodes(cluster: Cluster) -> None:
    _, _, match = await begin(cluster)
    for node in cluster.nodes.values():
        visitor = await node.served.visitor()
        await visitor.say("watch_lobby", on=True)
        while not any(line["match"] == match for line in (await visitor.hear_until("live_matches"))["matches"]):
            pass


async def test_a_match_that_began_while_its_owner_joined_is_taken_over(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await cluster.first.visitor()
    match = ""
    while not match or choose_owner(match, {"first", "second", "third"}) != "third":
        match = await create(ann, ME, ME)

    async def overlook(_: Journal) -> tuple[MatchId, ...]:
        return ()

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "unfinished", overlook)
        await cluster.start("third")
    assert (await loaded_room(cluster, cluster.nodes["third"], match)).is_owned


PLAYERS = tuple(Player(IdentityId(f"guest-{number}"), "Quiet Otter") for number in range(2))
MANY = 64
"""The chance that one node owns this many matches, drawn independently between two, is one in 10^19."""


async def pair(node: Node, number: int) -> str:
    """Have a node create a match of paired players."""
    asked = [Origin(player.id, CommandId(f"find-{number}")) for player in PLAYERS]
    new = node.started.application.rooms.new
    return await new.open_paired(PairingRequest("morris"), PLAYERS, partial(pairing_insertions, asked), None)


async def test_matches_that_one_node_pairs_are_owned_by_all_nodes_and_have_a_room_there(cluster: Cluster) -> None:
    first = next(iter(cluster.nodes.values()))
    matches = [await pair(first, number) for number in range(MANY)]
    assert {cluster.owner_of(match).bus.node for match in matches} == {"first", "second"}
    for match in matches:
        await loaded_room(cluster, cluster.owner_of(match), match)


async def test_a_match_that_a_player_creates_is_owned_by_the_players_node(cluster: Cluster) -> None:
    ann = await cluster.second.visitor()
    for _ in range(8):
        assert cluster.owner_of(await create(ann, ME, ME)).bus.node == "second"


async def test_a_match_that_cannot_be_loaded_holds_up_none_of_a_stopped_node(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(takeovers, "AT_ONCE", 2)
    ann = await cluster.first.visitor()
    for _ in range(5):
        await create(ann, ME, ME)
    second = cluster.nodes["second"]
    broken, *others = await second.started.stores.journal.unfinished()
    assert len(others) == 4
    load = second.started.stores.journal.load

    async def load_others(match: MatchId, since: int = 0) -> Any:
        return () if match == broken else await load(match, since)

    monkeypatch.setattr(second.started.stores.journal, "load", load_others)
    await cluster.stop("first")
    for match in others:
        await loaded_room(cluster, second, match)
    assert second.started.application.rooms.loaded.get(broken) is None
