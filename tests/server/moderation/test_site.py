"""What admins decide about the whole site takes effect on every node, without a restart."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path

import pytest

from millrace.protocol import VERSION, IdentityId, ModerationAction
from millrace.protocol.refusal import Refusal
from millrace.server.app import tables
from millrace.server.app.account_data import NOT_INCLUDED, PERSONAL, account_document
from millrace.server.app.stores import Stores
from millrace.server.archive.downloads import WRITERS
from millrace.server.callers.site_rules import SiteAction, SiteRules, subject_of
from millrace.server.learning.studies.study_store import StoredStudy
from millrace.server.moderation import enforcement
from millrace.server.moderation.overview_store import ROWS_AT_ONCE, Overview
from millrace.server.storage.tables import metadata
from tests.client.terminal.typist import seated
from tests.server.databases import run_statement
from tests.server.in_process_server import Serve, Served, Visitor
from tests.server.moderation.console import console_of
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import ask, closed, register_all
from tests.server.ratings.rated_play import ME, OPEN
from tests.server.web.get_requests import fetch


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enforcement, "POLL_SECONDS", 0.01)


async def an_admin(served: Served, folder: Path) -> Visitor:
    (meg,) = await register_all(served, "Margaret")
    async with console_of(folder) as console:
        await console.do(ModerationAction.MAKE_ADMIN, "Margaret")
    await meg.hear_until("your_restrictions", role="admin")
    return meg


async def moderate(admin: Visitor, action: str, reason: str = "because", **fields: object) -> None:
    answer = await ask(admin, "moderate", action=action, reason=reason, **fields)
    assert answer["type"] == "done", answer


async def test_an_announcement_reaches_everyone_on_every_node_and_those_who_come_later(
    cluster: Cluster, tmp_path: Path
) -> None:
    meg, early = await an_admin(cluster.first, tmp_path), await cluster.second.visitor()
    await moderate(meg, "announce", "Maintenance at noon.", duration_ms=3_600_000)
    heard = await early.hear_until("announcement")
    assert heard["text"] == "Maintenance at noon."
    assert heard["until_ms"] is not None
    assert await (await cluster.second.visitor()).hear_until("announcement") == heard
    async with seated(cluster.second) as in_terminal:
        await in_terminal.hear(r"^\* Maintenance at noon[.]$")
    await moderate(meg, "end_announcement")
    assert (await early.hear_until("announcement"))["text"] == ""
    assert (await ask(meg, "moderate", action="end_announcement", reason="because"))["code"] == "nothing_to_do"


async def test_a_feature_that_is_switched_off_is_refused_with_the_reason(cluster: Cluster, tmp_path: Path) -> None:
    meg, guest = await an_admin(cluster.first, tmp_path), await cluster.second.visitor()
    (ann,) = await register_all(cluster.second, "Annabel")
    create = {"game": "morris", "seats": [ME, OPEN]}
    await moderate(meg, "switch_off", "Too many of them.", subject="guests")
    while (refused := await ask(guest, "create", **create))["type"] != "refused":
        pass  # The other node reads the log at once, but not before the answer.
    assert refused["code"] == "switched_off"
    assert refused["message"] == "This is switched off at the moment: Too many of them."
    assert (await ask(ann, "create", **create))["type"] == "accepted"
    assert (await ask(meg, "get_site_controls"))["controls"] == [
        {"action": "switch_off", "subject": "guests", "reason": "Too many of them.", "until_ms": None}
    ]
    await moderate(meg, "switch_on", subject="guests")
    while (await ask(guest, "create", **create))["type"] == "refused":
        pass
    assert (await ask(meg, "moderate", action="switch_off", reason="?", subject="dice"))["code"] == "malformed"


async def test_a_blocked_address_is_disconnected_and_gets_nothing(serve: Serve, tmp_path: Path) -> None:
    served = await serve(is_behind_proxy=True)
    there = {"additional_headers": {"X-Forwarded-For": "203.0.113.9"}}
    meg, guest = await an_admin(served, tmp_path), await (await served.socket(**there)).greet()
    silent = await served.socket(**there)
    await moderate(meg, "block_address", subject="203.0.113.0/24")
    assert (await closed(guest))[-1] == "address_blocked"
    assert (await silent.closed())[1].startswith("This address is blocked")
    status, _, body = await fetch(served, "/", **{"X-Forwarded-For": "203.0.113.200"})
    assert status == HTTPStatus.FORBIDDEN
    assert "This address is blocked" in body
    assert (await fetch(served, "/", **{"X-Forwarded-For": "203.0.114.1"}))[0] == HTTPStatus.OK
    await moderate(meg, "unblock_address", subject="203.0.113.0/24")
    await (await served.socket(**there)).greet()
    refused = await ask(meg, "moderate", action="block_address", reason="?", subject="::ffff:127.0.0.1")
    assert refused["code"] == "not_allowed"


async def test_who_connected_before_the_blocked_addresses_were_known_is_refused_at_hello(cluster: Cluster) -> None:
    rules, early = cluster.nodes["first"].started.application.site_rules, await cluster.first.socket()
    rules.at_block = lambda: None
    for here in ("127.0.0.1", "::/64"):
        rules.apply(SiteAction(ModerationAction.BLOCK_ADDRESS, here, "because", None))
    await early.say("hello", version=VERSION)
    assert (await closed(early))[-1] == "address_blocked"
    assert [frame["type"] for frame in early.read] == ["refused"]


async def test_moderators_may_not_decide_about_the_site(served: Served, tmp_path: Path) -> None:
    (ann,) = await register_all(served, "Annabel")
    async with console_of(tmp_path) as console:
        await console.do(ModerationAction.MAKE_MODERATOR, "Annabel")
    await ann.hear_until("your_restrictions")
    for action in ("announce", "switch_off", "block_address"):
        assert (await ask(ann, "moderate", action=action, reason="?", subject="chat"))["code"] == "not_allowed"
    assert (await ask(ann, "get_site_controls"))["code"] == "not_allowed"


async def test_actions_of_a_newer_release_are_left_to_its_nodes(served: Served, tmp_path: Path) -> None:
    meg = await an_admin(served, tmp_path)
    insertion = (
        'INSERT INTO moderation_log (number, at_ms, "by", by_name, command_id, action, reason, detail) '
        "VALUES (2, 1, '', 'console', 'c', 'levitate', 'because', '')"
    )
    await asyncio.to_thread(run_statement, f"sqlite:///{tmp_path / 'test.sqlite3'}", insertion)
    guest = await served.visitor()
    await moderate(meg, "announce", "Still here.")
    assert (await guest.hear_until("announcement"))["text"] == "Still here."
    shown = (await ask(meg, "get_moderation_log"))["entries"]
    assert [entry["number"] for entry in shown] == [3, 1]


@pytest.mark.parametrize(
    "text",
    [
        *("somewhere", "0.0.0.0/0", "0.0.0.0", "127.0.0.1", "169.254.1.1", "127.0.0.0/7"),
        *("::/0", "::", "::1", "::2", "fe80::1", "::ffff:0:0/95", "::ffff:127.0.0.1", "::ffff:0.0.0.0/96"),
    ],
)
def test_too_large_networks_and_the_servers_own_cannot_be_blocked(text: str) -> None:
    with pytest.raises(Refusal):
        subject_of(ModerationAction.BLOCK_ADDRESS, text)


def test_a_mapped_address_is_blocked_as_the_one_it_stands_for() -> None:
    assert subject_of(ModerationAction.BLOCK_ADDRESS, "::ffff:192.0.2.7") == "192.0.2.7/32"
    assert subject_of(ModerationAction.BLOCK_ADDRESS, "::ffff:192.0.2.7/120") == "192.0.2.0/24"
    assert subject_of(ModerationAction.UNBLOCK_ADDRESS, "::") == "::/64"


def test_what_has_a_term_ends_by_itself() -> None:
    now = [1_000]
    rules = SiteRules(lambda: now[0])
    rules.apply(SiteAction(ModerationAction.BLOCK_ADDRESS, "2001:db8::/32", "because", 2_000))
    assert rules.is_blocked("2001:db8:1:2::/64")
    assert not rules.is_blocked("192.0.2.7")
    assert not rules.is_blocked("")
    now[0] = 2_000
    assert not rules.is_blocked("2001:db8:1:2::/64")
    assert rules.active == ()


async def test_owners_download_everything_about_themselves_and_nothing_about_others(served: Served) -> None:
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    match = (await ask(ann, "create", game="morris", seats=[ME, ME]))["match"]
    await ask(ann, "follow", player=ben.player["id"])
    assert (await fetch(served, "/account/data.json"))[0] == HTTPStatus.FORBIDDEN
    status, _, body = await fetch(served, "/account/data.json", Authorization=f"Bearer {ann.token}")
    assert status == HTTPStatus.OK
    document = json.loads(body)
    assert [account["name"] for account in document["accounts"]] == ["Annabel"]
    assert [each["id"] for each in document["matches"]] == [match]
    assert [each["whom"] for each in document["follows"]] == [ben.player["id"]]
    assert "password_hash" not in body


async def test_downloads_of_accounts_take_turns(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise many of them keep everybody else from the database."""
    reading, numbers = set[object](), list[int]()

    async def rows_about(*_: object) -> AsyncIterator[Sequence[Mapping[str, object]]]:
        for row in range(2):
            reading.add(this := object())
            numbers.append(len(reading))
            await asyncio.sleep(0.01)
            reading.remove(this)
            yield [{"row": row}]

    monkeypatch.setattr(Overview, "rows_about", rows_about)
    accounts = await register_all(served, "Annabel", "Benjamin")
    tokens = [f"Bearer {each.token}" for each in (*accounts, *accounts)]
    answers = await asyncio.gather(*(fetch(served, "/account/data.json", Authorization=token) for token in tokens))
    assert [json.loads(body)["accounts"] for _, _, body in answers] == [[{"row": 0}, {"row": 1}]] * len(tokens)
    assert max(numbers) == WRITERS


