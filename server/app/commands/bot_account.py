"""`millrace bot --register NAME`: makes a bot's account, and keeps its secrets in a file in the form of `.env`."""

import asyncio
import os
import re
import secrets
from pathlib import Path

import typer

from millrace.client import ClientError
from millrace.client.bots.registration import BotAccount, register_bot

from .output import INVALID_ARGUMENT, exit_on, fail

TOKEN = "MILLRACE_TOKEN"
_TEXT = """\
# The bot {name} on {address}. Anyone who has this file can act as the bot: keep it secret.
MILLRACE_URL={address}
{token_name}={token}
# To sign in on the server's page, use the password, or a recovery code if it is lost.
# Password: {password}
# Recovery codes: {codes}
"""


def register(address: str, name: str, file: Path | None) -> None:
    """Register a bot and print where its token is: in a file, by default NAME.env.

    Exit with 1 and the reason if that fails.
    """
    path = file or Path(re.sub(r"[^\w.-]", "_", name) + ".env")
    password = secrets.token_urlsafe(16)
    with exit_on(ClientError, OSError):
        if path.exists():
            fail(f"{path} exists already. Move it, or choose another name.")

        def keep(account: BotAccount) -> None:
            _write(path, _text(address, name, password, account))

        _write(path, "")  # fails before there is an account, if at all
        try:
            keep(asyncio.run(register_bot(address, name, password, lambda codes: keep(BotAccount("", codes)))))
        finally:
            if path.stat().st_size == 0:
                path.unlink()
    typer.echo(
        f"{name} is registered. Only you can read {path}, which has its token, password and recovery codes.\n"
        f"Start it with: millrace bot {address} --env-file {path}"
    )


def read_token(path: Path) -> str:
    """Return the token in a file that `register` has written. Exit with 2 if there is none."""
    with exit_on(OSError, UnicodeDecodeError, code=INVALID_ARGUMENT):
        lines = path.read_text(encoding="utf-8").splitlines()
    token = next((line.removeprefix(f"{TOKEN}=").strip() for line in lines if line.startswith(f"{TOKEN}=")), "")
    return token or fail(f"{path} has no line {TOKEN}=...", INVALID_ARGUMENT)


def _write(path: Path, text: str) -> None:
    """Write a file that only its user can read."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def _text(address: str, name: str, password: str, account: BotAccount) -> str:
    codes = " ".join(account.recovery_codes)
    return _TEXT.format(
        name=name, address=address, token_name=TOKEN, token=account.token, password=password, codes=codes
    )
