"""Finished matches to analyse."""

from tests.server.in_process_server import Visitor

ME, OPEN = {"occupant": "me"}, {"occupant": "open"}


async def create(visitor: Visitor, **fields: object) -> str:
    return str((await visitor.ask("create", id="create", game="morris", seats=[ME, ME], **fields))["match"])


async def play_out(visitor: Visitor, moves: tuple[str, ...]) -> str:
    """Play moves for both seats, resign, and return the match."""
    match = await create(visitor)
    for ply, move in enumerate(moves):
        await visitor.ask("play", id=f"play-{ply}", match=match, seat=ply % 2, move=move)
    await visitor.ask("resign", id="resign", match=match, seat=0)
    return match
