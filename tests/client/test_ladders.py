"""Ladders by the client library."""

import asyncio

from millrace.client import connect
from millrace.protocol import Code, TournamentId
from tests.client.connecting import PASSWORD, first_where, new_name, refusal_of
from tests.serving import PATIENCE_S, Site

LADDER = TournamentId("ladder-mingmang")
NONE = TournamentId("ladder-chess")


async def test_a_ladder_is_joined_climbed_and_followed(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann, connect(server.address) as ben:
        for player in (ann, ben):
            await player.account.register(new_name(), PASSWORD)
            await player.ladders.join(LADDER)
        match = await ben.ladders.challenge(LADDER, ann.player.name)
        feed = ann.watch(match)
        await first_where(feed, lambda _: feed.my_seats)
        await ann.resign(match, feed.my_seats[0])
        view = await first_where(ben.ladders.follow(LADDER), lambda found: not found.yours)
        names = [place.player.name for place in view.places]
        assert names.index(ben.player.name) < names.index(ann.player.name)
        assert {each.ladder: each.you for each in await ben.ladders.all()}[LADDER] == view.summary.you
        await ben.ladders.leave(LADDER)


async def test_a_ladder_that_does_not_exist_is_refused(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        await ann.account.register(new_name(), PASSWORD)
        assert await refusal_of(ann.ladders.join(NONE)) is Code.UNKNOWN_TOURNAMENT
        assert await refusal_of(anext(ann.ladders.follow(NONE))) is Code.UNKNOWN_TOURNAMENT
