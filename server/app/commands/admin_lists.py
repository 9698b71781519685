"""The output of `millrace admin list`, `log` and `statistics`: tables, or JSON for programs."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from millrace.protocol import ModerationAction, Role

from ...callers.site_rules import SITE_ACTIONS, SiteRules
from ...moderation.moderation_store import ActionRecord, LogFilter
from ...moderation.overview_store import AccountFilter, AccountLine, Statistics
from .admin_actions import ACTION_LABELS, ask_stores, now_ms
from .output import number_of

ANY_ROLE = "any"

PIPE_WIDTH = 100_000
"""Characters of a line in a pipe, where programs expect a row in each."""


def print_accounts(
    name: str,
    role: str,
    is_banned: bool,
    is_muted: bool,
    limit: int,
    as_json: bool,
    data_dir: Path | None,
    database: str,
) -> None:
    """Print accounts with their roles and restrictions."""
    if role not in ("", ANY_ROLE, *Role):
        raise typer.BadParameter(f"A role is {' or '.join(Role)}, or {ANY_ROLE}.", param_hint="--role")
    wanted = AccountFilter(name, Role(role) if role in tuple(Role) else None, role == ANY_ROLE, is_muted, is_banned)
    lines = ask_stores(data_dir, database, lambda stores: stores.overview.accounts(wanted, now_ms(), limit))
    if as_json:
        _print_json([_account_document(line) for line in lines])
        return
    rows = [
        (
            f"{line.name} (bot)" if line.is_bot else line.name,
            line.role or "",
            datetime.fromtimestamp(line.created_ms / 1000, UTC).date().isoformat(),
            _restrictions(line),
        )
        for line in lines
    ]
    _print(("Name", "Role", "Since", "Restrictions"), rows, number_of(len(lines), "account"))


def print_log(name: str, action: str, limit: int, as_json: bool, data_dir: Path | None, database: str) -> None:
    """Print the moderation log, newest first."""
    wanted_action = action.replace("-", "_")
    if wanted_action and wanted_action not in tuple(ModerationAction):
        raise typer.BadParameter(
            f"There is no such action. Choose one of: {', '.join(ModerationAction)}.", param_hint="--action"
        )
    wanted = LogFilter(name=name, action=ModerationAction(wanted_action) if wanted_action else None)
    entries = ask_stores(data_dir, database, lambda stores: stores.moderation.log(wanted, limit))
    if as_json:
        _print_json([_entry_document(entry) for entry in entries])
        return
    rows = [
        (
            str(record.number),
            _format_time(record.at_ms),
            record.by_name,
            f"{ACTION_LABELS[record.action]}{_until(record.until_ms)}",
            _target(record),
            record.reason,
        )
        for record in entries
    ]
    summary = f"{len(entries)} {'entry' if len(entries) == 1 else 'entries'}"
    _print(("No.", "When (UTC)", "Moderator", "Action", "About", "Reason"), rows, summary)


def print_statistics(days: int, as_json: bool, data_dir: Path | None, database: str) -> None:
    """Print statistics."""
    statistics = ask_stores(data_dir, database, lambda stores: stores.overview.statistics(now_ms(), days))
    if as_json:
        _print_json({**statistics._asdict(), "by_day": dict(statistics.by_day)})
        return
    _print((), _counts(statistics), "")
    games = sorted({game for _, by_game in statistics.by_day for game in by_game})
    rows = [
        (day, *(str(by_game.get(game, 0)) for game in games), str(sum(by_game.values())))
        for day, by_game in statistics.by_day
    ]
    _print(("Matches begun", *games, "all"), rows, "")


def print_site(as_json: bool, data_dir: Path | None, database: str) -> None:
    """Print what is announced, blocked and switched off."""
    rules = SiteRules(now_ms)
    for each in ask_stores(data_dir, database, lambda stores: stores.moderation.site_actions()):
        rules.apply(each)
    if as_json:
        _print_json([each._asdict() for each in rules.active])
        return
    rows = [
        (
            ACTION_LABELS[each.action],
            each.subject,
            "" if each.until_ms is None else _format_time(each.until_ms),
            each.reason,
        )
        for each in rules.active
    ]
    summary = "" if rules.active else "Nothing is announced, blocked or switched off."
    _print(("What", "Where", "Until (UTC)", "Text or reason"), rows, summary)


def _counts(counts: Statistics) -> list[tuple[str, str]]:
    return [
        (
            "Accounts",
            f"{counts.accounts:,} ({number_of(counts.bots, 'bot')}, {counts.banned:,} banned, {counts.muted:,} muted)",
        ),
        ("Matches", f"{counts.matches:,} ({counts.live:,} being played, {counts.waiting:,} waiting)"),
        ("Rated and finished", f"{counts.rated:,} ({counts.void:,} voided)"),
        ("Open reports", f"{counts.reports_open:,}"),
        ("Storage", f"{counts.storage_bytes / 1e6:,.1f} MB"),
    ]


def _target(record: ActionRecord) -> str:
    """Return the player, match or study of an action, or the feature or addresses of one about the whole site."""
    subject = record.detail if record.action in SITE_ACTIONS else None
    return " ".join(filter(None, (record.player_name, record.match, record.study, subject)))


def _restrictions(line: AccountLine) -> str:
    parts = []
    if line.ban is not None:
        parts.append(f"banned: {line.ban.reason}")
    if line.mute is not None:
        parts.append(f"muted{_until(line.mute.until_ms)}: {line.mute.reason}")
    return "; ".join(parts)


def _account_document(line: AccountLine) -> dict[str, object]:
    restrictions = {"muted": line.mute, "banned": line.ban}
    return {
        "name": line.name,
        "id": line.identity,
        "since_ms": line.created_ms,
        "bot": line.is_bot,
        "role": line.role,
        **{name: None if each is None else each._asdict() for name, each in restrictions.items()},
    }


def _entry_document(record: ActionRecord) -> dict[str, object]:
    return {
        "number": record.number,
        "at_ms": record.at_ms,
        "by": record.by_name,
        "action": record.action,
        "player": record.player_name,
        "match": record.match,
        "line": record.line,
        "until_ms": record.until_ms,
        "detail": record.detail,
        "reason": record.reason,
    }


def _print(header: Sequence[str], rows: Sequence[Sequence[str]], summary: str) -> None:
    """Print a table, whose cells are wrapped on a terminal only, and a line below it."""
    if rows:
        table = Table(*header, show_header=bool(header), box=None, pad_edge=False)
        for row in rows:
            table.add_row(*map(Text, row))
        console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH)
        with console.capture() as captured:
            console.print(table)
        typer.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))
    if summary:
        typer.echo(summary)


def _print_json(document: object) -> None:
    typer.echo(msgspec.json.format(msgspec.json.encode(document)).decode())


def _until(at_ms: int | None) -> str:
    return "" if at_ms is None else f" until {_format_time(at_ms)}"


def _format_time(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M}"
