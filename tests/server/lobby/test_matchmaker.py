"""The matchmaker on a fake clock: disconnections, failures to store, and commands while a match is created."""

import asyncio
import random
from collections.abc import Sequence

import pytest

from millrace.protocol import (
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
from millrace.protocol.refusal import Refusal
from millrace.server.callers.presence import Presence
from millrace.server.cluster.bus import LocalBus
from millrace.server.cluster.membership import LoneNode
from millrace.server.journal.entries import Origin
from millrace.server.lobby.matchmaker import DISCONNECTED_MS, Matchmaker
from millrace.server.lobby.pools import OFFER_ALONE_AFTER_WAVES
from millrace.server.lobby.searches import PairedMatches
from millrace.server.players.profiles.blocks import Blocks
from millrace.server.runtime import metrics
from millrace.server.storage.fences import Fence
from tests.server.in_process_server import FirstMoveBots
from tests.server.lobby.doubles import EqualRatings, FakeSession
from tests.server.lobby.memory_searches import MemorySearches
from tests.server.metric_values import count_and_seconds
from tests.server.players.profiles.memory_blocks import MemoryBlocks

ANN, BEN = (Player(IdentityId(f"guest-{name}"), name) for name in ("ann", "ben"))
MORRIS = PairingRequest("morris")


class Matches(PairedMatches):
    """Creates matches when the test allows it, and remembers their players."""

    def __init__(self) -> None:
        self.made: list[set[str]] = []
        self.paired: dict[Origin, MatchId] = {}
        self.searches = MemorySearches()
        self.is_broken = False
        self.may_make = asyncio.Event()
        self.may_make.set()

    async def open_paired(
        self,
        request: PairingRequest,
        players: Sequence[Player],
        paired: Sequence[Origin],
        searches: Sequence[Origin],
        fence: Fence | None,
    ) -> MatchId:
        await self.may_make.wait()
        if self.is_broken:
            raise Refusal(Code.UNAVAILABLE, "The server cannot store this now.")
        stored = {Origin(search.identity, search.command) for search in self.searches.stored.values()}
        if not stored.issuperset(searches):
            raise Refusal(Code.UNAVAILABLE, "A search has ended.")
        for search in searches:
            del self.searches.stored[IdentityId(search.by)]
        self.made.append({player.name for player in players})
        match = MatchId(f"m{len(self.made)}")
        self.paired.update(dict.fromkeys(paired, match))
        return match

    async def find_paired(self, asked: Origin) -> MatchId | None:
        return self.paired.get(asked)


class Table:
    """A matchmaker whose waves the test holds."""

    def __init__(self, matches: Matches | None = None) -> None:
        self.now_ms = 0
        bus = LocalBus()
        self.matches, self.presence = matches or Matches(), Presence(bus)
        self.sessions = {player.id: FakeSession(player.id) for player in (ANN, BEN)}
        for session in self.sessions.values():
            self.presence.add(session)
        self.maker = Matchmaker(
            self.matches,
            self.matches.searches,
            LoneNode(),
            self.presence,
            Blocks(MemoryBlocks(), bus),
            EqualRatings(),
            FirstMoveBots(),
            bus,
            lambda: self.now_ms,
            random.Random(1),
        )

    async def find(self, player: Player, id_: str = "f") -> Message:
        command = FindMatch(CommandId(id_), MORRIS)
        return await self.maker.find_answer(command, player.id) or await self.maker.search(command, player)

    def leave(self, player: Player) -> None:
        self.presence.remove(self.sessions[player.id])

    def come_back(self, player: Player) -> None:
        self.presence.add(self.sessions[player.id])


async def both_searching(of_ann: str = "f", of_ben: str = "f") -> Table:
    table = Table()
    await table.find(ANN, of_ann)
    await table.find(BEN, of_ben)
    return table


async def ann_offered_a_bot() -> Table:
    table = Table()
    await table.find(ANN)
    for _ in range(OFFER_ALONE_AFTER_WAVES):
        await table.maker.hold_wave()
    return table


async def test_a_player_who_disconnects_briefly_keeps_waiting_but_is_not_paired() -> None:
    table = await both_searching()
    table.leave(BEN)
    await table.maker.hold_wave()
    table.now_ms += DISCONNECTED_MS - 1
    await table.maker.hold_wave()
    assert table.matches.made == []
    table.come_back(BEN)
    await table.maker.hold_wave()
    assert table.matches.made == [{"ann", "ben"}]


async def test_a_search_ends_after_a_long_disconnection() -> None:
    table = Table()
    await table.find(ANN)
    table.leave(ANN)
    await table.maker.hold_wave()
    table.now_ms += DISCONNECTED_MS
    await table.maker.hold_wave()
    table.come_back(ANN)
    assert table.maker.greet(ANN.id) == ()
    await table.find(BEN)
    await table.maker.hold_wave()
    assert table.matches.made == []


async def test_the_time_from_each_search_to_its_match_is_measured() -> None:
    table = await both_searching()
    count, seconds = count_and_seconds(metrics.PAIRING_SECONDS)
    table.now_ms += 7_000
    await table.maker.hold_wave()
    assert count_and_seconds(metrics.PAIRING_SECONDS) == (count + 2, seconds + 14)


async def test_players_whose_match_cannot_be_stored_are_paired_later() -> None:
    table = await both_searching()
    table.matches.is_broken = True
    await table.maker.hold_wave()
    assert isinstance(await table.find(ANN), Searching)
    table.matches.is_broken = False
    table.now_ms += 3_600_000
    await table.maker.hold_wave()
    assert table.matches.made == [{"ann", "ben"}]


async def test_a_command_sent_during_creation_starts_no_second_search() -> None:
    table = await both_searching()
    table.matches.may_make.clear()
    wave = asyncio.create_task(table.maker.hold_wave())
    await asyncio.sleep(0)
    again = asyncio.create_task(table.find(ANN))
    stopping = asyncio.create_task(table.maker.stop_search(StopSearch(CommandId("s")), BEN.id))
    await asyncio.sleep(0)
    table.matches.may_make.set()
    await wave
    assert await again == Paired(MatchId("m1"), CommandId("f"))
    assert await stopping == SearchEnded(CommandId("s"))
    await table.maker.hold_wave()
    assert table.matches.made == [{"ann", "ben"}]


async def test_a_new_search_after_a_match_is_a_new_search() -> None:
    table = await both_searching("first", "first")
    await table.maker.hold_wave()
    assert isinstance(await table.find(ANN, "second"), Searching)


async def test_a_failed_match_with_a_bot_does_not_change_the_search() -> None:
    table = await ann_offered_a_bot()
    table.matches.is_broken = True
    play = PlayBot(CommandId("b"))
    with pytest.raises(Refusal):
        await table.maker.play_bot(play, ANN.id)
    assert isinstance(await table.find(ANN), Searching)
    table.matches.is_broken = False
    assert await table.maker.play_bot(play, ANN.id) == Paired(MatchId("m1"), CommandId("b"))
    assert await table.maker.play_bot(play, ANN.id) == Paired(MatchId("m1"), CommandId("b"))
    assert len(table.matches.made) == 1


async def test_requests_sent_again_after_a_restart_find_their_match() -> None:
    table = await both_searching("a", "b")
    await table.maker.hold_wave()
    again = Table(table.matches)
    assert await again.find(ANN, "a") == Paired(MatchId("m1"), CommandId("a"))
    assert await again.find(BEN, "b") == Paired(MatchId("m1"), CommandId("b"))
    assert again.maker.greet(ANN.id) == ()
    assert isinstance(await again.find(BEN, "a"), Searching), "the id of another player's command is nothing to Ben"


async def test_a_taken_bot_is_found_again_after_a_restart_by_either_command() -> None:
    table = await ann_offered_a_bot()
    await table.maker.play_bot(PlayBot(CommandId("b")), ANN.id)
    again = Table(table.matches)
    assert await again.maker.play_bot(PlayBot(CommandId("b")), ANN.id) == Paired(MatchId("m1"), CommandId("b"))
    assert await again.find(ANN) == Paired(MatchId("m1"), CommandId("f"))
    assert len(table.matches.made) == 1
