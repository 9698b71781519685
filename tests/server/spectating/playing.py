"""Matches between two visitors."""

from itertools import count

from tests.server.in_process_server import Visitor

ME, OPEN = {"occupant": "me"}, {"occupant": "open"}
NUMBERS = count()


async def begin(one: Visitor, other: Visitor, game: str = "morris", **fields: object) -> str:
    """Start a match between two visitors, and return its id."""
    setup = "seats=2" if game == "battlesheep" else ""
    answer = await one.ask("create", id=f"create-{next(NUMBERS)}", game=game, seats=[ME, OPEN], setup=setup, **fields)
    match = str(answer["match"])
    await other.ask("join", id=f"join-{next(NUMBERS)}", match=match)
    return match
