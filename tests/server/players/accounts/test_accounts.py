"""An account's whole life over real sockets, and attacks by strangers."""

import asyncio
import json
from pathlib import Path

import pytest

from millrace.protocol import VERSION, Code
from millrace.server.players.accounts import session_checks
from millrace.server.players.accounts.cookies import SESSION_MS
from millrace.server.players.accounts.password_login import FAILED_SIGN_INS, WRONG_PASSWORDS_AT_KNOWN_ADDRESS
from millrace.server.players.accounts.tokens import API_TOKENS
from tests.server.in_process_server import Serve, Served, SteppedClock
from tests.server.players.accounts.registered_players import (
    NEW_PASSWORD,
    PASSWORD,
    closed,
    refusal_of_hello,
    register,
    ticket_of,
)
from tests.server.web.two_players import ME, create, seated
from tests.serving import PATIENCE_S


@pytest.fixture
def served_url(url: str) -> str:
    """The tests of this module run on every kind of database."""
    return url


async def test_an_account_lives_from_a_guests_first_match_to_its_deletion(  # noqa: PLR0915  # one life
    served: Served,
) -> None:
    async with asyncio.timeout(PATIENCE_S):
        # A guest plays, and makes an account.
        guest, watcher = await served.visitor(), await served.visitor()
        over, going = await create(guest, ME, ME), await create(guest, ME, ME)
        assert (await guest.ask("resign", match=over, seat=0))["type"] == "accepted"
        await watcher.say("watch", match=going)
        await watcher.hear_until("audience_update")
        other_tab = await served.visitor(guest.token)
        answer = await guest.ask("register", name="Beatrix", password=PASSWORD)
        beatrix = answer["player"]
        assert beatrix == {"id": guest.player["id"], "name": "Beatrix", "level": None, "registered": True, "bot": False}

        # The matches now belong to the account, watched ones at once, and the guest is gone.
        assert (await watcher.hear_until("renamed", match=going))["player"] == beatrix
        for match in (over, going):
            assert await seated(watcher, match) == [beatrix, beatrix]
        assert (await closed(other_tab))[2] == Code.GUEST_REGISTERED
        stranger = await served.socket()
        await stranger.say("hello", version=VERSION, token=guest.token)
        assert (await stranger.hear())["code"] == Code.GUEST_REGISTERED

        # She plays on, on the same connection and with the session's token.
        assert (await guest.ask("play", match=going, seat=0, move="d6"))["type"] == "accepted"
        second = await served.visitor(answer["token"])
        assert second.player == beatrix
        assert (await second.ask("play", match=going, seat=1, move="f4"))["type"] == "accepted"

        # Signing out closes every socket of the session, with the reason.
        assert (await second.ask("sign_out"))["type"] == "done"
        for visitor in (guest, second):
            assert await closed(visitor) == (1008, "You have signed out.", Code.SIGNED_OUT)
        assert await refusal_of_hello(served, answer["token"]) == Code.BAD_TOKEN

        # She signs in twice; a change of password ends the other session and leaves tokens be.
        desk = await served.visitor()
        tokens = [(await desk.ask("sign_in", name="beatrix", password=PASSWORD))["token"] for _ in range(2)]
        here, there = [await served.visitor(token) for token in tokens]
        made = await here.ask("create_token", label="my bot", scopes=["play", "read"])
        bot = await served.visitor(made["token"])
        assert (await here.ask("change_password", password="wrong one", new_password=NEW_PASSWORD))["code"] == (
            Code.WRONG_PASSWORD
        )
        assert (await here.ask("change_password", password=PASSWORD, new_password=NEW_PASSWORD))["type"] == "done"
        assert (await closed(there))[2] == Code.SIGNED_OUT
        assert await refusal_of_hello(served, tokens[1]) == Code.BAD_TOKEN
        assert (await desk.ask("sign_in", name="Beatrix", password=PASSWORD))["code"] == Code.WRONG_PASSWORD
        assert (await desk.ask("sign_in", name="Beatrix", password=NEW_PASSWORD))["type"] == "signed_in"

        # The token plays, and does nothing else.
        assert bot.player == beatrix
        assert (await bot.ask("play", match=going, seat=0, move="a1"))["type"] == "accepted"
        refused = await bot.ask("create", game="morris", seats=[ME, ME])
        assert refused["code"] == Code.SCOPE_NEEDED
        assert (await bot.ask("delete_account", password=NEW_PASSWORD))["code"] == Code.SCOPE_NEEDED
        assert (await bot.ask("create_token", label="more", scopes=["chat"]))["code"] == Code.SCOPE_NEEDED
        (listed,) = (await here.ask("list_tokens"))["tokens"]
        assert listed["used_ms"] >= listed["created_ms"]
        assert (listed["id"], listed["label"], listed["scopes"]) == (made["info"]["id"], "my bot", ["read", "play"])
        assert made["token"] not in json.dumps(listed)

        # Revoked, it is cut off.
        assert (await here.ask("revoke_token", token_id=listed["id"]))["type"] == "done"
        assert (await closed(bot))[1:] == ("This token was revoked.", Code.SIGNED_OUT)
        assert await refusal_of_hello(served, made["token"]) == Code.BAD_TOKEN
        assert (await here.ask("revoke_token", token_id=listed["id"]))["code"] == Code.UNKNOWN_TOKEN

        # Deleted, nobody is left: matches that went on are given up, and all of them say so.
        waiting = await create(here)
        await watcher.say("watch", match=going)
        assert (await here.ask("delete_account", password=PASSWORD))["code"] == Code.WRONG_PASSWORD
        assert (await here.ask("delete_account", password=NEW_PASSWORD))["type"] == "done"
        assert (await closed(here))[1] == "Your account was deleted."
        assert (await watcher.hear_event("ended"))["event"]["reason"] == "resignation"
        nobody = (await watcher.hear_until("renamed", match=going))["player"]
        assert (nobody["name"], nobody["registered"]) == ("Deleted player", False)
        for match in (over, going):
            assert await seated(watcher, match) == [nobody, nobody]
        assert await seated(watcher, waiting) == [nobody]
        assert nobody["id"] != beatrix["id"]
        assert (await desk.ask("sign_in", name="Beatrix", password=NEW_PASSWORD))["code"] == Code.WRONG_PASSWORD
        assert (await desk.ask("register", name="Beatrix", password=PASSWORD))["code"] == Code.NAME_TAKEN


