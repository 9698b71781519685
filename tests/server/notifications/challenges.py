"""Challenges that lead to notifications, in tests."""

from tests.server.in_process_server import Visitor

OPEN = [{"occupant": "me"}, {"occupant": "open"}]


async def challenge(by: Visitor, whom: Visitor, id_: str = "c") -> str:
    answer = await by.ask("create", id=id_, game="morris", seats=OPEN, invited=whom.player["name"])
    assert answer["type"] == "accepted", answer
    return str(answer["match"])
