"""`millrace admin export-account`: writes what is stored about the owner of an account to a file."""

import os
from pathlib import Path

import typer

from millrace.protocol import Code, ModerationAction
from millrace.protocol.refusal import Refusal

from ...callers.names import skeleton_of
from ...moderation.actions import ActionRequest
from ...moderation.permissions import CONSOLE
from ..account_data import account_document
from ..stores import Stores, moderation_actions
from .admin_actions import ask_stores, new_id, now_ms
from .output import exit_on, fail


def write_account_data(name: str, file: Path, reason: str, data_dir: Path | None, database: str) -> None:
    """Write the document to a new file that only its owner can read, and note it in the log; exit with 2 if refused."""

    async def run(stores: Stores) -> str:
        account = await stores.accounts.find_named(skeleton_of(name))
        if account is None:
            raise Refusal(Code.UNKNOWN_PLAYER, "There is no account called {name}.", name=name)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
            try:
                request = ActionRequest(ModerationAction.EXPORT_ACCOUNT, reason, new_id(), account.id)
                await moderation_actions(stores, now_ms).perform(CONSOLE, request)
                async for part in account_document(stores, account.id):
                    written.write(part)
            except BaseException:
                os.unlink(file)
                raise
        return account.name

    with exit_on(OSError):
        if file.exists():
            fail(f"{file} exists already. Move it, or choose another name.")
        exported = ask_stores(data_dir, database, run)
    typer.echo(f"Wrote everything about {exported} to {file}.")
