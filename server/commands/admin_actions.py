"""What the commands `millrace admin ...` do: deeds of the command line, whose log calls it `console`.

A server that runs on the same database learns of them from the log within a second.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import typer

from ..accounts.restriction_texts import DEED_WORDS
from ..app.features import moderation_of
from ..identity.names import skeleton_of
from ..journal.store import StorageError
from ..moderation.actions import Order
from ..moderation.permissions import THE_CONSOLE
from ..protocol import Code, CommandId, Deed, MatchId
from ..protocol.refusal import Refusal
from ..settings import Settings, settings_for
from ..storage import open_storage
from ..storage.address import is_sqlite, parse_address, sqlite_path
from ..storage.stores import Stores

HOUR_MS = 3_600_000

_Result = TypeVar("_Result")


def do_upon(name: str, deed: str, reason: str, data_dir: Path | None, database: str, hours: int | None = None) -> None:
    """Do something upon the owner of an account, and say so; exit with 2 if it is refused."""
    for_ms = None if hours is None else hours * HOUR_MS

    async def run(stores: Stores) -> str:
        account = await stores.accounts.find_named(skeleton_of(name))
        if account is None:
            raise Refusal(Code.UNKNOWN_PLAYER, f"Nobody here is called {name}.")
        order = Order(Deed(deed), reason, _new_id(), account.id, for_ms=for_ms)
        await moderation_of(stores, now_ms).carry_out(THE_CONSOLE, order)
        renamed = await stores.accounts.find(account.id)
        now = f", who is {renamed.name} now" if renamed is not None and renamed.name != account.name else ""
        return f"{account.name}{now}: {DEED_WORDS[Deed(deed)]}."

    typer.echo(_with_stores(settings_for(data_dir, database), run))


def void_match(match: str, reason: str, data_dir: Path | None, database: str) -> None:
    """Void a match, and say so; exit with 2 if it is refused."""
    match_id = MatchId(match.rstrip("/").rpartition("/")[2].partition("#")[0])

    async def run(stores: Stores) -> str:
        order = Order(Deed.VOID, reason, _new_id(), match=match_id)
        await moderation_of(stores, now_ms).carry_out(THE_CONSOLE, order)
        return f"{match_id}: {DEED_WORDS[Deed.VOID]}."

    typer.echo(_with_stores(settings_for(data_dir, database), run))


def confirm(question: str, is_sure: bool) -> None:
    """Ask before what cannot be undone; exit with 1 if the answer is no."""
    if not is_sure:
        typer.confirm(question, abort=True)


def now_ms() -> int:
    """Return the time."""
    return time.time_ns() // 1_000_000


@contextmanager
def failures_as_lines(settings: Settings) -> Iterator[None]:
    """Turn what fails into one line on stderr: exit code 2 for what is refused, 1 for a database that is not there."""
    try:
        url = parse_address(settings.database_url)
        if is_sqlite(url) and not (path := sqlite_path(url)).exists():
            raise StorageError(f"there is no database at {path}; name the server's with --data-dir or --database")
        yield
    except Refusal as refusal:
        typer.echo(f"millrace: {refusal.message}", err=True)
        raise typer.Exit(2) from None
    except StorageError as error:
        typer.echo(f"millrace: {error}", err=True)
        raise typer.Exit(1) from None


def _with_stores(settings: Settings, run: Callable[[Stores], Awaitable[_Result]]) -> _Result:
    async def run_and_close() -> _Result:
        stores = await open_storage(settings.database_url)
        try:
            return await run(stores)
        finally:
            await stores.close()

    with failures_as_lines(settings):
        return asyncio.run(run_and_close())


def _new_id() -> CommandId:
    return CommandId(secrets.token_urlsafe(12))
