"""`millrace admin`, on every supported database: its effects, refusals and output."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner, Result

from millrace.protocol import CommandId, IdentityId
from millrace.server.app.cli import app
from millrace.server.app.stores import open_storage
from millrace.server.callers.names import skeleton_of
from millrace.server.moderation.report_store import StoredReport
from millrace.server.players.accounts.account_store import Account


class Admin:
    """The command at a database."""

    def __init__(self, url: str) -> None:
        self._url = url

    def run(self, *arguments: str, typed: str | None = None) -> Result:
        return CliRunner().invoke(app, ["admin", *arguments, "--database", self._url], input=typed)

    def ask(self, *arguments: str) -> object:
        result = self.run(*arguments, "--json")
        assert result.exit_code == 0, result.output
        return msgspec.json.decode(result.stdout)

    def does(self, *arguments: str) -> str:
        result = self.run(*arguments, "--reason", "because")
        assert result.exit_code == 0, result.output
        return result.stdout


async def settle(url: str) -> None:
    stores = await open_storage(url)
    for name in ("Ann", "Ben"):
        account = Account(IdentityId(name.lower()), name, "hash", 1_764_000_000_000, is_bot=name == "Ben")
        assert await stores.accounts.create(account, skeleton_of(name), 0)
    await stores.profiles.set_profile(IdentityId("ben"), "Buy gold", None)
    ann, ben = IdentityId("ann"), IdentityId("ben")
    await stores.reports.add(StoredReport(ann, CommandId("r"), None, ben, None, "", "other", "", 1, "Ann", "Ben"))
    await stores.close()


@pytest.fixture
def admin(url: str) -> Admin:
    asyncio.run(settle(url))
    return Admin(url)


def test_actions_are_taken_printed_and_logged(admin: Admin) -> None:
    assert admin.does("make-admin", "ann") == "Ann: made admin.\n"
    assert admin.does("mute", "Ben", "--hours", "24") == "Ben: muted.\n"
    assert admin.does("ban", "Ben") == "Ben: banned.\n"
    accounts = admin.ask("list")
    assert isinstance(accounts, list)
    assert [(line["name"], line["role"]) for line in accounts] == [("Ann", "admin"), ("Ben", None)]
    assert accounts[1]["banned"] == {"reason": "because", "until_ms": None}
    assert accounts[1]["muted"]["until_ms"] is not None
    log = admin.ask("log")
    assert isinstance(log, list)
    assert [(entry["by"], entry["action"], entry["player"], entry["reason"]) for entry in log] == [
        ("console", "ban", "Ben", "because"),
        ("console", "mute", "Ben", "because"),
        ("console", "make_admin", "Ann", "because"),
    ]
    assert "banned" in admin.run("log").stdout
    assert "Ann" in admin.run("list").stdout


def test_tables_have_a_row_in_each_line_of_a_pipe(admin: Admin) -> None:
    reason = f"As [1] shows, with [bold]marks[/bold] and :smile: {'on and ' * 25}on."
    assert admin.run("mute", "Ben", "--reason", reason).exit_code == 0
    header, row, summary = admin.run("log").stdout.splitlines()
    assert (header.split()[-1], summary) == ("Reason", "1 entry")
    assert row.startswith("1 ")
    assert row.endswith(f"  {reason}")
    _, _, ben, _ = admin.run("list").stdout.splitlines()
    assert ben.endswith(f"  muted: {reason}")


def test_accounts_are_found_by_role_name_and_restriction(admin: Admin) -> None:
    admin.does("make-moderator", "Ann")
    admin.does("ban", "Ben")
    filters = {"--role=any": ["Ann"], "--role=admin": [], "--name=be": ["Ben"], "--banned": ["Ben"], "--muted": []}
    for option, names in filters.items():
        found = admin.ask("list", option)
        assert isinstance(found, list)
        assert [line["name"] for line in found] == names, option


def test_irreversible_actions_ask_for_confirmation(admin: Admin) -> None:
    asked = admin.run("remove-name", "Ben", "--reason", "rude", typed="n\n")
    assert (asked.exit_code, "Continue?" in asked.output) == (1, True)
    assert "Ben" in admin.run("list").stdout
    output = admin.does("remove-name", "Ben", "--yes")
    assert "Ben (now Player" in output
    assert "Ben" not in admin.run("list").stdout
    assert admin.run("void", "m1", "--reason", "x", typed="n\n").exit_code == 1


def test_a_profile_text_is_deleted_once(admin: Admin) -> None:
    admin.does("clear-bio", "Ben", "--yes")
    assert admin.run("clear-bio", "Ben", "--yes", "--reason", "x").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("ban", "Nobody-here"), "There is no account called Nobody-here."),
        (("unban", "Ben"), "is not banned"),
        (("remove-role", "Ben"), "has no role"),
        (("void", "http://localhost/match/m1#4", "--yes"), "There is no such match."),
        (("clear-import", "http://localhost/match/m1", "--yes"), "There is no such imported match."),
        (("remove-study", "http://localhost/study/s1", "--yes"), "There is no such study."),
        (("remove-study", "s1", "--comments", "--yes"), "There is no such study."),
    ],
)
def test_a_refusal_is_one_line_and_exit_code_2(admin: Admin, arguments: tuple[str, ...], text: str) -> None:
    result = admin.run(*arguments, "--reason", "because")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert text in result.stderr


def test_a_reason_is_required(admin: Admin) -> None:
    result = admin.run("ban", "Ben", typed="Cheating\n")
    assert (result.exit_code, "Reason" in result.output) == (0, True)
    assert admin.run("unban", "Ben", "--reason", "  ").exit_code == 2


def test_statistics_count_everything(admin: Admin) -> None:
    counts = admin.ask("statistics")
    assert isinstance(counts, dict)
    assert (counts["accounts"], counts["matches"], counts["reports_open"], counts["by_day"]) == (2, 0, 1, {})
    assert counts["storage_bytes"] > 0
    printed = admin.run("statistics").stdout
    assert "Open reports" in printed
    assert "2 (1 bot, 0 banned, 0 muted)" in printed


def test_a_missing_database_is_reported_and_not_created(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["admin", "list", "--data-dir", str(tmp_path)])
    assert (result.exit_code, "there is no database at" in result.stderr) == (1, True)
    assert list(tmp_path.iterdir()) == []


def test_the_site_is_controlled_from_the_command_line(admin: Admin) -> None:
    assert admin.run("announce", "Maintenance at noon.", "--hours", "2").stdout == "Site: announced.\n"
    assert admin.does("switch-off", "guests") == "guests: switched off.\n"
    assert admin.does("block-address", "::ffff:192.0.2.7") == "192.0.2.7/32: address blocked.\n"
    too_long = admin.run("announce", "x" * 20_000)
    assert (too_long.exit_code, "has 20000 characters; at most 300 are allowed" in too_long.stderr) == (2, True)
    site = admin.ask("site")
    assert isinstance(site, list)
    assert [(each["action"], each["subject"], each["reason"]) for each in site] == [
        ("announce", "", "Maintenance at noon."),
        ("switch_off", "guests", "because"),
        ("block_address", "192.0.2.7/32", "because"),
    ]
    assert "guests" in admin.run("site").stdout
    log = admin.run("log").stdout
    assert "guests" in log
    assert "192.0.2.7/32" in log
    assert admin.run("announce", "--end").exit_code == 0
    assert admin.run("announce").exit_code == 2
    admin.does("switch-on", "guests")
    admin.does("unblock-address", "192.0.2.7")
    assert admin.ask("site") == []
    assert "Nothing is announced" in admin.run("site").stdout
    assert admin.run("switch-on", "guests", "--reason", "again").exit_code == 2


def test_an_account_is_exported_and_deleted(admin: Admin, tmp_path: Path) -> None:
    file = tmp_path / "ben.json"
    assert admin.run("export-account", "Ben", str(file), "--reason", " ").exit_code == 2
    assert not file.exists()
    assert admin.does("export-account", "Ben", str(file)) == f"Wrote everything about Ben to {file}.\n"
    assert file.stat().st_mode & 0o077 == 0
    document = msgspec.json.decode(file.read_bytes())
    assert (document["accounts"][0]["name"], document["profiles"][0]["bio"]) == ("Ben", "Buy gold")
    assert b"hash" not in file.read_bytes()
    again = admin.run("export-account", "Ben", str(file), "--reason", "again")
    assert (again.exit_code, again.stderr) == (
        1,
        f"millrace: {file} exists already. Move it, or choose another name.\n",
    )
    assert admin.does("delete-account", "Ben", "--yes") == "Ben: account deleted.\n"
    accounts = admin.ask("list")
    assert isinstance(accounts, list)
    assert [line["name"] for line in accounts] == ["Ann"]
    log = admin.ask("log")
    assert isinstance(log, list)
    assert [(entry["action"], entry["player"]) for entry in log] == [
        ("delete_account", "Deleted player"),
        ("export_account", "Ben"),
    ]
