"""The command `millrace play`: play in the terminal, as a guest or with an account. See `client.terminal`."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import NamedTuple, TypeAlias

import typer

from millrace.client import ClientError, Connection, RefusedError, connect, sign_in
from millrace.client.reconnecting_socket import site_url, socket_url
from millrace.client.terminal.commands.account import recovery_text
from millrace.client.terminal.glyphs import ASCII, GLYPH_SETS, Glyphs
from millrace.client.terminal.plain import LineMode, TerminalConsole, read_piped_line, terminal_kept, tolerate_any_text
from millrace.client.terminal.player_memory import PlayerMemory
from millrace.client.terminal.stored_sessions import sessions_of_user
from millrace.client.terminal.surroundings import can_move_cursor, has_utf8, suitable_glyphs
from millrace.protocol import Code

from .child_server import child_server
from .output import exit_on

Face: TypeAlias = Callable[[Connection, Glyphs | None, PlayerMemory, bool], Awaitable[None]]
"""Plays on a connection until the player quits; None for the face's default characters. The last argument is whether
the server is for this player alone.
"""

ACCOUNT_ENDED = "Your session as {name} has ended: it expired, or was ended elsewhere. Sign in again, or use --guest."
GUEST_ENDED = "The server no longer knows {name}, the guest you were. You continue as a new one."


class Plan(NamedTuple):
    """How to play."""

    address: str
    """The server's; empty to start one."""
    name: str
    """The account's name; empty for a guest or the remembered player."""
    is_new: bool
    """Whether to register the account."""
    face: Face
    glyphs: Glyphs | None


class SessionEndedError(Exception):
    """The server no longer knows the remembered session."""


def play_at_terminal(
    address: str, name: str, *, is_local: bool, is_new: bool, is_guest: bool, is_plain: bool, style: str
) -> None:
    """Play until the player quits: on the full screen, or line by line on request or without a terminal.

    `is_local` starts a server for this command alone. `is_guest` plays as a new guest, who is not remembered.
    """
    if is_local and (name or is_guest):
        raise typer.BadParameter("--local keeps no accounts; leave --name and --guest out")
    if is_guest and name:
        raise typer.BadParameter("--guest plays without an account; leave --name out")
    if is_new and not name:
        raise typer.BadParameter("--register also needs --name")
    if style and style not in GLYPH_SETS:
        raise typer.BadParameter(f"--style is one of {', '.join(GLYPH_SETS)}")
    tolerate_any_text(style not in ("", ASCII.name) or has_utf8(os.environ, sys.stdout.encoding))
    is_terminal = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    is_full = is_terminal and not is_plain and can_move_cursor(os.environ)
    # A script is a new guest each time unless it names an account.
    is_remembered = not is_local and not is_guest and (bool(name) or is_terminal)
    with exit_on(ClientError):
        memory = PlayerMemory(site_url(socket_url(address)), sessions_of_user() if is_remembered else None)
    if not is_new:
        memory.recall(name)
    face = _play_on_full_screen if is_full else _play_by_lines
    try:
        with exit_on(ClientError, OSError), _quiet_without_reader(), terminal_kept():
            _sign_in_and_play(Plan("" if is_local else address, name, is_new, face, GLYPH_SETS.get(style)), memory)
    except KeyboardInterrupt:
        typer.echo()


def _sign_in_and_play(plan: Plan, memory: PlayerMemory) -> None:
    """Play as who is remembered or named; sign in again if the remembered session has ended."""
    password = _ask_password(is_new=plan.is_new) if plan.name and memory.session is None else ""
    try:
        asyncio.run(_play(plan, password, memory))
    except SessionEndedError:
        session = memory.session
        assert session is not None
        memory.forget()
        typer.echo((ACCOUNT_ENDED if session.has_account else GUEST_ENDED).format(name=session.name), err=True)
        _sign_in_and_play(plan._replace(name=session.name if session.has_account else ""), memory)


async def _play(plan: Plan, password: str, memory: PlayerMemory) -> None:
    """Play on a server, or on one started for this command. Raises: SessionEndedError, ClientError, OSError."""
    async with AsyncExitStack() as stack:
        address = plan.address or await stack.enter_async_context(_own_server())
        me = await stack.enter_async_context(_connected(address, plan, password, memory))
        if plan.is_new:
            await me.account.register(plan.name, password)
            typer.echo(recovery_text(me.account.recovery_codes))
            if plan.face is _play_on_full_screen:
                await asyncio.to_thread(typer.prompt, "Press Enter when you have kept them", "", show_default=False)
        if warning := memory.keep(me):
            typer.echo(warning, err=True)
        await plan.face(me, plan.glyphs, memory, not plan.address)


@asynccontextmanager
async def _connected(address: str, plan: Plan, password: str, memory: PlayerMemory) -> AsyncIterator[Connection]:
    """Connect as who plays. Raises: SessionEndedError, ClientError."""
    session = memory.session
    token = session.token if session is not None else ""
    if session is None and plan.name and not plan.is_new:
        token = await sign_in(address, plan.name, password)
    # If nothing can be stored now, players are told at once and look at the board before they try again.
    connecting = connect(address, token=token, retry_unavailable=False, program="millrace-play")
    async with AsyncExitStack() as stack:
        try:
            me = await stack.enter_async_context(connecting)
        except RefusedError as refusal:
            if session is not None and refusal.code is Code.BAD_TOKEN:
                raise SessionEndedError from None
            raise
        yield me


@asynccontextmanager
async def _own_server() -> AsyncIterator[str]:
    """Start a server, and show in a terminal how far it is."""
    show: Callable[[str], None] = typer.echo if sys.stdout.isatty() else (lambda _: None)
    show("Starting ... the first time, this takes about half a minute.")
    async with child_server(show) as address:
        yield address


def _ask_password(*, is_new: bool) -> str:
    """Return the typed password, which is not shown; in a pipe, the first line."""
    if not sys.stdin.isatty():
        return read_piped_line() or ""
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=is_new))


@contextmanager
def _quiet_without_reader() -> Iterator[None]:
    """Exit without a word when nobody reads the output any more, as in `millrace play | head`."""
    try:
        yield
    except BrokenPipeError:
        # Python would fail once more when it flushes its output at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from None


async def _play_by_lines(me: Connection, glyphs: Glyphs | None, memory: PlayerMemory, is_local: bool) -> None:
    await LineMode(me, TerminalConsole(), glyphs or ASCII, memory, is_local=is_local).run()


async def _play_on_full_screen(me: Connection, glyphs: Glyphs | None, memory: PlayerMemory, is_local: bool) -> None:
    # Textual takes a while to load; meanwhile the connection opens.
    from millrace.client.terminal.full_screen import FullScreen

    if glyphs is not None and glyphs.has_colours:
        os.environ.pop("NO_COLOR", None)
    screen = FullScreen(me, glyphs or suitable_glyphs(os.environ, sys.stdout.encoding), memory, is_local=is_local)
    await screen.run_async()
    if screen.return_code:
        raise typer.Exit(screen.return_code)
