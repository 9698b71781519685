"""A bot on a real server: challenges, several matches, offers, votes, rematches, and restarts."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from millrace.client import (
    ME,
    OPEN,
    ChallengeRules,
    ClockSettings,
    Connection,
    MatchId,
    MatchView,
    MyTurn,
    RefusedError,
    bot,
    connect,
)
from millrace.client.bots import BotHost, Choose, Decider
from millrace.protocol import Code, MatchEvent, OfferAccepted, OfferDeclined
from tests.bots.matches import PATIENCE_S, MakeBot, challenge, play_some, until
from tests.serving import ServerProcess

ALL = ChallengeRules(("morris", "mingmang", "battlesheep"), "any", most_matches=4)


async def at_random(match: MatchId, turn: MyTurn, view: MatchView) -> str:
    return random.choice(turn.moves)


async def never(match: MatchId, turn: MyTurn, view: MatchView) -> str:
    await asyncio.Event().wait()
    raise AssertionError


@asynccontextmanager
async def at_work(server: ServerProcess, token: str, decider: Decider) -> AsyncIterator[None]:
    """Run a bot during the context."""
    async with connect(server.address, token=token) as me:
        running = asyncio.create_task(BotHost(me, ALL, decider).run())
        try:
            yield
        finally:
            running.cancel()
            await asyncio.wait([running])


@asynccontextmanager
async def met(server: ServerProcess, make_bot: MakeBot, decider: Decider) -> AsyncIterator[tuple[Connection, str]]:
    """Run a new bot during the context, and yield a player and the bot's name."""
    name, token = await make_bot()
    async with asyncio.timeout(PATIENCE_S), at_work(server, token, decider), connect(server.address) as me:
        yield me, name


@pytest.mark.sampled
@pytest.mark.parametrize("game", ALL.games)
async def test_a_bot_that_plays_at_random_plays_every_game_to_its_end(
    server: ServerProcess, make_bot: MakeBot, game: str
) -> None:
    async with met(server, make_bot, Decider(at_random)) as (me, name):
        feed = await challenge(me, name, game)
        async for turn in feed.turns():
            await turn.play(random.choice(turn.moves))
        assert (await feed.result()).ranks is not None


async def test_a_bot_plays_several_matches_at_once_and_is_free_again_after_them(
    server: ServerProcess, make_bot: MakeBot
) -> None:
    async with met(server, make_bot, Decider(at_random)) as (me, name):
        feeds = [await challenge(me, name) for _ in range(4)]
        with pytest.raises(RefusedError) as refused:
            await me.challenge(name, "morris")
        assert refused.value.code is Code.NOT_TAKEN
        await asyncio.gather(*(play_some(feed, 10) for feed in feeds))
        await me.resign(feeds[0].match, 0)
        await play_some(await challenge(me, name), 4)


async def test_a_restarted_bot_continues_its_matches(server: ServerProcess, make_bot: MakeBot) -> None:
    name, token = await make_bot()
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as me:
        async with at_work(server, token, Decider(never)):
            feed = await challenge(me, name)
            await play_some(feed, 1)
        async with at_work(server, token, Decider(at_random)):
            await play_some(feed, 6)


async def test_a_leaving_bot_finishes_its_matches_and_accepts_no_more(server: ServerProcess, make_bot: MakeBot) -> None:
    name, token = await make_bot()
    address = server.address
    async with asyncio.timeout(PATIENCE_S), connect(address) as me, connect(address, token=token) as bots:
        host = BotHost(bots, ALL, Decider(at_random))
        running = asyncio.create_task(host.run())
        feed = await challenge(me, name)
        await host.leave()
        with pytest.raises(RefusedError):
            await me.challenge(name, "morris")
        await play_some(feed, 6)
        assert not running.done()
        await me.resign(feed.match, 0)
        await running


