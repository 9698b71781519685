"""Accounts by the client library, against a real server and against one that hangs up."""

import asyncio

import pytest

from millrace.client import ME, OPEN, Connection, ConnectionLostError, DismissedError, RefusedError, connect, sign_in
from millrace.protocol import Code, Renamed
from tests.client.connecting import PASSWORD, connected, first_where, new_name, refusal_of
from tests.client.fake_server import FakeServer
from tests.serving import PATIENCE_S, Site


async def ping_for_ever(connection: Connection) -> None:
    while True:
        await connection.ping()


async def test_a_guest_becomes_an_account_and_keeps_the_seats_and_the_connection(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as me, connect(server.address) as watcher:
        match, name = (await me.create("morris", [ME, OPEN])).match, new_name()
        guest = me.player
        feed = watcher.watch(match)
        await feed.ready()
        token = await me.account.register(name, PASSWORD)
        assert (me.player.id, me.player.name, me.player.registered) == (guest.id, name, True)
        assert me.token == token
        await first_where(feed.updates(), lambda update: isinstance(update, Renamed))
        assert feed.view.players[0] == me.player
        async with connect(server.address, token=token) as again:
            assert again.player == me.player
            mine = again.watch(match)
            await mine.ready()
            assert mine.my_seats == (0,)


async def test_a_bot_plays_with_a_token_until_it_is_revoked(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S):
        name = new_name()
        async with connect(server.address) as me:
            await me.account.register(name, PASSWORD)
        async with connect(server.address, token=await sign_in(server.address, name, PASSWORD)) as me:
            made = await me.account.create_token("my bot", ["play", "challenge"])
            async with connect(server.address, token=made.token) as bot:
                assert bot.player == me.player
                await bot.create("morris", [ME, ME])
                assert await refusal_of(bot.account.tokens()) is Code.SCOPE_NEEDED
                (shown,) = await me.account.tokens()
                assert (shown.id, shown.label) == (made.info.id, "my bot")
                await me.account.revoke_token(shown.id)
                with pytest.raises(DismissedError) as loss:
                    await ping_for_ever(bot)
                assert (loss.value.code, loss.value.reason) == (Code.SIGNED_OUT, "This token was revoked.")


async def test_a_wrong_password_is_refused(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S):
        assert await refusal_of(sign_in(server.address, new_name(), PASSWORD)) is Code.WRONG_PASSWORD


async def test_a_session_ends_with_the_password_or_the_account(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S):
        name = new_name()
        async with connect(server.address) as me:
            await me.account.register(name, PASSWORD)
            other = await sign_in(server.address, name, PASSWORD)
            await me.account.change_password(PASSWORD, "an even longer password")
            with pytest.raises(RefusedError) as refusal:
                async with connect(server.address, token=other):
                    pass
            assert refusal.value.code is Code.BAD_TOKEN
            await me.account.delete("an even longer password")
            with pytest.raises(DismissedError):
                await ping_for_ever(me)


async def test_account_requests_are_not_repeated() -> None:
    async with asyncio.timeout(PATIENCE_S), FakeServer() as server, connected(server) as connection:
        asking = asyncio.ensure_future(connection.account.sign_in("Beatrix", PASSWORD))
        while not any(type(message).__name__ == "SignIn" for message in server.heard):
            await connection.ping()
        server.drop()
        with pytest.raises(ConnectionLostError, match="before the server answered"):
            await asking
        await connection.ping()
        assert [type(message).__name__ for message in server.heard].count("SignIn") == 1
