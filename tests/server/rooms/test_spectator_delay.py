"""A match with a delay for spectators: they see plies late in every way, and everything after the match."""

import json
from typing import NamedTuple

from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.web.get_requests import fetch
from tests.server.web.two_players import begin, play

MOVES = ("a7", "d7", "g7", "a4", "g4", "a1")
"""Without a mill."""
DELAY = 3


class Table(NamedTuple):
    """A match with a delay and its players, who watch it."""

    served: Served
    match: str
    players: tuple[Visitor, Visitor]

    async def play(self, ply: int) -> None:
        await play(self.players[ply % 2], self.match, ply % 2, MOVES[ply])

    async def watcher(self, since: int = 0, token: str = "") -> Visitor:
        visitor = await self.served.visitor(token)
        await visitor.say("watch", match=self.match, since=since)
        return visitor


async def lay(served: Served, plies: int = 0, delay: int = DELAY) -> Table:
    """Begin a match with a delay and make some plies."""
    ann, ben, match = await begin(served, *MOVES[:plies], delay_plies=delay)
    return Table(served, match, (ann, ben))


async def events_of(visitor: Visitor) -> list[Frame]:
    """Return all events that a visitor has got so far, in order."""
    await visitor.ping()
    frames = [each for frame in visitor.read for each in frame.get("events", [frame])]
    return [frame for frame in frames if frame["type"] == "match_event"]


async def moves_heard(visitor: Visitor) -> list[str]:
    events = await events_of(visitor)
    assert [event["seq"] for event in events] == list(range(events[0]["seq"], events[0]["seq"] + len(events)))
    return [event["event"]["move"] for event in events if event["event"]["type"] == "moved"]


async def test_players_get_a_ply_at_once_and_spectators_some_plies_later(served: Served) -> None:
    table = await lay(served)
    eve = await table.watcher()
    for ply in range(len(MOVES)):
        await table.play(ply)
        assert await moves_heard(table.players[1 - ply % 2]) == list(MOVES[: ply + 1])
        assert await moves_heard(eve) == list(MOVES[: max(0, ply + 1 - DELAY)])


async def test_a_late_spectator_sees_no_more_than_the_others(served: Served) -> None:
    table = await lay(served, plies=5)
    eve = await table.watcher()
    assert await moves_heard(eve) == list(MOVES[:2])
    watching = next(frame for frame in eve.read if frame["type"] == "watching")
    assert watching["seq"] == (await events_of(eve))[-1]["seq"]
    assert [frame for frame in eve.read if frame["type"] == "turn"] == []


async def test_a_resuming_spectator_misses_and_repeats_nothing(served: Served) -> None:
    table = await lay(served, plies=4)
    since = (await events_of(await table.watcher()))[-1]["seq"]
    fay = await table.watcher(since=since)
    await table.play(4)
    await table.play(5)
    assert [event["seq"] for event in await events_of(fay)] == [since + 1, since + 2]
    beyond = await table.watcher(since=since + 100)
    assert await events_of(beyond) == []


async def test_spectators_get_everything_when_the_match_is_over(served: Served) -> None:
    table = await lay(served)
    eve = await table.watcher()
    for ply in range(5):
        await table.play(ply)
    await table.players[0].ask("resign", match=table.match, seat=0)
    assert await moves_heard(eve) == list(MOVES[:5])
    assert [event["event"]["type"] for event in await events_of(eve)][-1] == "ended"
    late = await table.watcher()
    assert await moves_heard(late) == list(MOVES[:5])


async def test_only_players_can_describe_a_delayed_position(served: Served) -> None:
    table = await lay(served, plies=5)
    eve = await served.visitor()
    line = {"match": table.match, "moves": []}
    for ply in (3, 5):
        refused = await eve.ask("describe", match=table.match, ply=ply)
        assert (refused["code"], refused["message"]) == ("unknown_ply", "The match has reached ply 2.")
        assert (await eve.ask("explore", line={**line, "ply": ply}))["code"] == "unknown_ply"
    assert (await eve.ask("describe", match=table.match, ply=2))["type"] == "described"
    ann = table.players[0]
    assert (await ann.ask("describe", match=table.match, ply=5))["type"] == "described"
    assert (await ann.ask("explore", line={**line, "ply": 5}))["type"] == "explored"


async def test_an_export_during_the_match_is_delayed_too(served: Served) -> None:
    table = await lay(served, plies=6, delay=5)
    _, _, body = await fetch(served, f"/match/{table.match}.json")
    assert [ply["move"] for ply in json.loads(body)["plies"]] == [MOVES[0]]
    await table.players[0].ask("resign", match=table.match, seat=0)
    _, _, body = await fetch(served, f"/match/{table.match}.json")
    assert [ply["move"] for ply in json.loads(body)["plies"]] == list(MOVES)


async def test_the_lists_of_live_matches_are_delayed_too(served: Served) -> None:
    table = await lay(served, plies=5)
    eve = await served.visitor()
    await eve.say("watch_live", game="morris")
    assert [line["plies"] for line in (await eve.hear_until("live_page"))["matches"]] == [2]
    await eve.say("watch_lobby")
    assert [line["plies"] for line in (await eve.hear_until("live_matches"))["matches"]] == [2]
    assert table.match


async def test_spectators_see_who_is_present_but_not_what_can_be_claimed(served: Served) -> None:
    table = await lay(served, plies=5)
    eve = await table.watcher()
    audience = await eve.hear_until("audience_update", spectators=1)
    assert (audience["present"], audience["claimable_at_ms"]) == ([True, True], [])
    await table.players[1].connection.close()
    audience = await eve.hear_until("audience_update", present=[True, False])
    assert audience["claimable_at_ms"] == []
    update = await table.players[0].hear_until("audience_update", present=[True, False])
    assert update["claimable_at_ms"][1] is not None


async def test_a_takeback_before_the_ply_was_shown_comes_in_order(served: Served) -> None:
    table = await lay(served, plies=4)
    ann, ben = table.players
    eve = await table.watcher()
    await ben.ask("offer", match=table.match, seat=1, kind="takeback")
    await ann.ask("accept_offer", match=table.match, seat=0, kind="takeback")
    assert await moves_heard(eve) == list(MOVES[:1])
    for ply in (3, 4, 5):
        await table.play(ply)
    assert await moves_heard(eve) == list(MOVES[:4])
    assert "taken_back" in [event["event"]["type"] for event in await events_of(eve)]


async def test_a_returning_player_sees_everything(served: Served) -> None:
    table = await lay(served, plies=5)
    again = await table.watcher(token=table.players[1].token)
    assert await moves_heard(again) == list(MOVES[:5])
    assert [frame["seat"] for frame in again.read if frame["type"] == "turn"] == [1]


async def test_a_rematch_is_delayed_too(served: Served) -> None:
    table = await lay(served, plies=2)
    ann, ben = table.players
    await ann.ask("resign", match=table.match, seat=0)
    await ann.ask("rematch", match=table.match, seat=0)
    await ben.ask("rematch", match=table.match, seat=1)
    following = (await ann.hear_event("rematch_started"))["event"]["match"]
    await ann.say("watch", match=following)
    assert (await ann.hear_event("created"))["event"]["delay_plies"] == DELAY
