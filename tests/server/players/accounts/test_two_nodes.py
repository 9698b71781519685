"""Sessions that end on another node, even while the nodes are disconnected."""

import asyncio
from typing import Any

import pytest

from millrace.protocol import VERSION, Code
from millrace.server.callers.presence import Credential
from millrace.server.players.accounts import session_checks
from millrace.server.rooms import resuming, rooms
from millrace.server.rooms.room import Room
from tests.server.in_process_server import Frame, Visitor
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import PASSWORD, closed, register_all
from tests.server.web.two_players import create

ENDINGS: tuple[tuple[str, Frame], ...] = (
    ("sign_out", {}),
    ("change_password", {"password": PASSWORD, "new_password": "stapled quagga 17"}),
    ("delete_account", {"password": PASSWORD}),
)


async def begin(cluster: Cluster) -> tuple[Visitor, Visitor, Visitor]:
    """Return two sessions of one player, on the first and the second node, and one of another on the second."""
    ann, ben = await register_all(cluster.first, "Annabel", "Benjamin")
    token = (await ann.ask("sign_in", name="Annabel", password=PASSWORD))["token"]
    return ann, await cluster.second.visitor(token), await cluster.second.visitor(ben.token)


async def end_elsewhere(cluster: Cluster, type_: str, fields: Frame) -> tuple[Visitor, Visitor]:
    """End a player's sessions on the first node while the second is cut off; return theirs there, and another's."""
    ann, elsewhere, ben = await begin(cluster)
    if type_ == "sign_out":
        ann = await cluster.first.visitor(elsewhere.token)
    cluster.cut()
    assert (await ann.ask(type_, **fields))["type"] == "done"
    return elsewhere, ben


@pytest.mark.parametrize(("type_", "fields"), ENDINGS)
async def test_a_session_that_ended_while_the_bus_was_away_ends_when_it_is_back(
    cluster: Cluster, type_: str, fields: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_checks, "PAGE_SESSIONS", 1)
    monkeypatch.setattr(session_checks, "INTERVAL_SECONDS", 3_600)
    elsewhere, ben = await end_elsewhere(cluster, type_, fields)
    cluster.restore()
    assert (await closed(elsewhere))[2] == Code.SIGNED_OUT
    assert (await ben.ask("list_tokens"))["type"] == "tokens"


async def test_a_session_that_ended_elsewhere_ends_while_the_bus_is_still_away(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_checks, "INTERVAL_SECONDS", 0.05)
    elsewhere, ben = await end_elsewhere(cluster, "sign_out", {})
    assert (await closed(elsewhere))[2] == Code.SIGNED_OUT
    assert (await ben.ask("list_tokens"))["type"] == "tokens"


async def test_a_guest_who_created_an_account_while_the_bus_was_away_is_asked_to_sign_in(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_checks, "REGISTERING_SECONDS", 0.05)
    guest = await cluster.first.visitor()
    elsewhere = await cluster.second.visitor(guest.token)
    other = await cluster.second.visitor()
    cluster.cut()
    assert (await guest.ask("register", name="Annabel", password=PASSWORD))["type"] == "signed_in"
    cluster.restore()
    assert (await closed(elsewhere))[2] == Code.GUEST_REGISTERED
    assert (await other.ask("get_profile", name="Annabel"))["type"] == "profile"
    # The connection that created the account goes on with it.
    assert (await guest.ask("list_tokens"))["type"] == "tokens"


async def test_an_account_that_became_a_bot_while_the_bus_was_away_is_a_bot_on_both_nodes(cluster: Cluster) -> None:
    ann, elsewhere, ben = await begin(cluster)
    cluster.cut()
    assert (await ann.ask("become_bot"))["type"] == "done"
    cluster.restore()
    while not (await ben.ask("get_profile", name="Annabel"))["status"]["player"].get("bot"):
        pass
    assert (await elsewhere.ask("list_tokens"))["type"] == "tokens"


async def test_a_room_reads_the_name_of_a_new_account_once_on_each_node(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, other = await cluster.first.visitor(), await cluster.second.visitor()
    await other.say("watch", match=await create(guest))
    await other.hear_event("seated")
    renamed: list[Room] = []
    rename = resuming.rename

    async def note(room: Room) -> None:
        renamed.append(room)
        await rename(room)

    monkeypatch.setattr(rooms, "rename", note)
    await guest.ask("register", name="Annabel", password=PASSWORD)
    assert (await other.hear_until("renamed"))["player"]["name"] == "Annabel"
    await cluster.network.settle(0.1)
    assert len(renamed) == len(set(map(id, renamed))) == 2


async def test_a_session_that_starts_during_a_sign_out_elsewhere_ends_too(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ann,) = await register_all(cluster.first, "Annabel")
    accounts = cluster.nodes["second"].started.stores.accounts
    find_by_token = accounts.find_by_token
    is_found, may_go_on = asyncio.Event(), asyncio.Event()

    async def find_slowly(credential: Credential, now_ms: int) -> Any:
        found = await find_by_token(credential, now_ms)
        is_found.set()
        await may_go_on.wait()
        return found

    monkeypatch.setattr(accounts, "find_by_token", find_slowly)
    late = await cluster.second.socket()
    await late.say("hello", version=VERSION, token=ann.token)
    await is_found.wait()
    await ann.ask("sign_out")
    await cluster.network.settle()
    may_go_on.set()
    assert (await closed(late))[2] == Code.SIGNED_OUT
