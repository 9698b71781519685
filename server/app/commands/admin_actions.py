"""The moderation actions behind `millrace admin ...`. The log names `console` as the moderator.

A server running on the same database follows the log and applies them within a second.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeVar

import typer

from millrace.protocol import Code, CommandId, MatchId, ModerationAction
from millrace.protocol.refusal import Refusal

from ...callers.names import skeleton_of
from ...callers.site_rules import subject_of
from ...moderation.actions import ActionRequest
from ...moderation.permissions import CONSOLE
from ...runtime.settings import settings_for
from ...storage.errors import StorageError
from ..stores import Stores, moderation_actions, open_existing_storage
from .output import exit_on

HOUR_MS = 3_600_000
ACTION_LABELS: Mapping[ModerationAction, str] = {
    ModerationAction.MAKE_ADMIN: "made admin",
    ModerationAction.MAKE_MODERATOR: "made moderator",
    ModerationAction.REMOVE_ROLE: "role removed",
    ModerationAction.MUTE: "muted",
    ModerationAction.UNMUTE: "unmuted",
    ModerationAction.BAN: "banned",
    ModerationAction.UNBAN: "unbanned",
    ModerationAction.REMOVE_NAME: "name removed",
    ModerationAction.CHOOSE_NAME: "new name chosen",
    ModerationAction.CLEAR_BIO: "profile text removed",
    ModerationAction.REMOVE_LINE: "chat line removed",
    ModerationAction.REMOVE_STUDY: "study removed",
    ModerationAction.CLEAR_STUDY: "title and comments of a study removed",
    ModerationAction.CLEAR_IMPORT: "names and comments of an import removed",
    ModerationAction.VOID: "match voided",
    ModerationAction.UPHOLD: "reports upheld",
    ModerationAction.DISMISS: "reports dismissed",
    ModerationAction.ANNOUNCE: "announced",
    ModerationAction.END_ANNOUNCEMENT: "announcement ended",
    ModerationAction.BLOCK_ADDRESS: "address blocked",
    ModerationAction.UNBLOCK_ADDRESS: "address unblocked",
    ModerationAction.SWITCH_OFF: "switched off",
    ModerationAction.SWITCH_ON: "switched on",
    ModerationAction.DELETE_ACCOUNT: "account deleted",
    ModerationAction.EXPORT_ACCOUNT: "account exported",
}
"""The names of the actions for people."""

_Result = TypeVar("_Result")


def act_on_player(
    name: str, action_name: str, reason: str, data_dir: Path | None, database: str, hours: int | None = None
) -> None:
    """Take an action against the owner of an account and print it; exit with 2 if it is refused."""
    action = ModerationAction(action_name)
    duration_ms = None if hours is None else hours * HOUR_MS

    async def run(stores: Stores) -> str:
        account = await stores.accounts.find_named(skeleton_of(name))
        if account is None:
            raise Refusal(Code.UNKNOWN_PLAYER, "There is no account called {name}.", name=name)
        request = ActionRequest(action, reason, new_id(), account.id, duration_ms=duration_ms)
        await moderation_actions(stores, now_ms).perform(CONSOLE, request)
        renamed = await stores.accounts.find(account.id)
        new_name = f" (now {renamed.name})" if renamed is not None and renamed.name != account.name else ""
        return f"{account.name}{new_name}: {ACTION_LABELS[action]}."

    typer.echo(ask_stores(data_dir, database, run))


def act_on_match(match: str, action_name: str, reason: str, data_dir: Path | None, database: str) -> None:
    """Take an action about a match and confirm it; exit with 2 if it is refused."""
    _act(_last_part(match), ModerationAction(action_name), reason, data_dir, database)


def act_on_study(study: str, action_name: str, reason: str, data_dir: Path | None, database: str) -> None:
    """Take an action about a study and confirm it; exit with 2 if it is refused."""
    _act(_last_part(study), ModerationAction(action_name), reason, data_dir, database, is_study=True)


def _act(
    about: str, action: ModerationAction, reason: str, data_dir: Path | None, database: str, *, is_study: bool = False
) -> None:
    match, study = (None, about) if is_study else (MatchId(about), None)
    request = ActionRequest(action, reason, new_id(), match=match, study=study)

    async def run(stores: Stores) -> str:
        await moderation_actions(stores, now_ms).perform(CONSOLE, request)
        return f"{about}: {ACTION_LABELS[action]}."

    typer.echo(ask_stores(data_dir, database, run))


def act_on_site(
    action_name: str, reason: str, data_dir: Path | None, database: str, *, subject: str = "", hours: int | None = None
) -> None:
    """Take an action about the whole site and confirm it; exit with 2 if it is refused."""
    action = ModerationAction(action_name)
    duration_ms = None if hours is None else hours * HOUR_MS
    request = ActionRequest(action, reason, new_id(), subject=subject, duration_ms=duration_ms)

    async def run(stores: Stores) -> str:
        await moderation_actions(stores, now_ms).perform(CONSOLE, request)
        return f"{subject_of(action, subject) or 'Site'}: {ACTION_LABELS[action]}."

    typer.echo(ask_stores(data_dir, database, run))


def _last_part(link: str) -> str:
    """Return the id in a link to a match or study."""
    return link.rstrip("/").rpartition("/")[2].partition("#")[0]


def confirm(question: str, is_sure: bool) -> None:
    """Ask before an action that cannot be undone; exit with 1 if the answer is no."""
    if not is_sure:
        typer.confirm(question, abort=True)


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def ask_stores(data_dir: Path | None, database: str, ask: Callable[[Stores], Awaitable[_Result]]) -> _Result:
    """Return an answer from the stores of a database.

    Failures are one line on stderr. Exits with 2 for a refusal, with 1 if the database cannot be read.
    """
    address = settings_for(data_dir, database).database_url

    async def run() -> _Result:
        stores = await open_existing_storage(address)
        try:
            return await ask(stores)
        finally:
            await stores.close()

    with exit_on(Refusal, code=2), exit_on(StorageError):
        return asyncio.run(run())


def new_id() -> CommandId:
    """Return an id of a new command."""
    return CommandId(secrets.token_urlsafe(12))
