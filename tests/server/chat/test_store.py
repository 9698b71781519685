"""The contract of stored chat, on every supported database."""

import pytest

from millrace.protocol import ChatLine, CommandId, IdentityId, MatchId, Player
from millrace.server.app.stores import Stores
from millrace.server.chat.chat_store import ChatStore

ANN, BEN = Player(IdentityId("ann"), "Ann", registered=True), Player(IdentityId("ben"), "Ben")
GEAR = Player(IdentityId("gear"), "Gear", registered=True, bot=True)
MATCH = MatchId("match")


@pytest.fixture
def store(stores: Stores) -> ChatStore:
    return stores.chat


def line(number: int, text: str = "hello", player: Player = ANN) -> ChatLine:
    return ChatLine(number, "players", player, text, 1_000 * number)


async def test_lines_round_trip_in_order(store: ChatStore) -> None:
    lines = [line(1), line(2, "Schäfchen 🐑", BEN), line(3, "<b>'; DROP TABLE", ANN), line(4, player=GEAR)]
    for number, each in enumerate(lines):
        assert await store.add_line(MATCH, each, CommandId(f"c{number}"))
    assert await store.lines(MATCH, 10) == tuple(lines)
    assert await store.lines(MATCH, 3) == tuple(lines[1:])
    assert await store.lines(MatchId("other"), 10) == ()


async def test_a_number_is_used_once_and_a_command_has_one_effect(store: ChatStore) -> None:
    assert await store.add_line(MATCH, line(1), CommandId("c1"))
    assert not await store.add_line(MATCH, line(1, player=BEN), CommandId("c2"))
    assert not await store.add_line(MATCH, line(2), CommandId("c1"))
    assert await store.was_said(ANN.id, CommandId("c1"))
    assert not await store.was_said(BEN.id, CommandId("c2"))


async def test_a_mute_lasts_until_it_is_removed(store: ChatStore) -> None:
    for now_ms, whom in ((1, "ben"), (2, "cat"), (3, "ben")):
        await store.mute(ANN.id, IdentityId(whom), now_ms)
    assert await store.muted_by(ANN.id) == ("ben", "cat")
    await store.unmute(ANN.id, IdentityId("ben"))
    assert await store.muted_by(ANN.id) == ("cat",)
    assert await store.muted_by(BEN.id) == ()


async def test_a_deleted_player_becomes_nameless(store: ChatStore, stores: Stores) -> None:
    nobody = Player(IdentityId("nobody"), "Somebody")
    for number, player in enumerate((ANN, BEN), 1):
        assert await store.add_line(MATCH, line(number, player=player), CommandId("same"))
    await store.mute(ANN.id, BEN.id, 1)
    await store.mute(BEN.id, ANN.id, 1)
    for player in (ANN, BEN):
        await stores.accounts.delete(player.id, nobody, IdentityId(f"scrubbed-{player.id}"), 5)
    assert [each.player for each in await store.lines(MATCH, 10)] == [nobody, nobody]
    assert [await store.muted_by(player.id) for player in (ANN, BEN)] == [(), ()]
