"""Ladders in the line mode against a real server."""

from tests.client.terminal.typist import seated
from tests.serving import ServerProcess


async def test_a_ladder_is_joined_climbed_and_left(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        await ann.type("ladder", "Nine Men's Morris for bots: 0 players")
        for player in (ann, ben):
            await player.type("ladder join morris", "You have joined at the bottom")
        await ben.type("ladder morris", f"{ann.name} .*you can challenge")
        await ben.type(f"ladder challenge morris {ann.name}", "to move|Your move")
        shown = await ann.type("ladder morris", f"{ben.name} challenges {ann.name}")
        assert f"1. {ann.name}" in shown
        await ben.type("resign", "You lost|you resigned")
        await ann.type("ladder leave morris", "You have left the ladder")
        await ann.type("ladder challenge morris", "Usage: ladder")
