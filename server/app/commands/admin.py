"""The commands `millrace admin ...`: moderate from the command line, whether or not a server is running.

They only parse arguments, so that `millrace --help` is fast; `server.app.commands.admin_actions` and
`server.app.commands.admin_lists` do the work.
"""

from typing import Annotated

import typer

from .arguments import Database, DataDir

admin = typer.Typer(no_args_is_help=True, help="Moderate: roles, accounts, matches, and the moderation log.")

AccountName = Annotated[str, typer.Argument(metavar="NAME", help="The name of an account.")]
Reason = Annotated[str, typer.Option(prompt="Reason, for the log", help="Kept in the log.")]
ShownReason = Annotated[
    str, typer.Option("--reason", prompt="Reason, which the player sees", help="Shown to the player, kept in the log.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


ACTIONS = {
    "make_admin": "Allow a player to moderate, and to give and remove roles.",
    "make_moderator": "Allow a player to moderate.",
    "remove_role": "Remove the role of an admin or moderator.",
    "unban": "Let the owner of a banned account sign in again.",
    "unmute": "Let a player write in chats again.",
}
"""The actions against the owner of an account that need only a reason, which the player does not see."""


def _add_command(action: str, description: str) -> None:
    @admin.command(action.replace("_", "-"), help=description)
    def act(name: AccountName, reason: Reason, database: Database = "", data_dir: DataDir = None) -> None:
        from .admin_actions import act_on_player

        act_on_player(name, action, reason, data_dir, database)


for each, its_description in ACTIONS.items():
    _add_command(each, its_description)


@admin.command()
def ban(name: AccountName, reason: ShownReason, database: Database = "", data_dir: DataDir = None) -> None:
    """Close an account: end its sessions and tokens, resign its matches, and block signing in."""
    from .admin_actions import act_on_player

    act_on_player(name, "ban", reason, data_dir, database)


@admin.command()
def mute(
    name: AccountName,
    reason: ShownReason,
    hours: Annotated[int | None, typer.Option(min=1, max=8784, help="Duration.", show_default="permanently")] = None,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Stop a player from writing in chats."""
    from .admin_actions import act_on_player

    act_on_player(name, "mute", reason, data_dir, database, hours=hours)


@admin.command("clear-bio")
def clear_bio(
    name: AccountName, reason: Reason, yes: Yes = False, database: Database = "", data_dir: DataDir = None
) -> None:
    """Delete the text on a player's profile."""
    from .admin_actions import act_on_player, confirm

    confirm(f"The profile text of {name} cannot be restored. Continue?", yes)
    act_on_player(name, "clear_bio", reason, data_dir, database)


@admin.command("remove-name")
def remove_name(
    name: AccountName, reason: Reason, yes: Yes = False, database: Database = "", data_dir: DataDir = None
) -> None:
    """Give an account a neutral name until its owner chooses another. The old name stays reserved."""
    from .admin_actions import act_on_player, confirm

    confirm(f"The name {name} cannot be restored. Continue?", yes)
    act_on_player(name, "remove_name", reason, data_dir, database)


@admin.command()
def void(
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The id of a match, or a link to it.")],
    reason: Reason,
    yes: Yes = False,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Void the result of a match and revert its rating changes."""
    from .admin_actions import confirm, void_match

    confirm("A voided match cannot be made to count again. Continue?", yes)
    void_match(match, reason, data_dir, database)


@admin.command("list")
def list_accounts(
    name: Annotated[str, typer.Option(help="Only accounts whose names begin with this.")] = "",
    role: Annotated[str, typer.Option(help="admin, moderator, or any.")] = "",
    banned: Annotated[bool, typer.Option("--banned", help="Only banned accounts.")] = False,
    muted: Annotated[bool, typer.Option("--muted", help="Only muted accounts.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="Maximum accounts.")] = 1000,
    as_json: AsJson = False,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """List accounts with their roles and restrictions."""
    from .admin_lists import print_accounts

    print_accounts(name, role, banned, muted, limit, as_json, data_dir, database)


@admin.command()
def log(
    name: Annotated[str, typer.Option(help="Only actions by or against players whose names begin with this.")] = "",
    action: Annotated[str, typer.Option(help="Such as mute, ban, void.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="Maximum entries.")] = 50,
    as_json: AsJson = False,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Show the moderation log, newest first."""
    from .admin_lists import print_log

    print_log(name, action, limit, as_json, data_dir, database)


@admin.command()
def statistics(
    days: Annotated[int, typer.Option(min=1, max=366, help="Number of days of matches to show.")] = 7,
    as_json: AsJson = False,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Count accounts, matches and open reports, and show the size of the database."""
    from .admin_lists import print_statistics

    print_statistics(days, as_json, data_dir, database)