async def test_many_rows_about_a_player_are_read_once_each(stores: Stores) -> None:
    ann, chapters = IdentityId("ann"), 2 * ROWS_AT_ONCE + 1
    for number in range(chapters):
        assert await stores.studies.add(StoredStudy(f"s{number}", ann, "", "morris", "", None, "", number))
    document = json.loads(b"".join([part async for part in account_document(stores, ann)]))
    assert sorted(each["updated_ms"] for each in document["studies"]) == [*range(chapters)]
    assert document["matches"] == []


async def test_a_deleted_account_is_signed_out_and_its_matches_are_resigned(cluster: Cluster, tmp_path: Path) -> None:
    meg = await an_admin(cluster.first, tmp_path)
    ann, ben = await register_all(cluster.second, "Annabel", "Benjamin")
    match = (await ask(ann, "create", game="morris", seats=[ME, OPEN]))["match"]
    await ask(ben, "join", match=match)
    await ben.say("watch", match=match)
    await ben.hear_event("started")
    await moderate(meg, "delete_account", player=ann.player["id"])
    assert (await closed(ann))[-1] == "signed_out"
    ended = await ben.hear_event("ended")
    assert ended["event"]["seat"] == 0
    assert (await ask(meg, "get_moderation_record", name="Annabel"))["code"] == "unknown_player"


