"""Migrations: from scratch, repeated, concurrent, and equal to the tables that the code defines."""

import asyncio
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect
from structlog.testing import capture_logs

from millrace.protocol import IdentityId, MatchId, ModerationAction, NotificationKind
from millrace.server.app.stores import open_journal, open_storage
from millrace.server.app.tables import metadata
from millrace.server.callers.restriction_store import Restriction, RestrictionKind
from millrace.server.journal.tables import SEATS
from millrace.server.storage.address import parse_address
from millrace.server.storage.database import open_engine
from millrace.server.storage.errors import StorageError
from millrace.server.storage.migrate import head_revision, migrate
from tests.processes import child
from tests.server.databases import downgrade, read_value, run_statement
from tests.server.journal.entries import MATCH, ORIGIN, create, move, moves_of
from tests.server.storage.full_tables import run_on
from tests.server.storage.old_rows import OLD_ROWS

ONLY_IN_POSTGRES = {"events_command"}
"""Indexes that SQLite files do not have."""


def differences(connection: Connection) -> list[Any]:
    """Return the differences between the code's tables and the database's."""
    options = {"compare_type": True, "compare_server_default": True}
    found = compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
    if connection.dialect.name == "sqlite":
        return [each for each in found if each[0] != "add_index" or each[1].name not in ONLY_IN_POSTGRES]
    return list(found)


def index_conditions(connection: Connection) -> dict[str, bool]:
    """Return the indexes of the database, and which of them have a condition: Alembic does not compare those."""
    found = inspect(connection)
    return {
        str(index["name"]): any(key.endswith("_where") for key in index.get("dialect_options", {}))
        for table in found.get_table_names()
        for index in found.get_indexes(table)
    }


def tables_at_0012(url: str) -> list[str]:
    """Return the statements that create the tables of revision 0012, as twelve migrations once did."""
    script = Path(__file__).with_name("revision_0012.sql").read_text(encoding="utf-8")
    if url.startswith("sqlite"):
        script = script.replace("DOUBLE PRECISION", "DOUBLE").replace("DEFAULT FALSE", "DEFAULT 0")
    return script.split(";\n")[:-1]


async def inspect_database(url: str) -> tuple[list[Any], dict[str, bool]]:
    engine = open_engine(parse_address(url))
    async with engine.connect() as connection:
        found = await connection.run_sync(differences), await connection.run_sync(index_conditions)
    await engine.dispose()
    return found


async def test_an_empty_database_gets_exactly_the_tables_that_the_code_means(empty_url: str) -> None:
    assert await migrate(empty_url)
    found, conditions = await inspect_database(empty_url)
    assert found == []
    conditional = {name for name, has_condition in conditions.items() if has_condition}
    packed = {f"packed_matches_{name}" for name in ("openings_due", *(f"seat_{seat}" for seat in SEATS))}
    expected = {"matches_unfinished", "matches_openings_due", "reports_open", *packed}
    assert conditional == (expected if empty_url.startswith("sqlite") else expected | ONLY_IN_POSTGRES)


async def test_the_log_says_once_from_where_to_where_a_database_was_upgraded(empty_url: str) -> None:
    with capture_logs() as logs:
        await migrate(empty_url, "0013")
        await asyncio.gather(*(migrate(empty_url) for _ in range(2)))
        await migrate(empty_url)
    upgrades = [(line["before"], line["after"]) for line in logs if line["event"] == "database upgraded"]
    assert upgrades == [("0013", head_revision())]


async def test_of_two_migrations_at_once_both_end_well(empty_url: str) -> None:
    await asyncio.gather(*(migrate(empty_url) for _ in range(3)))
    assert (await inspect_database(empty_url))[0] == []
    assert not await migrate(empty_url)


async def test_alembic_is_not_imported_when_there_is_nothing_to_do(processes: None, empty_url: str) -> None:
    await migrate(empty_url)
    program = (
        "import asyncio, sys; from millrace.server.app.stores import open_journal\n"
        "async def run(): await (await open_journal(sys.argv[1])).close()\n"
        "asyncio.run(run()); assert 'alembic' not in sys.modules"
    )
    async with child(sys.executable, "-c", program, empty_url, stderr=subprocess.PIPE) as process:
        _, complaint = await process.communicate()
    assert process.returncode == 0, complaint.decode()


async def test_a_newer_database_is_used_as_far_as_its_tables_allow_and_else_refused_in_words(empty_url: str) -> None:
    await migrate(empty_url)
    newer = "UPDATE alembic_version SET version_num = '9999', oldest_compatible = '{}'"
    await run_on(empty_url, newer.format(head_revision()))
    assert not await migrate(empty_url)
    await (await open_storage(empty_url)).close()
    await run_on(empty_url, newer.format("9998"))
    with pytest.raises(StorageError, match=r"releases with revision 9998 or later .* use a newer millrace"):
        await migrate(empty_url)