async def test_a_recovery_code_replaces_a_forgotten_password(served: Served) -> None:
    async with asyncio.timeout(PATIENCE_S):
        owner = await served.visitor()
        registered = await owner.ask("register", name="Beatrix", password=PASSWORD)
        codes = registered["recovery_codes"]
        assert len(set(codes)) == 8
        made = await owner.ask("create_token", label="bot", scopes=["read"])
        guest = await served.visitor()

        wrong = await guest.ask("recover", name="Beatrix", code="2222-3333-4444-5555", new_password=NEW_PASSWORD)
        assert (wrong["code"], wrong["message"]) == (Code.WRONG_PASSWORD, "The name or the recovery code is wrong.")
        await register(served, "Clara")
        for other in ("Nobody", "Clara"):
            wrong = await guest.ask("recover", name=other, code=codes[0], new_password=NEW_PASSWORD)
            assert wrong["code"] == Code.WRONG_PASSWORD
        bad = await guest.ask("recover", name="Beatrix", code=codes[0], new_password="short")
        assert bad["code"] == Code.BAD_PASSWORD
        assert (await guest.ask("renew_recovery_codes", password=PASSWORD))["type"] == "refused"

        # As people copy it: in capitals, without hyphens.
        code = codes[0].upper().replace("-", " ")
        recovered = await guest.ask("recover", name="beatrix", code=code, new_password=NEW_PASSWORD)
        assert (recovered["type"], recovered["player"]["name"]) == ("signed_in", "Beatrix")
        assert (await closed(owner))[2] == Code.SIGNED_OUT
        assert (await served.visitor(made["token"])).player == recovered["player"]
        owner = await served.visitor(recovered["token"])
        assert (await guest.ask("sign_in", name="Beatrix", password=PASSWORD))["code"] == Code.WRONG_PASSWORD
        assert (await guest.ask("recover", name="Beatrix", code=code, new_password=PASSWORD))["code"] == (
            Code.WRONG_PASSWORD
        )

        # New codes replace the old ones.
        assert (await owner.ask("renew_recovery_codes", password=PASSWORD))["code"] == Code.WRONG_PASSWORD
        renewed = await owner.ask("renew_recovery_codes", password=NEW_PASSWORD)
        assert len({*renewed["codes"], *codes}) == 16
        for code, answer in ((codes[1], "refused"), (renewed["codes"][0], "signed_in")):
            assert (await guest.ask("recover", name="Beatrix", code=code, new_password=PASSWORD))["type"] == answer


