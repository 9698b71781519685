"""What players do on the ladders of a server, for tests."""

from tests.server.in_process_server import Frame, Visitor
from tests.server.tournaments.evenings import seen

LADDER = "ladder-morris"


async def view(player: Visitor) -> Frame:
    await player.say("watch_ladder", ladder=LADDER)
    return await player.hear_until("ladder_view")


async def names(player: Visitor) -> list[str]:
    return [row["player"]["name"] for row in (await view(player))["places"]]


async def names_become(player: Visitor, *expected: str) -> None:
    await seen(lambda: names(player), lambda found: found == list(expected))


async def join(*players: Visitor) -> None:
    for player in players:
        assert (await player.ask("join_ladder", ladder=LADDER))["type"] == "done"


async def challenge(challenger: Visitor, name: str) -> str:
    """Challenge a player, and return the match."""
    accepted = await challenger.ask("challenge_on_ladder", ladder=LADDER, player=name)
    assert accepted["type"] == "accepted", accepted
    return str(accepted["match"])


async def resign(player: Visitor, match: str) -> None:
    await player.say("watch", match=match)
    while (event := (await player.hear_event("seated"))["event"])["player"]["id"] != player.player["id"]:
        pass
    assert (await player.ask("resign", match=match, seat=event["seat"]))["type"] == "accepted"


async def nothing(*_: object) -> None:
    """Count nothing."""
