"""The commands `millrace admin ...`: keep order from the command line, beside a server that runs or not.

No work is done here, as in `server.cli`, which imports this; `server.commands.admin_actions` does it.
"""

from pathlib import Path
from typing import Annotated

import typer

admin = typer.Typer(no_args_is_help=True, help="Keep order: roles, accounts, matches, and the log of what was done.")

DataDir = Annotated[Path | None, typer.Option(help="Where data is kept.", show_default="this user's")]
Database = Annotated[str, typer.Option(help="A database URL; by default SQLite in the data folder.")]
AccountName = Annotated[str, typer.Argument(metavar="NAME", help="The name of an account.")]
Reason = Annotated[str, typer.Option(prompt="The reason, for the log", help="It is kept in the log.")]
ToldReason = Annotated[
    str, typer.Option("--reason", prompt="The reason, which they are told", help="It is told and kept in the log.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask again.")]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


@admin.command("make-admin")
def make_admin(name: AccountName, reason: Reason, database: Database = "", data_dir: DataDir = None) -> None:
    """Let somebody keep order, and give and take roles."""
    from .admin_actions import do_upon

    do_upon(name, "make_admin", reason, data_dir, database)


@admin.command("make-moderator")
def make_moderator(name: AccountName, reason: Reason, database: Database = "", data_dir: DataDir = None) -> None:
    """Let somebody keep order."""
    from .admin_actions import do_upon

    do_upon(name, "make_moderator", reason, data_dir, database)


@admin.command("take-role")
def take_role(name: AccountName, reason: Reason, database: Database = "", data_dir: DataDir = None) -> None:
    """Take the role of an admin or moderator."""
    from .admin_actions import do_upon

    do_upon(name, "take_role", reason, data_dir, database)


@admin.command()
def close(name: AccountName, reason: ToldReason, database: Database = "", data_dir: DataDir = None) -> None:
    """Close an account: its sessions and tokens end, its matches are given up, nobody can sign in."""
    from .admin_actions import do_upon

    do_upon(name, "close", reason, data_dir, database)


@admin.command()
def reopen(name: AccountName, reason: Reason, database: Database = "", data_dir: DataDir = None) -> None:
    """Let the owner of a closed account sign in again."""
    from .admin_actions import do_upon

    do_upon(name, "reopen", reason, data_dir, database)


@admin.command()
def mute(
    name: AccountName,
    reason: ToldReason,
    hours: Annotated[int | None, typer.Option(min=1, max=8784, help="How long.", show_default="for good")] = None,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Let somebody talk nowhere."""
    from .admin_actions import do_upon

    do_upon(name, "mute", reason, data_dir, database, hours=hours)


@admin.command()
def unmute(name: AccountName, reason: Reason, database: Database = "", data_dir: DataDir = None) -> None:
    """Let somebody talk again."""
    from .admin_actions import do_upon

    do_upon(name, "unmute", reason, data_dir, database)


@admin.command("clear-bio")
def clear_bio(
    name: AccountName, reason: Reason, yes: Yes = False, database: Database = "", data_dir: DataDir = None
) -> None:
    """Take away what somebody has written of themselves."""
    from .admin_actions import confirm, do_upon

    confirm(f"What {name} has written cannot be brought back. Go on?", yes)
    do_upon(name, "clear_bio", reason, data_dir, database)


@admin.command("remove-name")
def remove_name(
    name: AccountName, reason: Reason, yes: Yes = False, database: Database = "", data_dir: DataDir = None
) -> None:
    """Give an account a neutral name, in place of which its owner may choose another; nobody gets the old one."""
    from .admin_actions import confirm, do_upon

    confirm(f"The name {name} cannot be given back. Go on?", yes)
    do_upon(name, "remove_name", reason, data_dir, database)


@admin.command()
def void(
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The id, or the link.")],
    reason: Reason,
    yes: Yes = False,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Have the result of a match not count; what it did to the ratings is taken back."""
    from .admin_actions import confirm, void_match

    confirm("A voided match cannot be made to count again. Go on?", yes)
    void_match(match, reason, data_dir, database)


@admin.command("list")
def list_accounts(
    name: Annotated[str, typer.Option(help="Those whose name begins so.")] = "",
    role: Annotated[str, typer.Option(help="admin, moderator, or any.")] = "",
    closed: Annotated[bool, typer.Option("--closed", help="Only closed accounts.")] = False,
    muted: Annotated[bool, typer.Option("--muted", help="Only those who may not talk.")] = False,
    most: Annotated[int, typer.Option(min=1, help="So many at most.")] = 1000,
    as_json: AsJson = False,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """List accounts, with roles and measures."""
    from .admin_lists import print_accounts

    print_accounts(name, role, closed, muted, most, as_json, data_dir, database)


@admin.command()
def log(
    name: Annotated[str, typer.Option(help="By or upon one whose name begins so.")] = "",
    action: Annotated[str, typer.Option(help="Such as mute, close, void.")] = "",
    most: Annotated[int, typer.Option(min=1, help="So many of the latest.")] = 50,
    as_json: AsJson = False,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Show what moderators did, the latest first."""
    from .admin_lists import print_log

    print_log(name, action, most, as_json, data_dir, database)


@admin.command()
def statistics(
    days: Annotated[int, typer.Option(min=1, max=366, help="Matches of so many days.")] = 7,
    as_json: AsJson = False,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Count accounts, matches, open reports, and what all of it takes up."""
    from .admin_lists import print_statistics

    print_statistics(days, as_json, data_dir, database)