@pytest.mark.parametrize(
    ("command", "fields", "answered"),
    [
        ("recover", {"name": "Beatrix", "new_password": NEW_PASSWORD}, "signed_in"),
        ("sign_out", {}, "done"),
        ("delete_account", {"password": PASSWORD}, "done"),
    ],
)
async def test_a_command_that_ends_its_own_session_is_answered_first(
    served: Served, command: str, fields: dict[str, str], answered: str
) -> None:
    async with asyncio.timeout(PATIENCE_S):
        guest = await served.visitor()
        registered = await guest.ask("register", name="Beatrix", password=PASSWORD)
        owner = await served.visitor(registered["token"])
        code = {"code": registered["recovery_codes"][0]} if command == "recover" else {}
        assert (await owner.ask(command, **fields, **code))["type"] == answered
        assert (await closed(owner))[2] == Code.SIGNED_OUT
        assert await refusal_of_hello(served, registered["token"]) == Code.BAD_TOKEN


@pytest.mark.parametrize("revoke_tokens", [True, False])
@pytest.mark.parametrize("command", ["change_password", "recover"])
async def test_api_tokens_end_with_the_password_only_if_the_player_wants(
    served: Served, command: str, revoke_tokens: bool
) -> None:
    async with asyncio.timeout(PATIENCE_S):
        owner = await served.visitor()
        (code, *_) = (await owner.ask("register", name="Beatrix", password=PASSWORD))["recovery_codes"]
        made = await owner.ask("create_token", label="bot", scopes=["read"])
        bot = await served.visitor(made["token"])
        proof = {"password": PASSWORD} if command == "change_password" else {"name": "Beatrix", "code": code}
        changed = await owner.ask(command, **proof, new_password=NEW_PASSWORD, revoke_tokens=revoke_tokens)
        assert changed["type"] in ("done", "signed_in")
        if revoke_tokens:
            assert (await closed(bot))[2] == Code.SIGNED_OUT
            assert await refusal_of_hello(served, made["token"]) == Code.BAD_TOKEN
        else:
            await bot.ping()
            assert (await served.visitor(made["token"])).player["name"] == "Beatrix"


async def test_names_and_passwords_are_refused_with_a_reason(served: Served) -> None:
    await register(served)
    guest = await served.visitor()
    for name, password, code in (
        ("x", PASSWORD, Code.BAD_NAME),
        ("Admin", PASSWORD, Code.BAD_NAME),
        ("Morris", PASSWORD, Code.BAD_NAME),
        ("BeatrIx", PASSWORD, Code.NAME_TAKEN),
        ("Clara", "short", Code.BAD_PASSWORD),
        ("Clara", "password1", Code.BAD_PASSWORD),
    ):
        refused = await guest.ask("register", name=name, password=password)
        assert (refused["code"], bool(refused["message"])) == (code, True)
    assert (await guest.ask("register", name="Clara", password=PASSWORD))["type"] == "signed_in"
    assert (await guest.ask("register", name="Clara2", password=PASSWORD))["code"] == Code.SIGNED_IN


async def test_a_guest_has_no_account_to_manage(served: Served) -> None:
    guest = await served.visitor()
    for type_, fields in (
        ("sign_out", {}),
        ("change_password", {"password": PASSWORD, "new_password": PASSWORD}),
        ("delete_account", {"password": PASSWORD}),
        ("create_token", {"label": "x", "scopes": ["play"]}),
        ("list_tokens", {}),
        ("revoke_token", {"token_id": "x"}),
        ("set_profile", {"bio": "x"}),
        ("get_preferences", {}),
        ("set_online_visibility", {"online_visible": False}),
        ("get_page_settings", {}),
        ("set_page_settings", {"settings": {}}),
        ("set_notification_kinds", {"kinds": []}),
    ):
        assert (await guest.ask(type_, **fields))["code"] == Code.ACCOUNT_NEEDED, type_


async def test_of_several_simultaneous_requests_for_a_name_one_succeeds(served: Served) -> None:
    guests = [await served.visitor() for _ in range(4)]
    names = ["Beatrix", "beatrix", "Beatr1x", "Bea-trix"]
    answers = await asyncio.gather(
        *(guest.ask("register", name=name, password=PASSWORD) for guest, name in zip(guests, names, strict=True))
    )
    assert sorted(answer["type"] for answer in answers) == ["refused", "refused", "refused", "signed_in"]
    assert {answer["code"] for answer in answers if answer["type"] == "refused"} == {Code.NAME_TAKEN}


