"""Rated matches played over bare sockets."""

from tests.server.in_process_server import Frame, Visitor
from tests.server.players.accounts.registered_players import ask

ME, OPEN, BOT = {"occupant": "me"}, {"occupant": "open"}, {"occupant": "bot", "level": 3}

MOVES = ("a7", "g1", "d7", "g4")


async def play(
    visitors: list[Visitor], moves: tuple[str, ...] = MOVES, *, is_resigned: bool = True, **created: object
) -> str:
    """Play a rated match that the first of two players may resign, and return its id; both watch it."""
    fields = {"game": "morris", "seats": [ME, OPEN], "rated": True, **created}
    made = await visitors[0].ask("create", id=f"c-{len(visitors[0].read)}-{visitors[1].player['name'][:3]}", **fields)
    match = str(made["match"])
    for visitor in visitors:
        await visitor.say("watch", match=match)
    assert (await visitors[1].ask("join", id=f"j-{match}", match=match))["type"] == "accepted"
    for number, move in enumerate(moves):
        seat = number % 2
        answer = await visitors[seat].ask("play", id=f"p-{match}-{number}", match=match, seat=seat, move=move)
        assert answer["type"] == "accepted", answer
    if is_resigned:
        assert (await visitors[0].ask("resign", id=f"r-{match}", match=match, seat=0))["type"] == "accepted"
    return match


async def rated(visitor: Visitor) -> Frame:
    """Return the next event with the effect of a match on the ratings."""
    return dict((await visitor.hear_event("rated"))["event"])


async def profile(visitor: Visitor, name: str) -> Frame:
    return await ask(visitor, "get_player_ratings", name=name)
