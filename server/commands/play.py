"""The command `millrace play`: play in the terminal, as a guest or under an account. See `client.terminal`."""

import asyncio

import typer

from millrace.client import ClientError, connect, sign_in
from millrace.client.terminal.glyphs import ASCII, GLYPH_SETS, Glyphs
from millrace.client.terminal.plain import LineMode, TerminalConsole, terminal_kept

from .output import exit_on


def play_at_terminal(address: str, name: str, *, is_new: bool, style: str) -> None:
    """Play until the player quits."""
    if is_new and not name:
        raise typer.BadParameter("--register also needs --name")
    if style and style not in GLYPH_SETS:
        raise typer.BadParameter(f"--style is one of {', '.join(GLYPH_SETS)}")
    password = typer.prompt("Password", hide_input=True, confirmation_prompt=is_new) if name else ""
    try:
        with exit_on(ClientError), terminal_kept():
            asyncio.run(_play(address, name, password, is_new, GLYPH_SETS.get(style, ASCII)))
    except KeyboardInterrupt:
        typer.echo()


async def _play(address: str, name: str, password: str, is_new: bool, glyphs: Glyphs) -> None:
    """Raises: ClientError."""
    token = await sign_in(address, name, password) if name and not is_new else ""
    async with connect(address, token=token, program="millrace-play") as me:
        if is_new:
            await me.account.register(name, password)
        await LineMode(me, TerminalConsole(), glyphs).run()
