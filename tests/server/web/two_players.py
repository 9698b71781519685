"""Players who have begun a match, at bare sockets."""

from collections.abc import Sequence

from tests.server.in_process_server import Frame, Served, Visitor

ME, OPEN, BOT = {"occupant": "me"}, {"occupant": "open"}, {"occupant": "bot", "level": 1}


async def create(visitor: Visitor, *seats: Frame, **fields: object) -> str:
    fields = {"id": "create", "game": "morris", "seats": seats or (ME, OPEN), **fields}
    answer = await visitor.ask("create", **fields)
    return str(answer["match"])


async def begin_between(*players: Visitor, **fields: object) -> str:
    """Begin a match among players, who watch it, and return it."""
    match = await create(players[0], ME, *(OPEN,) * (len(players) - 1), **fields)
    for player in players[1:]:
        await player.ask("join", id="join", match=match)
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


async def play_moves(players: Sequence[Visitor], match: str, *moves: str) -> Frame:
    """Make the first moves of a match, each by the next seat, and return the last answer."""
    answer: Frame = {}
    for ply, move in enumerate(moves):
        seat = ply % len(players)
        answer = await players[seat].ask("play", id=f"p{ply}", match=match, seat=seat, move=move)
        assert answer["type"] == "accepted", answer
    return answer