async def test_passwords_cannot_be_guessed_by_brute_force(served: Served) -> None:
    await register(served)
    most = int(WRONG_PASSWORDS_AT_KNOWN_ADDRESS.address or 0)
    guests = [await served.visitor() for _ in range(most + 1)]
    answers = await asyncio.gather(
        *(guest.ask("sign_in", name="Beatrix", password=f"guess {n}") for n, guest in enumerate(guests))
    )
    codes = [answer["code"] for answer in answers]
    assert codes.count(Code.WRONG_PASSWORD) == most
    assert codes.count(Code.TOO_MANY_ATTEMPTS) == 1
    for n in range(int(FAILED_SIGN_INS.guest or 0)):
        assert (await guests[0].ask("sign_in", name=f"nobody{n}", password="x"))["code"] == Code.WRONG_PASSWORD
    assert (await guests[0].ask("sign_in", name="somebody", password="x"))["code"] == Code.TOO_MANY_ATTEMPTS


async def test_the_number_of_accounts_per_address_is_limited(serve: Serve) -> None:
    served = await serve(limits={"registrations.address": 1})
    await register(served)
    guest = await served.visitor()
    assert (await guest.ask("register", name="Clara", password=PASSWORD))["code"] == Code.TOO_MANY_ATTEMPTS


async def test_the_number_of_tokens_per_account_is_limited(served: Served) -> None:
    owner = await register(served)
    for n in range(int(API_TOKENS.account or 0)):
        assert (await owner.ask("create_token", label=f"bot {n}", scopes=["play"]))["type"] == "token_created"
    assert (await owner.ask("create_token", label="one more", scopes=["play"]))["code"] == Code.TOO_MANY
    assert (await owner.ask("create_token", label=" \t", scopes=["play"]))["code"] == Code.BAD_NAME


async def test_a_token_in_the_header_works_too_and_an_invalid_one_is_refused(served: Served) -> None:
    owner = await register(served)
    made = await owner.ask("create_token", label="bot", scopes=["play"])
    bot = await served.socket(additional_headers={"Authorization": f"Bearer {made['token']}"})
    await bot.say("hello", version=VERSION)
    assert (await bot.hear())["player"] == owner.player
    forged = made["token"][:-1] + ("A" if made["token"][-1] != "A" else "B")
    header = {"Authorization": f"Bearer {forged}"}
    assert await refusal_of_hello(served, "", additional_headers=header) == Code.BAD_TOKEN
    assert await refusal_of_hello(served, forged) == Code.BAD_TOKEN
    assert await refusal_of_hello(served, "ticket_" + "x" * 43) == Code.BAD_TOKEN


async def test_no_secret_is_stored_or_logged(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    owner = await register(served)
    made = await owner.ask("create_token", label="bot", scopes=["play"])
    match = await create(owner, ME, ME)
    await seated(owner, match)
    await owner.ask("sign_in", name="Beatrix", password="a wrong password")
    ticket = await ticket_of(served)
    kept = await asyncio.to_thread(lambda: b"".join(path.read_bytes() for path in tmp_path.iterdir()))
    logged = "".join(capsys.readouterr())
    for secret in (owner.token, made["token"], ticket, PASSWORD, "a wrong password"):
        assert secret.encode() not in kept
        assert secret not in logged
        told = [frame for frame in owner.read if secret in json.dumps(frame)]
        assert [frame["type"] for frame in told] in ([], ["welcome"], ["token_created"])


async def test_an_open_connection_ends_when_its_session_expires(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_checks, "EXPIRY_SECONDS", 0.05)
    clock = SteppedClock()
    served = await serve(clock)
    beatrix, guest = await register(served, "Beatrix"), await served.visitor()
    made = await beatrix.ask("create_token", label="my bot", scopes=["read"])
    bot = await served.visitor(made["token"])
    token = (await guest.ask("sign_in", name="Beatrix", password=PASSWORD))["token"]
    signed_in = await served.visitor(token)
    clock.now_ms += SESSION_MS + 1
    async with asyncio.timeout(PATIENCE_S):
        assert (await closed(signed_in))[2] == Code.SIGNED_OUT
        assert await refusal_of_hello(served, token) == Code.BAD_TOKEN
        # An API token lasts until it is revoked.
        assert (await bot.ask("get_profile", name="Beatrix"))["type"] == "profile"
