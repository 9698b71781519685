"""What is left of a player whose account is deleted, in every table."""

import asyncio
import importlib
import json

from sqlalchemy import Column, Text

from millrace.protocol import IdentityId, Player
from millrace.server.app.stores import DELETIONS, Stores
from millrace.server.app.tables import metadata
from millrace.server.journal.entries import NO_SEAT
from millrace.server.journal.packed_form import EventRow, pack
from millrace.server.storage.address import parse_address
from millrace.server.storage.database import open_engine
from tests.project.repository import ROOT, files
from tests.server.in_process_server import Served
from tests.server.players.accounts.registered_players import PASSWORD, register
from tests.server.storage.full_tables import rows_of
from tests.server.web.two_players import ME, OPEN, create
from tests.serving import PATIENCE_S

ANN = "identity of Ann"
NOBODY = Player(IdentityId("nobody"), "Deleted player")
OF_PLAYERS = {"identity", "by", "whom", "player", "reporter", "taken_by", "origin_by"}
"""The columns that hold identities, beside `accounts.id`."""


def value_of(column: Column[object]) -> object:
    """Return a value for a column of a row about Ann."""
    if column.name in OF_PLAYERS or str(column) == "accounts.id":
        return ANN
    if column.nullable:
        return None
    if str(column) == "packed_matches.rest":
        return pack([EventRow(1, 0, NO_SEAT, None, '{"type":"created","game":"morris"}')]).rest
    return column.name if isinstance(column.type, Text) else column.type.python_type(1)


async def test_no_table_but_the_log_of_moderation_names_a_deleted_player(url: str, stores: Stores) -> None:
    engine = open_engine(parse_address(url))
    async with engine.begin() as connection:
        for table in metadata.sorted_tables:
            await connection.execute(table.insert(), {column.name: value_of(column) for column in table.c})
    await engine.dispose()
    await stores.accounts.delete(IdentityId(ANN), NOBODY, IdentityId("scrubbed"), 5)
    naming = {name for name, rows in (await rows_of(url, metadata)).items() if any(ANN in row for row in rows)}
    assert naming == {"moderation_log"}


def test_the_deletion_steps_of_every_store_are_taken() -> None:
    paths = (path.relative_to(ROOT).with_suffix("") for path in files(ROOT / "server") if "_store.py" in path.name)
    stores = [importlib.import_module(f"millrace.{'.'.join(path.parts)}") for path in paths]
    defined = {store.__name__ for store in stores if hasattr(store, "deletion_steps")}
    assert {steps.__module__ for steps in DELETIONS} == defined


async def test_a_deleted_account_is_nameless_in_a_seat_that_it_left(served: Served) -> None:
    async with asyncio.timeout(PATIENCE_S):
        host = await served.visitor()
        guest = await register(served)
        match = await create(host, ME, OPEN, OPEN, game="battlesheep", setup="seats=3")
        assert (await guest.ask("join", match=match, seat=1))["type"] == "accepted"
        assert (await guest.ask("leave_seat", match=match, seat=1))["type"] == "accepted"
        assert (await guest.ask("delete_account", password=PASSWORD))["type"] == "done"
        await host.say("watch", match=match)
        events = [each["event"] for each in (await host.hear_until("match_events", match=match))["events"]]
        (freed,) = [event for event in events if event["type"] == "seat_freed"]
        joined = [event["player"] for event in events if event["type"] == "seated" and event["seat"] == 1]
        assert [freed["player"]["name"], *(player["name"] for player in joined)] == ["Deleted player"] * 2
        assert guest.player["id"] not in json.dumps(events)
