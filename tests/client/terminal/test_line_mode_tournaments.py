"""Tournaments in the line mode against a real server."""

from millrace.client import connect
from millrace.protocol import ClockSettings, TournamentPlan
from tests.client.terminal.typist import seated
from tests.serving import ServerProcess


async def test_an_arena_is_joined_played_and_left(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with connect(server.address, token=tokens[0]) as organiser:
        now_ms = (await organiser.ping()).now_ms
        plan = TournamentPlan("Terminal arena", "morris", ClockSettings(180_000), now_ms, 60, rated=False)
        tournament = await organiser.tournaments.create(plan)
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        for player in (ann, ben):
            listed = await player.type("tournaments", "Terminal arena: Nine Men's Morris, 3\\+0, 60 minutes")
            number = next(line.split()[0] for line in listed.splitlines() if "Terminal arena" in line)
            await player.type(f"join {number}", "You have joined")
        await ben.hear("to move|Your move")
        await ben.type("berserk", "You go berserk: half the time")
        await ben.type("resign", f"{ann.name} won: you resigned|You lost")
        shown = await ann.type(f"standings {tournament}", "Terminal arena")
        assert f"1. {ann.name}" in shown
        await ann.type(f"disqualify {tournament} {ben.name}", "Only moderators can do this")
        await ben.type(f"withdraw {tournament}", "You are not paired any more")
        await ben.type("standings nothing", "There is no such tournament")
        await ben.type(f"standings {tournament} {ann.name}", f"Match 1: {ann.name} against {ben.name}: 1 - 0")


async def test_the_organiser_of_a_swiss_keeps_two_players_apart(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with connect(server.address, token=tokens[0]) as organiser, connect(server.address, token=tokens[1]) as other:
        starts_at_ms = (await organiser.ping()).now_ms + 3_600_000
        plan = TournamentPlan("Terminal Swiss", "morris", ClockSettings(180_000), starts_at_ms, kind="swiss", rounds=3)
        tournament = await organiser.tournaments.create(plan)
        for player in (organiser, other):
            await player.tournaments.join(tournament)
        name = other.player.name
    async with seated(server, tokens[0]) as ann:
        await ann.type(f"forbid {tournament} {ann.name} {name} on", "Type off after the names")
        await ann.type(f"forbid {tournament} {ann.name} {name}", "are kept apart from the next round on")
        one, other_name = sorted((ann.name, name))
        await ann.type(f"standings {tournament}", f"{one} and {other_name} are kept apart")
        await ann.type(f"forbid {tournament} {ann.name} {name} off", "may meet again")


async def test_a_host_accepts_a_player_starts_a_simul_and_goes_to_the_next_board(
    server: ServerProcess, tokens: tuple[str, str]
) -> None:
    async with connect(server.address, token=tokens[0]) as organiser, connect(server.address, token=tokens[1]) as other:
        now_ms = (await organiser.ping()).now_ms
        clock = ClockSettings(180_000)
        plan = TournamentPlan(
            "Terminal simul", "morris", clock, now_ms, rated=False, kind="simul", host_seat="first", extra_minutes=5
        )
        tournament = await organiser.tournaments.create(plan)
        await other.tournaments.join(tournament)
        name = other.player.name
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        await ann.type("tournaments", "Terminal simul: Nine Men's Morris, 3\\+0, simultaneous exhibition")
        await ann.type(f"simul start {tournament}", "Accept a player first")
        await ann.type(f"simul remove {tournament} {name}", f"{name} is not accepted any more")
        await ann.type("simul next", "No other board waits for you")
        await ann.type(f"simul accept {tournament}", "Usage: simul accept")
        await ann.type(f"simul accept {tournament} {name}", f"{name} is accepted")
        await ben.type(f"standings {tournament}", "accepted")
        await ann.type(f"simul start {tournament}", "The exhibition begins")
        await ben.hear(f"Terminal simul: you play {ann.name}, table 1")
        await ann.type("simul next", "Your move|to move")
        await ben.type("resign", f"{ann.name} won: you resigned|You lost")


async def test_a_tournament_has_a_chat(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with connect(server.address, token=tokens[0]) as organiser:
        starts_at_ms = (await organiser.ping()).now_ms + 3_600_000
        plan = TournamentPlan("Talkative arena", "morris", ClockSettings(180_000), starts_at_ms, 60)
        tournament = await organiser.tournaments.create(plan)
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben, seated(server) as guest:
        await ann.type(f"chat {tournament}", "Nobody has written yet")
        await ann.type(f"chat {tournament} Good luck!", f"^{ann.name}: Good luck!$")
        await ben.type(f"chat {tournament} Thank you.", f"^{ann.name}: Good luck!\n{ben.name}: Thank you.$")
        await guest.type(f"chat {tournament}", f"^{ben.name}: Thank you.$")
        await guest.type(f"chat {tournament} Me too.", "You need an account")
        await guest.type("chat nothing", "There is no such tournament")
