"""The number of players that a player may block and follow."""

from tests.server.in_process_server import Serve
from tests.server.players.accounts.registered_players import ask, register


async def test_blocks_are_limited_and_a_repeated_block_is_allowed(serve: Serve) -> None:
    served = await serve(limits={"blocked_players.guest": 2})
    ann = await served.visitor()
    found = [await ask(ann, "block", player=f"guest-{name}") for name in ("a", "b", "b", "c")]
    assert [frame["type"] for frame in found] == ["blocked"] * 3 + ["refused"]
    assert (found[-1]["code"], found[-1]["message"]) == ("too_many", "You can block at most 2 players.")
    await ask(ann, "unblock", player="guest-a")
    assert (await ask(ann, "block", player="guest-c"))["type"] == "blocked"


async def test_follows_are_limited_and_a_repeated_follow_is_allowed(serve: Serve) -> None:
    served = await serve(limits={"followed_players.account": 1})
    ann, ben, cem = [await register(served, name) for name in ("Annabel", "Benjamin", "Cemalettin")]
    found = [await ask(ann, "follow", player=each.player["id"], on=True) for each in (ben, ben, cem)]
    assert [frame["type"] for frame in found] == ["done", "done", "refused"]
    assert found[-1]["code"] == "too_many"
    await ask(ann, "follow", player=ben.player["id"], on=False)
    assert (await ask(ann, "follow", player=cem.player["id"], on=True))["type"] == "done"
