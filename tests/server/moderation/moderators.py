"""Moderators at bare sockets, and those who report to them."""

from millrace.protocol import ModerationAction
from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.moderation.console import Console
from tests.server.players.accounts.registered_players import ask, register


async def moderator(
    served: Served, console: Console, name: str = "Margaret", action: ModerationAction = ModerationAction.MAKE_MODERATOR
) -> Visitor:
    """Return a player who has been given a role from the command line, and has been informed."""
    visitor = await register(served, name)
    await console.do(action, name)
    await visitor.hear_until("your_restrictions")
    return visitor


async def moderate(visitor: Visitor, action: str, **fields: object) -> Frame:
    return await ask(visitor, "moderate", action=action, reason="Insults.", **fields)


async def report(visitor: Visitor, match: str | None, **fields: object) -> Frame:
    return await ask(visitor, "report", **{"match": match, "reason": "insult", **fields})


async def cases(visitor: Visitor) -> list[Frame]:
    await visitor.say("watch_reports")
    return list((await visitor.hear_until("open_reports"))["players"])
