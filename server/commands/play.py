"""What `millrace play` does: connect, as a guest or by an account, and obey what is typed.

What may be typed is `client.terminal`.
"""

import asyncio

import typer

from millrace.client import ClientError, connect, sign_in
from millrace.client.terminal import Terminal, TerminalConsole, terminal_kept


def play_at_terminal(address: str, name: str, *, is_new: bool) -> None:
    """Play until the player leaves; exit with 1 and one line of reason if that cannot be."""
    if is_new and not name:
        raise typer.BadParameter("--register makes the account of --name")
    password = typer.prompt("Password", hide_input=True, confirmation_prompt=is_new) if name else ""
    try:
        with terminal_kept():
            asyncio.run(_play(address, name, password, is_new))
    except KeyboardInterrupt:
        typer.echo()
    except ClientError as error:
        typer.echo(f"millrace: {getattr(error, 'message', error)}", err=True)
        raise typer.Exit(1) from None


async def _play(address: str, name: str, password: str, is_new: bool) -> None:
    """Raises: ClientError."""
    token = await sign_in(address, name, password) if name and not is_new else ""
    async with connect(address, token=token, program="millrace-play") as me:
        if is_new:
            await me.account.register(name, password)
        await Terminal(me, TerminalConsole()).run()
