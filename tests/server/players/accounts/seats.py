"""Matches that players create, and their seats."""

from tests.server.in_process_server import Frame, Visitor


async def seated(visitor: Visitor, match: str) -> list[Frame]:
    """Return who sits in a match, as the stored events tell."""
    await visitor.say("watch", match=match)
    frame = await visitor.hear_until("match_events", match=match)
    await visitor.say("unwatch", match=match)
    events = [match_event["event"] for match_event in frame["events"]]
    return [event["player"] for event in events if event["type"] == "seated"]


async def create(visitor: Visitor, seats: list[Frame], command: str = "c-1") -> str:
    answer = await visitor.ask("create", id=command, game="morris", seats=seats)
    assert answer["type"] == "accepted", answer
    return str(answer["match"])