async def test_admins_download_the_data_of_others_and_the_log_says_so(served: Served, tmp_path: Path) -> None:
    meg, (ann,) = await an_admin(served, tmp_path), await register_all(served, "Annabel")
    path = "/account/data.json?player=Annabel"
    assert (await fetch(served, path, Authorization=f"Bearer {ann.token}"))[0] == HTTPStatus.FORBIDDEN
    status, _, body = await fetch(served, path, Authorization=f"Bearer {meg.token}")
    assert (status, json.loads(body)["accounts"][0]["name"]) == (HTTPStatus.OK, "Annabel")
    latest = (await ask(meg, "get_moderation_log"))["entries"][0]
    assert (latest["action"], latest["player"]["name"], latest["by"]) == ("export_account", "Annabel", "Margaret")
    missing = await fetch(served, "/account/data.json?player=Nobody", Authorization=f"Bearer {meg.token}")
    assert missing[0] == HTTPStatus.NOT_FOUND


def test_every_table_about_players_is_in_the_data_or_left_out_for_a_reason() -> None:
    assert tables
    about_players = {
        table.name
        for table in metadata.tables.values()
        if {"identity", "by", "whom", "reporter", "player"} & {column.name for column in table.c}
    }
    assert about_players | {"accounts"} == PERSONAL.keys() | NOT_INCLUDED.keys()
    for name, personal in PERSONAL.items():
        columns = {column.name for column in metadata.tables[name].c}
        assert {personal.identity, *personal.left_out} <= columns, name