@pytest.mark.slow
async def test_an_unwanted_challenge_is_declined(server: ServerProcess, make_bot: MakeBot) -> None:
    decider = Decider(at_random, takes=lambda challenge: challenge.clock is not None)
    async with met(server, make_bot, decider) as (me, name):
        await play_some(await challenge(me, name, clock=ClockSettings(60_000)), 2)
        feed = me.watch((await me.challenge(name, "morris")).match)
        assert (await feed.result()).reason == "declined"


@pytest.mark.parametrize("agrees", [True, False])
async def test_a_bot_answers_the_offer_of_a_draw(server: ServerProcess, make_bot: MakeBot, agrees: bool) -> None:
    async with met(server, make_bot, Decider(at_random, agrees=lambda *_: agrees)) as (me, name):
        feed = await challenge(me, name)
        await play_some(feed, 6)
        await me.offer(feed.match, 0, "draw")
        answers = (OfferAccepted, OfferDeclined)
        async for update in feed.updates():
            if isinstance(update, MatchEvent) and isinstance(update.event, answers):
                assert isinstance(update.event, OfferAccepted) == agrees
                break
        if agrees:
            assert (await feed.result()).reason == "agreement"
        else:
            await play_some(feed, 10)


async def test_after_a_takeback_the_bot_searches_the_new_position(server: ServerProcess, make_bot: MakeBot) -> None:
    thoughts: list[tuple[str, ...]] = []

    async def first(match: MatchId, turn: MyTurn, view: MatchView) -> str:
        thoughts.append(view.moves)
        return turn.moves[0]

    async with met(server, make_bot, Decider(first, agrees=lambda *_: True)) as (me, name):
        feed = await challenge(me, name)
        await play_some(feed, 4)
        await me.offer(feed.match, 0, "takeback")
        await until(feed, lambda: len(feed.view.moves) == 2)
        turn = await feed.my_turn()
        assert turn is not None
        await turn.play(turn.moves[-1])
        await until(feed, lambda: len(feed.view.moves) == 4)
        assert thoughts[-1] == feed.view.moves[:3]


@pytest.mark.slow
async def test_a_bot_accepts_a_rematch(server: ServerProcess, make_bot: MakeBot) -> None:
    async with met(server, make_bot, Decider(at_random)) as (me, name):
        feed = await challenge(me, name)
        await play_some(feed, 4)
        await me.resign(feed.match, 0)
        await feed.result()
        await me.rematch(feed.match, 0)
        await until(feed, lambda: feed.view.rematch is not None)
        assert feed.view.rematch is not None
        await play_some(me.watch(feed.view.rematch), 4)


async def test_a_bot_at_a_table_of_three_votes_on_a_seat_that_was_left(
    server: ServerProcess, make_bot: MakeBot
) -> None:
    async with met(server, make_bot, Decider(at_random)) as (me, name):
        feed = await challenge(me, name, "battlesheep", seats=[ME, OPEN, bot(1)], setup="seats=3")
        await me.resign(feed.match, 0)
        await until(feed, lambda: bool(feed.view.departures) and feed.view.departures[0].stand_in == "bot")


async def resigns(server: ServerProcess, make_bot: MakeBot, choose: Choose) -> list[str]:
    """Let a bot that cannot play have the first move, and return its messages."""
    said: list[str] = []
    async with met(server, make_bot, Decider(choose, say=said.append)) as (me, name):
        feed = await challenge(me, name, seats=[OPEN, ME])
        assert (await feed.result()).reason == "resignation"
    assert said[0] == f"{name} accepts challenges."
    return said


async def test_a_bot_that_fails_or_plays_an_illegal_move_resigns_and_says_why(
    server: ServerProcess, make_bot: MakeBot
) -> None:
    async def fails(match: MatchId, turn: MyTurn, view: MatchView) -> str:
        raise RuntimeError("a cog is missing")

    async def cheats(match: MatchId, turn: MyTurn, view: MatchView) -> str:
        return "a1-g7"

    assert any("a cog is missing" in words for words in await resigns(server, make_bot, fails))
    assert any("a1-g7 was refused" in words for words in await resigns(server, make_bot, cheats))
