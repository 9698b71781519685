"""The output of `millrace admin list`, `log` and `statistics`: tables, or JSON for programs."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from millrace.protocol import ModerationAction, Role

from ...callers.site_rules import SITE_ACTIONS, SiteRules
from ...moderation.moderation_store import ActionRecord, LogFilter
from ...moderation.overview_store import AccountFilter, AccountLine, Statistics
from .admin_actions import ACTION_LABELS, ask_stores, now_ms
from .output import number_of

ANY_ROLE = "any"


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
    table = Table("Name", "Role", "Since", "Restrictions", box=None, pad_edge=False)
    for line in lines:
        name_shown = f"{line.name} (bot)" if line.is_bot else line.name
        day = datetime.fromtimestamp(line.created_ms / 1000, UTC).date().isoformat()
        table.add_row(name_shown, line.role or "", day, _restrictions(line))
    _print(table, number_of(len(lines), "account"))


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
    table = Table("No.", "When (UTC)", "Moderator", "Action", "About", "Reason", box=None, pad_edge=False)
    for record in entries:
        until = "" if record.until_ms is None else f" until {_format_time(record.until_ms)}"
        label = f"{ACTION_LABELS[record.action]}{until}"
        table.add_row(
            str(record.number), _format_time(record.at_ms), record.by_name, label, _target(record), record.reason
        )
    _print(table, f"{len(entries)} {'entry' if len(entries) == 1 else 'entries'}")


def print_statistics(days: int, as_json: bool, data_dir: Path | None, database: str) -> None:
    """Print statistics."""
    statistics = ask_stores(data_dir, database, lambda stores: stores.overview.statistics(now_ms(), days))
    if as_json:
        _print_json({**statistics._asdict(), "by_day": dict(statistics.by_day)})
        return
    table = Table(show_header=False, box=None, pad_edge=False)
    for label, count in _counts(statistics):
        table.add_row(label, count)
    Console().print(table)
    games = sorted({game for _, by_game in statistics.by_day for game in by_game})
    by_day = Table("Matches begun", *games, "all", box=None, pad_edge=False)
    for day, by_game in statistics.by_day:
        by_day.add_row(day, *(str(by_game.get(game, 0)) for game in games), str(sum(by_game.values())))
    _print(by_day, "")


def print_site(as_json: bool, data_dir: Path | None, database: str) -> None:
    """Print what is announced, blocked and switched off."""
    rules = SiteRules(now_ms)
    for each in ask_stores(data_dir, database, lambda stores: stores.moderation.site_actions()):
        rules.apply(each)
    if as_json:
        _print_json([each._asdict() for each in rules.active])
        return
    table = Table("What", "Where", "Until (UTC)", "Text or reason", box=None, pad_edge=False)
    for each in rules.active:
        until = "" if each.until_ms is None else _format_time(each.until_ms)
        table.add_row(ACTION_LABELS[each.action], each.subject, until, each.reason)
    _print(table, "" if rules.active else "Nothing is announced, blocked or switched off.")


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
        until = "" if line.mute.until_ms is None else f" until {_format_time(line.mute.until_ms)}"
        parts.append(f"muted{until}: {line.mute.reason}")
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


def _print(table: Table, summary: str) -> None:
    if table.row_count:
        Console().print(table)
    if summary:
        typer.echo(summary)


def _print_json(document: object) -> None:
    typer.echo(msgspec.json.format(msgspec.json.encode(document)).decode())


def _format_time(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M}"
