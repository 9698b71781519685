"""Rated matches played over bare sockets."""

from tests.server.in_process_server import Frame, Visitor
from tests.server.web.two_players import begin_between, play_moves

ME, OPEN, BOT = {"occupant": "me"}, {"occupant": "open"}, {"occupant": "bot", "level": 3}

MOVES = ("a7", "g1", "d7", "g4")


async def play(
    visitors: list[Visitor], moves: tuple[str, ...] = MOVES, *, is_resigned: bool = True, **created: object
) -> str:
    """Play a rated match that the first of two players may resign, and return its id; both watch it."""
    match = await begin_between(*visitors, **{"rated": True, **created})
    await play_moves(visitors, match, *moves)
    if is_resigned:
        assert (await visitors[0].ask("resign", match=match, seat=0))["type"] == "accepted"
    return match


async def rated(visitor: Visitor) -> Frame:
    """Return the next event with the effect of a match on the ratings."""
    return dict((await visitor.hear_event("rated"))["event"])


async def profile(visitor: Visitor, name: str) -> Frame:
    return await visitor.ask("get_player_ratings", name=name)
