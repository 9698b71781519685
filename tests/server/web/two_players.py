"""Matches of visitors at bare sockets: created, begun and played."""

from collections.abc import Sequence

from tests.server.in_process_server import Frame, Served, Visitor

ME, OPEN, BOT = {"occupant": "me"}, {"occupant": "open"}, {"occupant": "bot", "level": 1}
DAYS = {"initial_ms": 86_400_000, "increment_ms": 0, "renews": True}
"""The clock of a correspondence match."""


async def create(visitor: Visitor, *seats: Frame, **fields: object) -> str:
    """Create a match, by default of Nine Men's Morris with an open seat, and return it."""
    answer = await visitor.ask("create", **{"game": "morris", "seats": seats or (ME, OPEN), **fields})
    assert answer["type"] == "accepted", answer
    return str(answer["match"])


async def challenge(by: Visitor, whom: Visitor) -> str:
    """Challenge a player with an account, and return the match."""
    return await create(by, invited=whom.player["name"])


async def begin_unwatched(*players: Visitor, **fields: object) -> str:
    """Begin a public match among players who do not watch it, and return it."""
    is_listed = not fields.get("rated")
    match = await create(players[0], ME, *(OPEN,) * (len(players) - 1), **{"listed": is_listed, **fields})
    for player in players[1:]:
        assert (await player.ask("join", match=match))["type"] == "accepted"
    return match


async def begin_between(*players: Visitor, **fields: object) -> str:
    """Begin a match among players, who watch it, and return it."""
    match = await begin_unwatched(*players, **fields)
    for player in players:
        await player.say("watch", match=match)
        await player.hear_event("started")
    return match


async def begin(served: Served, *moves: str, **fields: object) -> tuple[Visitor, Visitor, str]:
    """Return two players who watch a match in which these moves have been made."""
    ann, ben = await served.visitor(), await served.visitor()
    match = await begin_between(ann, ben, **fields)
    await play_moves((ann, ben), match, *moves)
    return ann, ben, match


async def play(player: Visitor, match: str, seat: int, move: str) -> Frame:
    """Make a ply, and return the answer."""
    answer = await player.ask("play", match=match, seat=seat, move=move)
    assert answer["type"] == "accepted", answer
    return answer


async def play_moves(players: Sequence[Visitor], match: str, *moves: str) -> Frame:
    """Make the first moves of a match, each by the next seat, and return the last answer."""
    answer: Frame = {}
    for ply, move in enumerate(moves):
        number = ply % len(players)
        answer = await play(players[number], match, number, move)
    return answer


async def seated(visitor: Visitor, match: str) -> list[Frame]:
    """Return who has taken a seat of a match, by its stored events."""
    await visitor.say("watch", match=match)
    frame = await visitor.hear_until("match_events", match=match)
    await visitor.say("unwatch", match=match)
    events = [match_event["event"] for match_event in frame["events"]]
    return [event["player"] for event in events if event["type"] == "seated"]
