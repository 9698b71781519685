"""What the commands `millrace admin list`, `log` and `statistics` print: tables for people, JSON for programs."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from ..accounts.restriction_texts import ACTION_LABELS
from ..moderation.overview import AccountFilter, AccountLine, Overview, Statistics
from ..moderation.store import LogFilter, NumberedRecord
from ..protocol import ModerationAction, Role
from ..settings import settings_for
from ..storage import open_overview, open_storage
from .admin_actions import failures_as_lines, now_ms

ANY_ROLE = "any"

_Result = TypeVar("_Result")


def print_accounts(
    name: str,
    role: str,
    is_closed: bool,
    is_muted: bool,
    most: int,
    as_json: bool,
    data_dir: Path | None,
    database: str,
) -> None:
    """Print the accounts that are wanted."""
    if role not in ("", ANY_ROLE, *Role):
        raise typer.BadParameter(f"A role is {' or '.join(Role)}, or {ANY_ROLE}.", param_hint="--role")
    wanted = AccountFilter(name, Role(role) if role in tuple(Role) else None, role == ANY_ROLE, is_muted, is_closed)
    lines = _overseen(data_dir, database, lambda overview: overview.accounts(wanted, now_ms(), most))
    if as_json:
        _print_json([_account_document(line) for line in lines])
        return
    table = Table("Name", "Role", "Since", "Standing", box=None, pad_edge=False)
    for line in lines:
        name_shown = f"{line.name} (bot)" if line.is_bot else line.name
        table.add_row(name_shown, line.role or "", _day(line.created_ms), _standing(line))
    _print(table, f"{len(lines)} {'account' if len(lines) == 1 else 'accounts'}")


def print_log(name: str, action: str, most: int, as_json: bool, data_dir: Path | None, database: str) -> None:
    """Print what moderators did, the latest first."""
    wanted_deed = action.replace("-", "_")
    if wanted_deed and wanted_deed not in tuple(ModerationAction):
        raise typer.BadParameter(f"There are {', '.join(ModerationAction)}.", param_hint="--action")
    wanted = LogFilter(name=name, action=ModerationAction(wanted_deed) if wanted_deed else None)
    settings = settings_for(data_dir, database)

    async def read() -> tuple[NumberedRecord, ...]:
        stores = await open_storage(settings.database_url)
        try:
            return tuple(await stores.moderation.log(wanted, most))
        finally:
            await stores.close()

    with failures_as_lines(settings):
        entries = asyncio.run(read())
    if as_json:
        _print_json([_entry_document(entry) for entry in entries])
        return
    table = Table("No.", "When (UTC)", "Who", "What", "Upon", "Why", box=None, pad_edge=False)
    for number, record in entries:
        name_then = "" if record.player is None else record.player.name
        upon = f"{name_then} {record.match or ''}".strip()
        until = "" if record.until_ms is None else f" until {_moment(record.until_ms)}"
        what = f"{ACTION_LABELS[record.action]}{until}"
        table.add_row(str(number), _moment(record.at_ms), record.by_name, what, upon, record.reason)
    _print(table, f"{len(entries)} {'entry' if len(entries) == 1 else 'entries'}")


def print_statistics(days: int, as_json: bool, data_dir: Path | None, database: str) -> None:
    """Print counts of everything."""
    statistics = _overseen(data_dir, database, lambda overview: overview.statistics(now_ms(), days))
    if as_json:
        _print_json({**statistics._asdict(), "by_day": dict(statistics.by_day)})
        return
    table = Table(show_header=False, box=None, pad_edge=False)
    for words, count in _counted(statistics):
        table.add_row(words, count)
    Console().print(table)
    games = sorted({game for _, by_game in statistics.by_day for game in by_game})
    by_day = Table("Matches begun", *games, "all", box=None, pad_edge=False)
    for day, by_game in statistics.by_day:
        by_day.add_row(day, *(str(by_game.get(game, 0)) for game in games), str(sum(by_game.values())))
    _print(by_day, "")


def _counted(counts: Statistics) -> list[tuple[str, str]]:
    return [
        (
            "Accounts",
            f"{counts.accounts:,} ({counts.bots:,} of bots, {counts.closed:,} closed, {counts.muted:,} muted)",
        ),
        ("Matches", f"{counts.matches:,} ({counts.live:,} being played, {counts.waiting:,} waiting)"),
        ("Rated and over", f"{counts.rated:,} ({counts.void:,} void)"),
        ("Open reports", f"{counts.reports_open:,}"),
        ("Storage", f"{counts.storage_bytes / 1e6:,.1f} MB"),
    ]


def _overseen(data_dir: Path | None, database: str, ask: Callable[[Overview], Awaitable[_Result]]) -> _Result:
    settings = settings_for(data_dir, database)

    async def run() -> _Result:
        overview = await open_overview(settings.database_url)
        try:
            return await ask(overview)
        finally:
            await overview.close()

    with failures_as_lines(settings):
        return asyncio.run(run())


def _standing(line: AccountLine) -> str:
    parts = []
    if line.ban is not None:
        parts.append(f"closed: {line.ban.words}")
    if line.mute is not None:
        until = "" if line.mute.until_ms is None else f" until {_moment(line.mute.until_ms)}"
        parts.append(f"muted{until}: {line.mute.words}")
    return "; ".join(parts)


def _account_document(line: AccountLine) -> dict[str, object]:
    measures = {"muted": line.mute, "closed": line.ban}
    return {
        "name": line.name,
        "id": line.identity,
        "since_ms": line.created_ms,
        "bot": line.is_bot,
        "role": line.role,
        **{name: None if measure is None else measure._asdict() for name, measure in measures.items()},
    }


def _entry_document(entry: NumberedRecord) -> dict[str, object]:
    number, record = entry
    return {
        "number": number,
        "at_ms": record.at_ms,
        "by": record.by_name,
        "action": record.action,
        "player": None if record.player is None else record.player.name,
        "match": record.match,
        "line": record.line,
        "until_ms": record.until_ms,
        "detail": record.detail,
        "reason": record.reason,
    }


def _print(table: Table, words: str) -> None:
    if table.row_count:
        Console().print(table)
    if words:
        typer.echo(words)


def _print_json(document: object) -> None:
    typer.echo(msgspec.json.format(msgspec.json.encode(document)).decode())


def _moment(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M}"


def _day(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d}"
