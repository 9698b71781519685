"""A bot's host joins the tournaments that its author wants."""

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from millrace.client import ChallengeRules, ClockSettings, Connection, MatchId, MatchView, MyTurn, connect
from millrace.client.bots import BotHost, Decider
from millrace.protocol import TournamentId, TournamentPlan, TournamentView
from tests.bots.matches import PATIENCE_S, MakeBot
from tests.serving import ServerProcess

PASSWORD = "correct horse battery"
RULES = ChallengeRules(("morris",), most_matches=4)


async def first_move(_: MatchId, turn: MyTurn, __: MatchView) -> str:
    return turn.moves[0]


async def next_match(me: Connection) -> MatchId:
    async for place in me.tournaments.places():
        if place.you is not None and place.you.standing.match is not None:
            return place.you.standing.match
    raise AssertionError


async def until(me: Connection, tournament: TournamentId, holds: Callable[[TournamentView], bool]) -> None:
    async for view in me.tournaments.follow(tournament):
        if holds(view):
            return


async def test_a_bot_joins_wanted_tournaments_for_bots_plays_and_pauses_when_it_leaves(
    server: ServerProcess, make_bot: MakeBot
) -> None:
    name, token = await make_bot()
    title = f"Arena of {name}"
    said: list[str] = []
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(server.address) as host,
        connect(server.address, token=(await make_bot())[1]) as opponent,
        connect(server.address, token=token) as me,
    ):
        await host.account.register("Organiser-of-bots", PASSWORD)
        now_ms = (await host.ping()).now_ms
        people = TournamentPlan(title, "morris", ClockSettings(180_000), now_ms, 60, rated=False)
        bots = replace(people, bots=True)
        await host.tournaments.create(people)
        await host.tournaments.create(replace(bots, name="Unwanted"))
        wanted = await host.tournaments.create(bots)
        decider = Decider(first_move, joins=lambda each: each.plan.name == title, say=said.append)
        bot = BotHost(me, RULES, decider)
        playing = asyncio.create_task(bot.run())
        await until(host, wanted, lambda view: any(row.player.name == name for row in view.standings))
        await opponent.tournaments.join(wanted)
        feed = opponent.watch(await next_match(opponent))
        async for turn in feed.turns():
            if len(feed.view.moves) > 1:
                break
            await turn.play(turn.moves[0])
        await bot.leave()
        await opponent.resign(feed.match, turn.seat)
        await playing
        await until(host, wanted, lambda view: any(row.player.name == name and row.paused for row in view.standings))
    assert [line for line in said if "tournament" in line] == [f"Joined the tournament {title}."]
