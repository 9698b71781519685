"""Two players who have begun a match, at bare sockets."""

from tests.server.in_process_server import Frame, Served, Visitor

ME, OPEN, BOT = {"occupant": "me"}, {"occupant": "open"}, {"occupant": "bot", "level": 1}


async def create(visitor: Visitor, *seats: Frame, **fields: object) -> str:
    answer = await visitor.ask("create", id="create", game="morris", seats=seats or (ME, OPEN), **fields)
    return str(answer["match"])


async def begin(served: Served, **fields: object) -> tuple[Visitor, Visitor, str]:
    """Return two players who have begun a match and watch it."""
    ann, ben = await served.visitor(), await served.visitor()
    match = await create(ann, **fields)
    await ben.ask("join", id="join", match=match)
    for player in (ann, ben):
        await player.say("watch", match=match)
        await player.hear_event("started")
    return ann, ben, match
