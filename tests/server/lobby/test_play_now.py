"""Playing at once over real sockets: with a waiting player, or else with a bot; one command, one match."""

import asyncio

import pytest

from tests.server.in_process_server import Served, Visitor
from tests.server.lobby.commands import ask
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import register

REQUEST = {"game": "morris", "seats": 2, "clock": {"initial_ms": 300_000, "increment_ms": 3_000}}
ME, OPEN = {"occupant": "me"}, {"occupant": "open"}
DAYS = {"initial_ms": 86_400_000, "renews": True}


async def waiting_names(visitor: Visitor) -> dict[str, str]:
    """Return who waits for an opponent like this visitor, by game, from the next list of seeks."""
    frame = await visitor.hear_until("seeks")
    return {each["game"]: each["player"]["name"] for each in frame["opponents"]}


async def test_the_first_player_meets_a_bot_of_the_first_level(served: Served) -> None:
    ann = await served.visitor()
    playing = await ask(ann, "play_now", game="mingmang")
    assert playing["type"] == "now_playing"
    assert [opponent["level"] for opponent in playing["opponents"]] == [1]
    await ann.say("watch", match=playing["match"])
    assert len((await ann.hear_until("watching"))["your_seats"]) == 1


async def test_the_lists_show_waiting_opponents_in_advance(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    await ben.say("watch_lobby")
    assert await waiting_names(ben) == {}
    await ask(ann, "find_match", request=REQUEST)
    assert await waiting_names(ben) == {"morris": ann.player["name"]}
    await ask(ann, "stop_search", id="s")
    assert await waiting_names(ben) == {}


async def test_an_open_match_is_joined(served: Served) -> None:
    host, ben = await served.visitor(), await served.visitor()
    made = await host.ask("create", id="m", game="morris", seats=[ME, OPEN], listed=True)
    await ben.say("watch_lobby")
    assert await waiting_names(ben) == {"morris": host.player["name"]}
    playing = await ask(ben, "play_now", game="morris")
    assert playing["match"] == made["match"]


@pytest.mark.parametrize(
    "options",
    [
        {"setup": "W.W.W...........B.B.B... w 3 3"},
        {"clock": DAYS},
        {"clock": {"initial_ms": 300_000}, "seats": [ME, OPEN | {"initial_ms": 60_000}]},
        {"ratings": {"least": 2_000, "most": 2_500}},
        {"game": "battlesheep", "setup": "seats=3", "seats": [ME, OPEN, OPEN]},
    ],
)
async def test_an_open_match_with_unexpected_settings_is_not_joined(served: Served, options: dict[str, object]) -> None:
    host, ben = await served.visitor(), await served.visitor()
    match = {"game": "morris", "seats": [ME, OPEN], "listed": True} | options
    await host.ask("create", id="m", **match)
    playing = await ask(ben, "play_now", game=match["game"])
    assert playing["opponents"][0]["level"] == 1


async def test_a_rated_search_is_not_joined(served: Served) -> None:
    ann, ben = await register(served, "Ann"), await register(served, "Ben")
    await ask(ann, "find_match", request={**REQUEST, "rated": True})
    assert (await ask(ben, "play_now", game="morris"))["opponents"][0]["level"] == 1


async def test_players_who_block_each_other_do_not_meet(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    await ask(ben, "block", player=ann.player["id"])
    await ask(ann, "find_match", request=REQUEST)
    assert (await ask(ben, "play_now", game="morris"))["opponents"][0]["level"] == 1


async def test_a_repeated_command_always_leads_to_the_same_match(served: Served) -> None:
    ann, host = await served.visitor(), await served.visitor()
    for way in ("bot", "seek", "search"):
        if way == "seek":
            await host.ask("create", id=way, game="morris", seats=[ME, OPEN], listed=True)
        if way == "search":
            await ask(host, "find_match", id=way, request=REQUEST)
        tabs = [ann, *[await served.visitor(ann.token) for _ in range(7)]]
        first, *others = await asyncio.gather(*(ask(tab, "play_now", id=f"p-{way}", game="morris") for tab in tabs))
        assert others == [first] * len(others)
        assert await ask(ann, "play_now", id=f"p-{way}", game="morris") == first


async def test_a_players_own_search_ends_and_is_not_their_opponent(served: Served) -> None:
    ann = await served.visitor()
    await ask(ann, "find_match", id="f", request=REQUEST)
    playing = await ask(ann, "play_now", id="p", game="morris")
    assert playing["opponents"][0]["level"] == 1
    assert "search_ended" in [frame["type"] for frame in ann.read]


async def test_an_unknown_game_is_refused(served: Served) -> None:
    ann = await served.visitor()
    for command in ("play_now", "get_fitting_bot"):
        assert (await ask(ann, command, id=command, game="chess"))["code"] == "unknown_game"


@pytest.mark.parametrize("way", ["search", "seek"])
async def test_of_two_players_on_two_nodes_one_meets_the_waiting_player(cluster: Cluster, way: str) -> None:
    waiting = await cluster.first.visitor()
    ann, ben = await cluster.first.visitor(), await cluster.second.visitor()
    if way == "search":
        await ask(waiting, "find_match", request=REQUEST)
    else:
        await waiting.ask("create", id="m", game="morris", seats=[ME, OPEN], listed=True)
    await ben.say("watch_lobby")
    while await waiting_names(ben) != {"morris": waiting.player["name"]}:
        pass
    answers = await asyncio.gather(ask(ann, "play_now", game="morris"), ask(ben, "play_now", game="morris"))
    met, other = sorted(answers, key=lambda answer: answer["opponents"][0].get("level") is not None)
    assert met["opponents"][0]["name"] == waiting.player["name"]
    assert other["opponents"][0]["level"] == 1
    assert met["match"] != other["match"]
    if way == "search":
        assert (await waiting.hear_until("paired"))["match"] == met["match"]


async def test_a_command_sent_again_to_another_node_leads_to_the_same_match(cluster: Cluster) -> None:
    ann, host = await cluster.first.visitor(), await cluster.second.visitor()
    for way in ("bot", "search"):
        if way == "search":
            await ask(host, "find_match", id=way, request=REQUEST)
        again = await cluster.second.visitor(ann.token)
        answers = await asyncio.gather(*(ask(each, "play_now", id=f"p-{way}", game="morris") for each in (ann, again)))
        assert answers[0] == answers[1]
        third = await cluster.second.visitor(ann.token)
        assert await ask(third, "play_now", id=f"p-{way}", game="morris") == answers[0]
