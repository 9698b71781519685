"""The command `millrace play`: play in the terminal, as a guest or with an account. See `client.terminal`."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import typer

from millrace.client import ClientError, Connection, connect, sign_in
from millrace.client.terminal.glyphs import ASCII, COLOUR, GLYPH_SETS, Glyphs
from millrace.client.terminal.plain import LineMode, TerminalConsole, terminal_kept

from .child_server import child_server
from .output import exit_on

Face: TypeAlias = Callable[[Connection, Glyphs | None], Awaitable[None]]
"""Plays on a connection until the player quits; None for the face's default characters."""


def play_at_terminal(address: str, name: str, *, is_local: bool, is_new: bool, is_plain: bool, style: str) -> None:
    """Play until the player quits: on the full screen, or line by line on request or without a terminal.

    `is_local` starts a server for this command alone.
    """
    if is_local and name:
        raise typer.BadParameter("--local keeps no accounts; leave --name out")
    if is_new and not name:
        raise typer.BadParameter("--register also needs --name")
    if style and style not in GLYPH_SETS:
        raise typer.BadParameter(f"--style is one of {', '.join(GLYPH_SETS)}")
    password = typer.prompt("Password", hide_input=True, confirmation_prompt=is_new) if name else ""
    is_terminal = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    face = _play_by_lines if is_plain or not is_terminal else _play_on_full_screen
    try:
        with exit_on(ClientError, OSError), terminal_kept():
            asyncio.run(_play("" if is_local else address, name, password, is_new, face, GLYPH_SETS.get(style)))
    except KeyboardInterrupt:
        typer.echo()


async def _play(address: str, name: str, password: str, is_new: bool, face: Face, glyphs: Glyphs | None) -> None:
    """Play on the server at an address, or on one started for this command. Raises: ClientError, OSError."""
    if not address:
        async with child_server() as own:
            await _play(own, name, password, is_new, face, glyphs)
        return
    token = await sign_in(address, name, password) if name and not is_new else ""
    # If nothing can be stored now, players are told at once and look at the board before they try again.
    async with connect(address, token=token, retry_unavailable=False, program="millrace-play") as me:
        if is_new:
            await me.account.register(name, password)
        await face(me, glyphs)


async def _play_by_lines(me: Connection, glyphs: Glyphs | None) -> None:
    await LineMode(me, TerminalConsole(), glyphs or ASCII).run()


async def _play_on_full_screen(me: Connection, glyphs: Glyphs | None) -> None:
    # Textual takes a while to load; meanwhile the connection opens.
    from millrace.client.terminal.full_screen import FullScreen

    screen = FullScreen(me, glyphs or COLOUR)
    await screen.run_async()
    if screen.return_code:
        raise typer.Exit(screen.return_code)
