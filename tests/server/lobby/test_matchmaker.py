"""The matchmaker on a fake clock: who vanishes, what cannot be stored, and commands that come while a match is made."""

import asyncio
import random
from collections.abc import Sequence

import pytest

from millrace.server.bus.bus import LocalBus
from millrace.server.identity.presence import Presence
from millrace.server.lobby.matchmaker import VANISHED_MS, Matchmaker
from millrace.server.lobby.pools import OFFER_ALONE_AFTER_WAVES
from millrace.server.profiles.blocks import Blocks
from millrace.server.protocol import (
    Code,
    CommandId,
    FindMatch,
    IdentityId,
    MatchId,
    Message,
    Paired,
    PairingRequest,
    PlayBot,
    Player,
    SearchEnded,
    Searching,
    StopSearch,
)
from millrace.server.protocol.refusal import Refusal
from tests.server.lobby.memory_blocks import MemoryBlocks
from tests.server.lobby.test_seeks import AllAlike, Here

ANN, BEN = (Player(IdentityId(f"guest-{name}"), name) for name in ("ann", "ben"))
MORRIS = PairingRequest("morris")


class Matches:
    """Makes matches when it is let, and remembers who plays them."""

    def __init__(self) -> None:
        self.made: list[set[str]] = []
        self.is_broken = False
        self.may_make = asyncio.Event()
        self.may_make.set()

    async def open_paired(self, request: PairingRequest, players: Sequence[Player]) -> MatchId:
        await self.may_make.wait()
        if self.is_broken:
            raise Refusal(Code.UNAVAILABLE, "The server cannot store this now.")
        self.made.append({player.name for player in players})
        return MatchId(f"m{len(self.made)}")


class Table:
    """A matchmaker whose waves are held by the test."""

    def __init__(self) -> None:
        self.now_ms = 0
        self.matches, self.presence = Matches(), Presence(LocalBus())
        self.sessions = {player.id: Here(player.id) for player in (ANN, BEN)}
        for session in self.sessions.values():
            self.presence.add(session)
        self.maker = Matchmaker(
            self.matches,
            self.presence,
            Blocks(MemoryBlocks()),
            AllAlike(),
            lambda _: None,
            lambda: self.now_ms,
            random.Random(1),
        )

    async def find(self, player: Player, id_: str = "f") -> Message:
        return await self.maker.handle(FindMatch(CommandId(id_), MORRIS), player)

    def leave(self, player: Player) -> None:
        self.presence.remove(self.sessions[player.id])

    def come_back(self, player: Player) -> None:
        self.presence.add(self.sessions[player.id])


async def test_whoever_is_away_for_a_moment_keeps_the_place_but_is_not_paired() -> None:
    table = Table()
    await table.find(ANN)
    await table.find(BEN)
    table.leave(BEN)
    await table.maker.wave()
    table.now_ms += VANISHED_MS - 1
    await table.maker.wave()
    assert table.matches.made == []
    table.come_back(BEN)
    await table.maker.wave()
    assert table.matches.made == [{"ann", "ben"}]


async def test_whoever_has_vanished_waits_no_longer() -> None:
    table = Table()
    await table.find(ANN)
    table.leave(ANN)
    await table.maker.wave()
    table.now_ms += VANISHED_MS
    await table.maker.wave()
    table.come_back(ANN)
    assert table.maker.greet(ANN.id) == ()
    await table.find(BEN)
    await table.maker.wave()
    assert table.matches.made == []


async def test_those_whose_match_cannot_be_stored_wait_on_and_are_paired_later() -> None:
    table = Table()
    await table.find(ANN)
    await table.find(BEN)
    table.matches.is_broken = True
    await table.maker.wave()
    assert isinstance(await table.find(ANN), Searching)
    table.matches.is_broken = False
    table.now_ms += 3_600_000
    await table.maker.wave()
    assert table.matches.made == [{"ann", "ben"}]


async def test_a_command_that_comes_while_the_match_is_made_begins_no_second_search() -> None:
    table = Table()
    await table.find(ANN)
    await table.find(BEN)
    table.matches.may_make.clear()
    wave = asyncio.create_task(table.maker.wave())
    await asyncio.sleep(0)
    again = asyncio.create_task(table.find(ANN))
    stopping = asyncio.create_task(table.maker.handle(StopSearch(CommandId("s")), BEN))
    await asyncio.sleep(0)
    table.matches.may_make.set()
    await wave
    assert await again == Paired(MatchId("m1"), CommandId("f"))
    assert await stopping == SearchEnded(CommandId("s"))
    await table.maker.wave()
    assert table.matches.made == [{"ann", "ben"}]


async def test_a_new_search_after_a_match_is_a_new_search() -> None:
    table = Table()
    await table.find(ANN, "first")
    await table.find(BEN, "first")
    await table.maker.wave()
    assert isinstance(await table.find(ANN, "second"), Searching)


async def test_a_bot_that_could_not_be_seated_leaves_the_search_as_it_was() -> None:
    table = Table()
    await table.find(ANN)
    for _ in range(OFFER_ALONE_AFTER_WAVES):
        await table.maker.wave()
    table.matches.is_broken = True
    play = PlayBot(CommandId("b"))
    with pytest.raises(Refusal):
        await table.maker.handle(play, ANN)
    assert isinstance(await table.find(ANN), Searching)
    table.matches.is_broken = False
    assert await table.maker.handle(play, ANN) == Paired(MatchId("m1"), CommandId("b"))
    assert await table.maker.handle(play, ANN) == Paired(MatchId("m1"), CommandId("b"))
    assert len(table.matches.made) == 1
