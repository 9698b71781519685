"""A tournament on two nodes that both try to run it: nothing happens twice; another goes on when they are killed."""

import asyncio

import pytest

from millrace.server.tournaments.tournament_runner import TournamentRunner
from tests.server.in_process_server import Frame, Visitor
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import register
from tests.server.tournaments.arenas import plan


async def view(player: Visitor, tournament: str) -> Frame:
    await player.say("watch_tournament", tournament=tournament)
    return await player.hear_until("tournament_view")


async def match_of(player: Visitor, tournament: str) -> str:
    """Return the match of a player, once there is one."""
    async with asyncio.timeout(60):
        while (match := (await view(player, tournament))["you"]["standing"].get("match")) is None:
            await player.hear_until("your_tournament")
    return str(match)


async def resign(player: Visitor, match: str) -> None:
    await player.say("watch", match=match)
    while (event := (await player.hear_event("seated"))["event"])["player"]["id"] != player.player["id"]:
        pass
    assert (await player.ask("resign", match=match, seat=event["seat"]))["type"] == "accepted"


async def begin(cluster: Cluster, kind: str) -> tuple[Visitor, Visitor, str]:
    """Return players on both nodes and the tournament that they have joined."""
    ann = await register(cluster.first, "Annabel")
    ben = await register(cluster.second, "Benjamin")
    created = await ann.ask("create_tournament", plan=plan(cluster.now_ms() + 60_000, kind=kind, rounds=3))
    tournament = str(created["tournament"])
    for player in (ann, ben):
        assert (await player.ask("join_tournament", tournament=tournament))["type"] == "done"
    cluster.ahead_ms += 60_000
    return ann, ben, tournament


async def score_of(player: Visitor, tournament: str, name: str, score: int) -> None:
    """Return once a player has this score, as another one sees it."""
    async with asyncio.timeout(60):
        while (name, score) not in {
            (row["player"]["name"], row["score"]) for row in (await view(player, tournament))["standings"]
        }:
            await player.ping()


@pytest.mark.parametrize("kind", ["arena", "swiss"])
async def test_players_of_both_nodes_meet_in_one_match_that_counts_once(cluster: Cluster, kind: str) -> None:
    ann, ben, tournament = await begin(cluster, kind)
    match = await match_of(ann, tournament)
    assert await match_of(ben, tournament) == match
    await resign(ben, match)
    for player in (ann, ben):
        await score_of(player, tournament, "Annabel", 2)


@pytest.mark.parametrize("kind", ["arena", "swiss"])
async def test_another_node_finishes_the_wave_of_those_that_were_killed(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    is_stored = asyncio.Event()

    async def crash(*_: object) -> None:
        is_stored.set()
        await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        patch.setattr(TournamentRunner, "_create", crash)
        ann, ben, tournament = await begin(cluster, kind)
        await is_stored.wait()
        for name in ("first", "second"):
            await cluster.stop(name)
    third = await cluster.start("third")
    ann, ben = await third.visitor(ann.token), await third.visitor(ben.token)
    await resign(ben, await match_of(ann, tournament))
    await score_of(ann, tournament, "Annabel", 2)