def test_which_releases_can_use_the_tables_is_noted_in_both_directions(empty_url: str) -> None:
    oldest_compatible = "SELECT oldest_compatible FROM alembic_version"
    assert asyncio.run(migrate(empty_url))
    newest = str(read_value(empty_url, oldest_compatible))
    assert newest <= head_revision()
    downgrade(empty_url, "0027")
    assert read_value(empty_url, oldest_compatible) == "0026"
    downgrade(empty_url, "0026")
    assert asyncio.run(migrate(empty_url))
    assert read_value(empty_url, oldest_compatible) == newest


def test_the_newest_revision_is_told_without_alembic_and_rightly() -> None:
    config = Config()
    config.set_main_option("script_location", str(files("migrations")))
    assert ScriptDirectory.from_config(config).get_heads() == [head_revision()]


def test_a_migration_that_fails_leaves_nothing_behind(empty_url: str) -> None:
    run_statement(empty_url, "CREATE TABLE heartbeats (node text)")
    with pytest.raises(StorageError, match=r"heartbeats.* already exists"):
        asyncio.run(migrate(empty_url))
    run_statement(empty_url, "DROP TABLE heartbeats")
    assert asyncio.run(migrate(empty_url))


async def test_what_older_servers_stored_is_read_by_its_names_of_today(empty_url: str) -> None:
    await run_on(empty_url, *tables_at_0012(empty_url), *OLD_ROWS)
    assert await migrate(empty_url)
    stores = await open_storage(empty_url)
    restrictions = {each.identity: (each.kind, each.restriction) for each in await stores.restrictions.all()}
    assert restrictions == {
        "ben": (RestrictionKind.BAN, Restriction("cheated")),
        "cat": (RestrictionKind.MUTE, Restriction("insulted", 5)),
    }
    assert await stores.notifications.toggles() == [("ann", (NotificationKind.YOUR_TURN,))]
    (notification,) = await stores.notifications.latest(IdentityId("ann"), 9)
    assert (notification.kind, notification.explanation) == (NotificationKind.MATCH_ENDED, "You won.")
    (report,) = await stores.reports.open(9, 9)
    assert report.report.note == "Look!"
    (entry,) = await stores.moderation.entries_after(0)
    assert entry.action is ModerationAction.BAN
    (line,) = await stores.chat.lines(MatchId("m"), 9)
    assert line.room == "spectators"
    assert await stores.analyses.find(MatchId("m"), "engine") is None
    await stores.close()
    assert (await inspect_database(empty_url))[0] == []


async def test_tables_from_before_the_first_migration_are_refused_in_words(empty_url: str) -> None:
    await migrate(empty_url, "0012")
    await run_on(empty_url, "UPDATE alembic_version SET version_num = '0011'")
    with pytest.raises(StorageError, match=r"revision 0011, from before Millrace 0\.1\.0"):
        await migrate(empty_url)


async def test_a_match_from_before_an_upgrade_goes_on_and_remembers_its_commands(empty_url: str) -> None:
    journal = await open_journal(empty_url)
    assert await create(journal)
    assert await journal.append(MATCH, 1, [move("a1", 0, "once")])
    await journal.close()
    await asyncio.to_thread(downgrade, empty_url, "0013")
    assert "events_command" in (await inspect_database(empty_url))[1]
    journal = await open_journal(empty_url)
    assert not await journal.append(MATCH, 2, [move("d1", 0, "once")])
    assert await journal.append(MATCH, 2, [move("d1", 0, "twice")])
    assert moves_of(await journal.load(MATCH)) == ["a1", "d1"]
    await journal.close()


async def test_matches_in_progress_go_down_to_every_revision_and_up_again(empty_url: str) -> None:
    journal = await open_journal(empty_url)
    assert await create(journal)
    await journal.close()
    versions = files("millrace.migrations").joinpath("versions").iterdir()
    revisions = sorted(file.name.split("_")[1] for file in versions if file.name.startswith("revision_"))
    for seq, revision in enumerate(reversed(revisions[:-1]), 1):
        await asyncio.to_thread(downgrade, empty_url, revision)
        assert await migrate(empty_url)
        journal = await open_journal(empty_url)
        assert await journal.unfinished() == (MATCH,)
        assert await journal.find_created(ORIGIN) == MATCH
        assert await journal.append(MATCH, seq, [move(f"{seq}", 0, f"command {seq}")])
        assert not await journal.append(MATCH, seq + 1, [move("again", 0, "command 1")])
        assert moves_of(await journal.load(MATCH)) == [f"{before}" for before in range(1, seq + 1)]
        await journal.close()
    assert (await inspect_database(empty_url))[0] == []
