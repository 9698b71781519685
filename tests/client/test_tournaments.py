"""Tournaments by the client library."""

import asyncio

from msgspec.structs import replace

from millrace.client import chat_of_tournament, connect
from millrace.protocol import ClockSettings, Code, TournamentId, TournamentPlan
from tests.client.connecting import PASSWORD, first_where, new_name, refusal_of
from tests.serving import PATIENCE_S, Site

NONE = TournamentId("none")


def plan(now_ms: int) -> TournamentPlan:
    return TournamentPlan("Library arena", "morris", ClockSettings(180_000), now_ms, 60, rated=False)


async def test_an_arena_is_created_joined_played_and_followed(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann, connect(server.address) as ben:
        for player in (ann, ben):
            await player.account.register(new_name(), PASSWORD)
        tournament = await ann.tournaments.create(plan((await ann.ping()).now_ms))
        listed = await first_where(
            ben.tournaments.all(), lambda found: tournament in {each.tournament for each in found}
        )
        assert "Library arena" in {each.plan.name for each in listed}
        for player in (ann, ben):
            await player.tournaments.join(tournament)
        place = await first_where(
            ann.tournaments.places(), lambda each: each.you is not None and each.you.opponent is not None
        )
        assert place.you is not None
        match = place.you.standing.match
        assert match is not None
        feed = ben.watch(match)
        view = await first_where(feed, lambda update: feed.my_seats)
        assert view is not None
        await ben.tournaments.leave(tournament)
        await ben.berserk(match, feed.my_seats[0])
        await ben.resign(match, feed.my_seats[0])
        shown = await first_where(
            ann.tournaments.follow(tournament), lambda each: any(row.points for row in each.standings)
        )
        assert [(row.score, row.berserks) for row in shown.standings] == [(2, 0), (0, 1)]
        assert shown.standings[1].paused


async def test_a_host_accepts_players_and_starts(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as host, connect(server.address) as ann:
        for player in (host, ann):
            await player.account.register(new_name(), PASSWORD)
        now_ms = (await host.ping()).now_ms
        simul = replace(plan(now_ms), kind="simul", minutes=0, host_seat="first", extra_minutes=5)
        tournament = await host.tournaments.create(simul)
        await ann.tournaments.join(tournament)
        await first_where(host.tournaments.follow(tournament), lambda each: each.standings)
        await host.tournaments.accept(tournament, ann.player.name, on=False)
        assert await refusal_of(host.tournaments.start(tournament)) is Code.BAD_TOURNAMENT
        await host.tournaments.accept(tournament, ann.player.name)
        await host.tournaments.start(tournament)
        (board,) = await first_where(host.lobby.your_matches(), bool)
        assert (board.tournament, board.your_seats, board.is_your_turn) == (tournament, (0,), True)
        feed = host.watch(board.match)
        await first_where(feed, lambda _: feed.view.clocks_ms == (480_000, 180_000))
        await host.resign(board.match, 0)
        shown = await first_where(
            ann.tournaments.follow(tournament), lambda each: any(row.points for row in each.standings)
        )
        assert [(row.player.name, row.score, row.accepted) for row in shown.standings] == [(ann.player.name, 2, True)]


async def test_a_tournament_that_does_not_exist_is_refused(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        await ann.account.register(new_name(), PASSWORD)
        assert await refusal_of(ann.tournaments.join(NONE)) is Code.UNKNOWN_TOURNAMENT
        assert await refusal_of(anext(ann.tournaments.follow(NONE))) is Code.UNKNOWN_TOURNAMENT


async def test_the_chat_of_a_tournament_is_read_and_written(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann, connect(server.address) as guest:
        await ann.account.register(new_name(), PASSWORD)
        tournament = await ann.tournaments.create(plan((await ann.ping()).now_ms))
        chat = chat_of_tournament(tournament)
        async with guest.chat.listen(chat) as lines:
            assert await lines.latest() == []
            await ann.chat.say(chat, "Good luck!")
            line = await first_where(lines, lambda _: True)
            assert (line.player, line.text) == (ann.player, "Good luck!")
        async with guest.chat.listen(chat) as again:
            assert await again.latest() == [line]
        assert await refusal_of(guest.chat.say(chat, "Me too.")) is Code.ACCOUNT_NEEDED
        assert await refusal_of(guest.chat.listen(chat_of_tournament(NONE)).latest()) is Code.UNKNOWN_TOURNAMENT
