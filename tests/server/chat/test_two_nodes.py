"""The chat of a match whose players are connected to different nodes."""

import asyncio
from itertools import count

from tests.server.chat.conversation import talk, texts
from tests.server.in_process_server import Frame, Visitor
from tests.server.node_cluster import Cluster
from tests.server.web.two_players import begin_unwatched as begin_match


async def begin(cluster: Cluster) -> tuple[Visitor, Visitor, str]:
    """Return two players on different nodes who receive the chat of their match."""
    ann, ben = await cluster.first.visitor(), await cluster.second.visitor()
    match = await begin_match(ann, ben)
    for visitor in (ann, ben):
        await visitor.say("watch_chat", match=match)
        await visitor.hear_until("chat")
    return ann, ben, match


async def heard(visitor: Visitor, most: int) -> list[Frame]:
    """Return the lines of a chat, from its latest list and after it, as soon as there are `most`."""
    while True:
        lines: list[Frame] = []
        for frame in visitor.read:
            if frame["type"] == "chat":
                lines = list(frame["lines"])
            elif frame["type"] == "chat_line_added":
                lines.append(frame["line"])
        if len(lines) >= most:
            return lines
        await visitor.hear()


async def test_a_line_reaches_the_subscribers_on_both_nodes(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster)
    await talk(ben, match, "good luck")
    await talk(ann, match, "you too")
    for visitor in (ann, ben):
        lines = await heard(visitor, 2)
        assert [(line["number"], line["text"]) for line in lines] == [(1, "good luck"), (2, "you too")]


async def test_lines_written_on_two_nodes_at_once_arrive_in_order_without_gaps(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster)
    number = count()
    await asyncio.gather(*(talk(visitor, match, f"line {next(number)}") for visitor in (ann, ben)))
    await asyncio.gather(*(talk(visitor, match, f"line {next(number)}") for visitor in (ann, ben)))
    both = [[line["number"] for line in await heard(visitor, 4)] for visitor in (ann, ben)]
    assert both == [[1, 2, 3, 4], [1, 2, 3, 4]]
    assert len({line["text"] for line in await heard(ann, 4)}) == 4


async def test_a_missed_line_is_read_when_the_next_one_arrives(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster)
    cluster.network.loss = 1.0
    await talk(ben, match, "lost")
    cluster.network.loss = 0.0
    await talk(ben, match, "heard")
    assert [line["text"] for line in await heard(ann, 2)] == ["lost", "heard"]


async def test_lines_missed_while_the_bus_was_away_are_read_when_it_is_back(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster)
    cluster.cut()
    await talk(ben, match, "lost")
    cluster.restore()
    assert [line["text"] for line in await heard(ann, 1)] == ["lost"]


async def test_a_players_mutes_reach_their_sessions_on_other_nodes(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster)
    elsewhere = await cluster.second.visitor(ann.token)
    await elsewhere.say("watch_chat", match=match)
    await elsewhere.hear_until("chat", muted=[])
    await ann.say("mute", id="m", player=ben.player["id"])
    await elsewhere.hear_until("chat", muted=[ben.player["id"]])
    cluster.cut()
    await ann.say("mute", id="u", player=ben.player["id"], on=False)
    await ann.hear_until("done", id="u")
    cluster.restore()
    assert texts(await elsewhere.hear_until("chat", muted=[])) == []
