"""Offers and talk by the client library, against a real server."""

import asyncio

from millrace.client import ME, OPEN, ClockSettings, MatchFeed, connect
from millrace.protocol import (
    Code,
    Ended,
    Event,
    MatchEvent,
    OfferDeclined,
    Offered,
    Paused,
    PauseEnded,
    TakenBack,
    TimeGiven,
)
from tests.client.connecting import refusal_of
from tests.serving import PATIENCE_S, Site


async def read_until(feed: MatchFeed, kind: type[Event]) -> None:
    """Read a feed up to an event of a kind."""
    async for update in feed:
        if isinstance(update, MatchEvent) and isinstance(update.event, kind):
            return


async def test_offers_are_made_answered_and_folded(server: Site) -> None:

    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann, connect(server.address) as ben:
        match = (await ann.create("morris", [ME, OPEN], clock=ClockSettings(600_000))).match
        await ben.join(match)
        for ply, move in enumerate(("d6", "f4", "a7")):
            await (ann, ben)[ply % 2].play(match, ply % 2, move)
        async with ben.watch(match) as feed:
            await ann.offer(match, 0, "draw", ply=3)
            await read_until(feed, Offered)
            assert [(offer.kind, offer.seat) for offer in feed.view.offers] == [("draw", 0)]
            await ben.decline_offer(match, 1, "draw")
            await read_until(feed, OfferDeclined)
            assert feed.view.offers == ()
            await ann.offer(match, 0, "takeback")
            await ben.accept_offer(match, 1, "takeback")
            await read_until(feed, TakenBack)
            assert (feed.view.moves, feed.view.to_move) == (("d6", "f4"), 0)
            assert "a7" not in feed.view.piles
            before_ms = feed.view.clocks_ms
            await ann.give_time(match, 0)
            await read_until(feed, TimeGiven)
            assert before_ms is not None
            assert feed.view.clocks_ms == (before_ms[0], before_ms[1] + 15_000)
            await ann.offer(match, 0, "pause")
            await ben.accept_offer(match, 1, "pause")
            await read_until(feed, Paused)
            assert feed.view.paused_until_ms is not None
            await ben.end_pause(match, 1)
            await read_until(feed, PauseEnded)
            assert feed.view.paused_until_ms is None
            assert await refusal_of(ben.accept_offer(match, 1, "draw")) is Code.OFFER_LAPSED
            await ben.offer(match, 1, "draw")
            await ann.accept_offer(match, 0, "draw")
            await read_until(feed, Ended)
            assert feed.view.result is not None
            assert feed.view.result.reason == "agreement"


async def test_chat_lines_arrive_once_and_not_from_muted_players(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann, connect(server.address) as ben:
        match = (await ann.create("morris", [ME, OPEN])).match
        await ben.join(match)
        await ann.chat.say(match, "Good luck!")
        async with ben.chat.listen(match) as feed:
            lines = aiter(feed)
            first = await anext(lines)
            assert (first.text, first.player, feed.room) == ("Good luck!", ann.player, "players")
            await ben.moderation.report(match, "spam", line=first.number)
            await ben.chat.say(match, "You too.")
            assert (await anext(lines)).text == "You too."
            await ben.chat.mute(ann.player.id)
            await ann.chat.say(match, "Can you hear me?")
            await ben.chat.say(match, "It is quiet here.")
            assert (await anext(lines)).text == "It is quiet here."
            assert feed.muted == {ann.player.id}
