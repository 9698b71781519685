"""Accounts and other players in the line mode against a real server."""

import asyncio
from pathlib import Path

from millrace.client import connect, sign_in
from millrace.client.terminal.plain import LineMode
from millrace.client.terminal.player_memory import PlayerMemory
from millrace.client.terminal.stored_sessions import StoredSessions
from tests.client.connecting import PASSWORD, new_name
from tests.client.terminal.typist import Typist, first_match, seated
from tests.serving import PATIENCE_S, ServerProcess


async def test_players_are_followed_blocked_and_reported(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        assert ben.name in await ann.type("who", ben.name)
        await ann.type("players P", "at least 2 letters")
        listed = await ann.type(f"players {ben.name}", ben.name)
        number = next(line.split()[0] for line in listed.splitlines() if f"{ben.name}," in line)
        await ann.type(f"profile {number}", f"{ben.name}, online")
        await ann.type(f"players {ben.name}", ben.name)
        await ann.type(f"pick {number}", f"{ben.name}, online")
        await ann.type(f"players {ben.name}", ben.name)
        await ann.type(number, f"{ben.name}, online")
        await ann.type("99", "no number 99")
        await ann.type(f"follow {ben.name}", "You follow")
        assert "whom you follow" in await ann.type(f"profile {ben.name}", "Followers: 1")
        await ann.type(f"unfollow {ben.name}", "no longer follow")
        await ann.type(f"profile {ben.name}", "Followers: 0")
        await ann.type(f"block {ben.name}", "have blocked")
        await ann.type(f"unblock {ben.name}", "have unblocked")
        await ann.type(f"report {ben.name} rudeness", "The reason must be")
        await ann.type(f"report {ben.name} name It is rude.", "sent to the moderators")
        await ann.type("reportstudy http://localhost/study/nothing rudeness", "The reason must be")
        await ann.type("reportstudy http://localhost/study/nothing insult", "There is no such study")
        await ann.type("leaders battlesheep rapid 3", "The best at Battle Sheep for 3, rapid")
        await ann.type("leaders morris soon", "neither a speed")


async def test_an_account_is_managed(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        await ann.type("bio none", "text was removed")
        await ann.type("bio", "has no text")
        await ann.type("country fr", "shows FR")
        await ann.type("bio I play in trains.", "text was saved")
        shown = await ben.type(f"profile {ann.name}", "I play in trains.")
        assert ", FR" in shown
        await ann.type("country none", "shows no country")
        await ann.type("vacation", r"You are not on vacation\. Days left: 30\.")
        await ann.type("vacation 7", r"You are on vacation until 20\d\d-\d\d-\d\d\. Days left: 23\.")
        await ann.type("vacation 31", "Type vacation with 1 to 30 days, or with end")
        await ann.type("vacation end", "You are not on vacation")
        await ann.type("country atlantis", r"\w")
        await ann.type("bio", "I play in trains.")
        await ann.type("visible maybe", "Type visible on")
        await ann.type("visible off", "do not see")
        await ann.type("visible on", "Others see")
        await ann.type("token engine fly", "read, play, challenge, chat")
        await ann.type("token engine read play", "not shown again")
        await ann.type("tokens", "engine: read, play; since .*, never used")
        await ann.type("revoke motor", "You have no token motor")
        await ann.type("revoke engine", "engine was revoked")
        await ann.type("tokens", "You have no API tokens")


async def test_a_password_is_changed_by_answering_questions(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann:
        for old, new in ((PASSWORD, "another long password"), ("another long password", PASSWORD)):
            await ann.type("password tokens", "current password")
            await ann.type(old, "Your new password")
            await ann.type(new, "Repeat the new password")
            await ann.type(new, "your API tokens were revoked")
        await ann.type("password all", "password tokens")
        await ann.type("password", "current password")
        await ann.type("wrong wrong", "Your new password")
        await ann.type("another long password", "Repeat the new password")
        await ann.type("not the same", "passwords differ")


async def test_a_guest_registers_an_account_and_logs_out(server: ServerProcess, tmp_path: Path) -> None:
    store, name = StoredSessions(tmp_path / "sessions.json"), new_name()
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as me:
        ann = Typist(me)
        memory = PlayerMemory("site", store)
        memory.keep(me)
        running = asyncio.create_task(LineMode(me, ann, memory=memory).run())
        await ann.type("here morris", "White is to move")
        await ann.type(f"register {name}", "Choose a password")
        await ann.type(PASSWORD, "Repeat the password")
        await ann.type("another", "No account was registered")
        await ann.type(f"register {name}", "Choose a password")
        await ann.type(PASSWORD, "Repeat the password")
        await ann.type(PASSWORD, "not shown again")
        await ann.type("mine", "Nine Men's Morris, untimed, ply 0")
        assert store.find("site", name) is not None
        await ann.type("logout", "signed out on this device")
        await running
        assert store.find("site") is None


async def test_an_account_gets_recovery_codes_and_is_deleted(server: ServerProcess) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as me:
        await me.account.register(new_name(), PASSWORD)
        ann = Typist(me)
        running = asyncio.create_task(LineMode(me, ann).run())
        await ann.type("email", "This server sends no e-mail")
        await ann.type("recovery", "Your password")
        assert len((await ann.type(PASSWORD, "not shown again")).splitlines()) > 5
        await ann.type("delete", "for good")
        await ann.type("", "Nothing was changed")
        await ann.type("delete", "for good")
        await ann.type("wrong password", "[Pp]assword")
        await ann.type("delete", "for good")
        await ann.type(PASSWORD, "^Your account was deleted")
        await running


async def test_a_lost_password_is_replaced_by_a_recovery_code(server: ServerProcess) -> None:
    name = new_name()
    async with connect(server.address) as me:
        await me.account.register(name, "forgotten password")
        first, second, *_ = me.account.recovery_codes
    async with seated(server) as ann:
        await ann.type(f"recover {name}", f"does not send e-mail. Use a recovery code: recover {name} CODE")
        await ann.type(f"recover {name} {first}", "Your new password")
        await ann.type("", "Nothing was changed")
        await ann.type(f"recover {name} {first}", "Your new password")
        await ann.type(PASSWORD, "Repeat the new password")
        await ann.type("another", "passwords differ")
        await ann.type(f"recover {name} 1234", "Your new password")
        await ann.type(PASSWORD, "Repeat the new password")
        await ann.type(PASSWORD, "code")
        await ann.type(f"recover {name} {second}", "Your new password")
        await ann.type(PASSWORD, "Repeat the new password")
        await ann.type(PASSWORD, f"{name} has a new password. To play as {name}: .* --name {name}")
    assert await sign_in(server.address, name, PASSWORD)


async def test_an_email_address_is_set_and_confirmed(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann:
        await ann.type("email ann@example.org", "sends no e-mail")
        await ann.type("confirm 123", "[Cc]ode")


async def test_a_challenge_is_announced_and_answered(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        await ben.type(f"challenge {ann.name} morris rated 5+3", "Waiting for players")
        await ann.hear(rf"^\* {ben.name} challenges you to Nine Men's Morris")
        await ann.type("notifications", rf"\* {ben.name} challenges")
        listed = await ann.type("seeks", "a challenge to you")
        await ann.type(f"decline {first_match(listed)}", "Declined")
        await ben.hear("the challenge was declined")


async def test_an_earlier_challenge_is_announced(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann:
        async with seated(server, tokens[1]) as ben:
            pass
        await ann.type(f"challenge {ben.name} battlesheep", "Waiting for players")
        async with seated(server, tokens[1]) as ben:
            await ben.hear(f"{ann.name} challenges you to Battle Sheep")
        await ann.type("abort", "you called the match off")
