"""The client library against a real server: matches, bots, a crash, and the example that people begin from."""

import asyncio
import random
from contextlib import aclosing

import pytest

from millrace.client import ME, OPEN, Connection, Line, MatchId, bot, connect
from millrace.client.examples import five_lines
from millrace.protocol import ClockSettings, Code
from tests.client.connecting import refusal_of
from tests.serving import PATIENCE_S, Site

SHORT = "WW............WBB....W.B b 0 0 flying=off"
"""Black moves, then White closes a mill against three men."""


async def play_at_random(player: Connection, match: MatchId, chance: random.Random) -> tuple[str, ...]:
    """Play a match to its end and return its moves."""
    async with player.watch(match) as feed:
        async for turn in feed.turns():
            await turn.play(chance.choice(turn.moves))
        return feed.view.moves


async def test_two_people_play_and_a_spectator_sees_the_same(server: Site) -> None:
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(server.address) as ann,
        connect(server.address) as ben,
        connect(server.address) as eve,
    ):
        match = (await ann.create("morris", [ME, OPEN], clock=ClockSettings(600_000))).match
        await ben.join(match)
        watching = asyncio.create_task(eve.watch(match).result())
        moves = await asyncio.gather(
            play_at_random(ann, match, random.Random(1)), play_at_random(ben, match, random.Random(2))
        )
        assert moves[0] == moves[1]
        async with ann.watch(match) as again:
            result = await again.result()
            assert again.view.moves == moves[0]
            assert again.my_seats == (0,)
        assert result == await watching


async def test_a_spectator_sees_the_live_matches_and_the_featured_one(server: Site) -> None:
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(server.address) as ann,
        connect(server.address) as ben,
        connect(server.address) as eve,
    ):
        match = (await ann.create("mingmang", [ME, OPEN], listed=True)).match
        await ben.join(match)
        await ann.play(match, 0, "d1-d4")
        await ben.play(match, 1, "a5-b5")
        async with aclosing(eve.spectating.live("mingmang")) as pages:
            async for page in pages:
                if match in {each.match for each in page.matches}:
                    assert (page.game, page.page) == ("mingmang", 0)
                    break
        async with aclosing(eve.spectating.featured("mingmang", exhibition=False)) as featured:
            async for latest in featured:
                if latest.match is not None:
                    assert latest.game == "mingmang"
                    break
        await ann.resign(match, 0)


async def test_openings_are_explored_and_a_suitable_bot_is_found_for_a_newcomer(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        assert await ann.lobby.fitting_bot("morris") == 1
        for name, level in (("easy", 1), ("hard", 8)):
            async with ann.watch((await ann.create("morris", [ME, bot(name)])).match) as feed:
                assert await feed.my_turn() is not None
                assert [player.level for player in feed.view.players if player is not None] == [None, level]
        found = await ann.analysis.explore_opening(Line("morris", moves=("d6",)))
        assert found.to_move == 1
        assert {opening.name for opening in await ann.analysis.openings("morris")}


async def test_a_planned_reply_is_played_for_an_absent_player(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann, connect(server.address) as ben:
        match = (await ann.create("morris", [ME, OPEN], clock=ClockSettings(86_400_000, renews=True))).match
        await ben.join(match)
        await ann.play(match, 0, "d6")
        assert await refusal_of(ann.set_plan(match, 0, 1, [["f4"]])) is Code.BAD_PLAN
        assert (await ann.set_plan(match, 0, 1, [["f4", "a7"], ["f6", "b6"]])).lines == (("f4", "a7"), ("f6", "b6"))
        await ben.play(match, 1, "f6")
        async with ben.watch(match) as feed:
            turn = await feed.my_turn()
            assert turn is not None
            assert feed.view.moves == ("d6", "f6", "b6")
        assert (await ann.get_plan(match, 0)).lines == ()


async def test_the_same_player_on_two_connections_holds_the_same_seat(server: Site) -> None:
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(server.address) as desk,
        connect(server.address, token=desk.token) as sofa,
    ):
        match = (await desk.create("morris", [ME, ME], setup=SHORT)).match
        at_desk, on_sofa = desk.watch(match), sofa.watch(match)
        black = await on_sofa.my_turn()
        assert black is not None
        await black.play("g1-d1")
        async for white in at_desk.turns():
            if white.seat == 0:
                await white.play("g4-g7xc3")
        assert (await on_sofa.result()).ranks == (1, 2)


async def test_refusals_come_with_their_code(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann, connect(server.address) as ben:
        assert await refusal_of(ann.create("chess", [ME, OPEN])) == Code.UNKNOWN_GAME
        assert await refusal_of(ann.create("morris", [ME, OPEN], setup="?")) == Code.BAD_SETUP
        assert await refusal_of(ann.create("morris", [ME])) == Code.BAD_SEATS
        assert await refusal_of(ann.join(MatchId("none"))) == Code.UNKNOWN_MATCH
        match = (await ann.create("morris", [ME, OPEN], setup=SHORT)).match
        assert await refusal_of(ben.join(match, 0)) == Code.SEAT_TAKEN
        assert await refusal_of(ann.play(match, 0, "g4-g7")) == Code.NOT_STARTED
        assert await refusal_of(ben.resign(match, 0)) == Code.NOT_YOUR_SEAT
        await ben.join(match)
        assert await refusal_of(ann.play(match, 0, "g4-g7")) == Code.NOT_YOUR_TURN
        assert await refusal_of(ben.play(match, 1, "?")) == Code.BAD_MOVE
        assert await refusal_of(ben.play(match, 1, "g1-a1")) == Code.ILLEGAL_MOVE
        assert await refusal_of(ann.rematch(match, 0)) == Code.NOT_OVER


async def test_the_example_bot_plays_a_match_to_its_end(server: Site, capsys: pytest.CaptureFixture[str]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await five_lines.play(server.address)
    assert capsys.readouterr().out.strip()
