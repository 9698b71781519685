"""Stored answers: secrets stay secret, and answers are kept for a day. `test_repeated_commands` sends every command."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from millrace.protocol import CommandId, IdentityId
from millrace.server.app.stores import Stores
from millrace.server.callers.answer_store import Asked
from tests.server.in_process_server import Served
from tests.server.players.accounts.registered_players import PASSWORD, register


def contents_of(path: Path) -> str:
    """Return all that an SQLite database holds, as text."""
    with closing(sqlite3.connect(path)) as database:
        return "\n".join(database.iterdump())


async def test_no_secret_of_an_answer_is_stored(served: Served, tmp_path: Path) -> None:
    guest = await served.visitor()
    registered = await guest.ask("register", name="Beatrix", password=PASSWORD)
    owner = await served.visitor(registered["token"])
    token = (await owner.ask("create_token", label="my bot", scopes=["read"]))["token"]
    codes = (await owner.ask("renew_recovery_codes", password=PASSWORD))["codes"]
    signed_in = await guest.ask("sign_in", name="Beatrix", password=PASSWORD, browser=True)
    stored = contents_of(tmp_path / "test.sqlite3")
    assert "renew_recovery_codes" in stored
    secrets = [registered["token"], token, signed_in["ticket"], *registered["recovery_codes"], *codes]
    assert [secret for secret in secrets if secret in stored] == []


async def test_secrets_are_sent_again_only_for_the_same_command_of_the_same_session(served: Served) -> None:
    owner = await register(served)
    fields = {"id": "same", "label": "my bot", "scopes": ["read"]}
    created = await owner.ask("create_token", **fields)
    other = await served.visitor((await owner.ask("sign_in", name="Beatrix", password=PASSWORD))["token"])
    assert (await other.ask("create_token", **fields))["code"] == "nothing_to_do"
    assert (await owner.ask("create_token", **{**fields, "label": "another"}))["code"] == "nothing_to_do"
    assert await (await served.visitor(owner.token)).ask("create_token", **fields) == created
    assert len((await owner.ask("list_tokens"))["tokens"]) == 1


@pytest.mark.parametrize("type_", ["sign_in", "renew_recovery_codes"])
async def test_a_wrong_password_gets_nothing_by_the_id_of_a_right_one(served: Served, type_: str) -> None:
    owner = await register(served)
    name = {"name": "Beatrix"} if type_ == "sign_in" else {}
    assert (await owner.ask(type_, id="same", **name, password=PASSWORD))["type"] != "refused"
    assert (await owner.ask(type_, id="same", **name, password="a wrong one"))["type"] == "refused"


async def test_answers_are_forgotten_by_age(stores: Stores) -> None:
    old, new = (Asked(IdentityId("guest-1"), CommandId(id_), "save_study") for id_ in ("old", "new"))
    await stores.answers.put(old, "first", 1)
    await stores.answers.put(old, "second", 3)
    assert await stores.answers.find(old) == "first"
    await stores.answers.put(new, "new", 2)
    await stores.answers.delete_before(2)
    assert (await stores.answers.find(old), await stores.answers.find(new)) == (None, "new")
