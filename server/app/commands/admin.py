"""The commands `millrace admin ...`: moderate from the command line, whether or not a server is running.

They only parse arguments, so that `millrace --help` is fast; `server.app.commands.admin_actions` and
`server.app.commands.admin_lists` do the work.
"""

from pathlib import Path
from typing import Annotated

import typer

from .arguments import Database, DataDir
from .command_group import command_group

admin = command_group("Moderate: roles, accounts, matches, and the moderation log.")

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
    from .admin_actions import act_on_match, confirm

    confirm("A voided match cannot be made to count again. Continue?", yes)
    act_on_match(match, "void", reason, data_dir, database)


@admin.command("clear-import")
def clear_import(
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The id of an imported match, or a link to it.")],
    reason: Reason,
    yes: Yes = False,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Delete the names and comments of an imported match."""
    from .admin_actions import act_on_match, confirm

    confirm("The names and comments cannot be restored. Continue?", yes)
    act_on_match(match, "clear_import", reason, data_dir, database)


@admin.command("remove-study")
def remove_study(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="The id of a study, or a link to it.")],
    reason: Reason,
    comments: Annotated[bool, typer.Option("--comments", help="Only its title and comments.")] = False,
    yes: Yes = False,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Delete a study, or its title and comments."""
    from .admin_actions import act_on_study, confirm

    confirm("This cannot be restored. Continue?", yes)
    act_on_study(study, "clear_study" if comments else "remove_study", reason, data_dir, database)


@admin.command("delete-account")
def delete_account(
    name: AccountName, reason: Reason, yes: Yes = False, database: Database = "", data_dir: DataDir = None
) -> None:
    """Delete an account and everything about its owner. Finished matches remain, without the name."""
    from .admin_actions import act_on_player, confirm

    confirm(f"The account {name} cannot be restored. Continue?", yes)
    act_on_player(name, "delete_account", reason, data_dir, database)


@admin.command("export-account")
def export_account(
    name: AccountName,
    file: Annotated[Path, typer.Argument(help="The file to write, in JSON; only you can read it.")],
    reason: Reason,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Write everything that is stored about an account's owner to a file, except secrets."""
    from .account_export import write_account_data

    write_account_data(name, file, reason, data_dir, database)


Hours = Annotated[int | None, typer.Option(min=1, max=8784, help="Duration.", show_default="until it is ended")]


@admin.command()
def announce(
    text: Annotated[str, typer.Argument(help="Shown at the top of every page.")] = "",
    hours: Hours = None,
    end: Annotated[bool, typer.Option("--end", help="End the announcement instead.")] = False,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Show a text to everyone, at once and to those who come later."""
    from .admin_actions import act_on_site

    if bool(text) is end:
        raise typer.BadParameter("Give either a text or --end.", param_hint="TEXT")
    if end:
        act_on_site("end_announcement", "Ended.", data_dir, database)
    else:
        act_on_site("announce", text, data_dir, database, hours=hours)


Network = Annotated[str, typer.Argument(metavar="ADDRESS", help="An address or a network, such as 192.0.2.0/24.")]


@admin.command("block-address")
def block_address(
    address: Network, reason: Reason, hours: Hours = None, database: Database = "", data_dir: DataDir = None
) -> None:
    """Refuse everyone at an address, and close their connections. Of an IPv6 address, its /64 network is blocked."""
    from .admin_actions import act_on_site

    act_on_site("block_address", reason, data_dir, database, subject=address, hours=hours)


@admin.command("unblock-address")
def unblock_address(address: Network, reason: Reason, database: Database = "", data_dir: DataDir = None) -> None:
    """Let an address use the site again."""
    from .admin_actions import act_on_site

    act_on_site("unblock_address", reason, data_dir, database, subject=address)


FeatureName = Annotated[
    str,
    typer.Argument(
        metavar="FEATURE",
        help="registration, guests, matches, chat, analysis, studies or imports.",
    ),
]


@admin.command("switch-off")
def switch_off(
    feature: FeatureName, reason: ShownReason, hours: Hours = None, database: Database = "", data_dir: DataDir = None
) -> None:
    """Switch a feature off on every node, without a restart."""
    from .admin_actions import act_on_site

    act_on_site("switch_off", reason, data_dir, database, subject=feature, hours=hours)


@admin.command("switch-on")
def switch_on(feature: FeatureName, reason: Reason, database: Database = "", data_dir: DataDir = None) -> None:
    """Switch a feature on again."""
    from .admin_actions import act_on_site

    act_on_site("switch_on", reason, data_dir, database, subject=feature)


@admin.command()
def site(as_json: AsJson = False, database: Database = "", data_dir: DataDir = None) -> None:
    """Show what is announced, blocked and switched off."""
    from .admin_lists import print_site

    print_site(as_json, data_dir, database)


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
