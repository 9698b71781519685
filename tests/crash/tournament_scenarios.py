"""The scenarios of tournaments and ladders."""

import asyncio
import time
from functools import partial

from tests.crash.killed_server import Client
from tests.crash.world import MOVES, NAMES, World, play
from tests.server.in_process_server import Frame
from tests.server.tournaments.evenings import seen


async def arena(world: World) -> None:
    ann, ben = world.ann, world.ben
    tournament, match = await _paired([ann, ben], minutes=60)
    # Otherwise they would be paired again.
    await ann.done("leave_tournament", tournament=tournament)
    await _lose(world, ben, tournament, match)


async def bots_arena(world: World) -> None:
    person, bot = world.cem, world.ben
    players = [person, bot]
    tournament = await _announced(world.ann, minutes=60, bots=True)
    await bot.done("become_bot")
    for player in players:
        await player.done("join_tournament", tournament=tournament)
    places = await asyncio.gather(*(_place(player, tournament, "match") for player in players))
    for player in players:
        await player.done("leave_tournament", tournament=tournament)
    matches = [place["match"] for place in places]
    for player, match in zip(players, matches, strict=True):
        seated = await world.see(match, "seated")
        seat = 0 if seated["player"]["id"] == player.identity else 1
        await world.see_plies(match, seat)
        await player.accept("play", match=match, seat=seat, move="g4")
        await world.see_plies(match, seat + 2)
        await player.accept("resign", match=match, seat=seat)
    counted = await seen(lambda: _counted_first_moves(person), lambda count: count >= len(matches))
    for match in matches:
        ask = partial(person.ask, "analyse_match", match=match, only_stored=True)
        await seen(ask, lambda answer: answer["type"] == "match_analysed")
    assert (counted, await _counted_first_moves(person)) == (len(matches), len(matches))


async def _counted_first_moves(player: Client) -> int:
    """Return how many matches the openings have from the start of Nine Men's Morris."""
    told = await player.ask("explore_opening", line={"game": "morris", "moves": []})
    return sum(move["won"] + move["drawn"] + move["lost"] for move in told["moves"])


async def swiss_round(world: World) -> None:
    await _lose(world, world.ben, *await _paired([world.ann, world.ben], kind="swiss", rounds=3, pause_s=300))


async def arena_of_tables(world: World) -> None:
    players = [world.ann, world.ben, world.cem]
    # Two are too few for a table; the third finds the pause over.
    starts_at_ms = round(time.time() * 1000) - 30_000
    tournament, match = await _paired(
        players, game="battlesheep", seats=4, minutes=120, starts_at_ms=starts_at_ms, pause_s=10
    )
    for player in players:
        await player.done("leave_tournament", tournament=tournament)
    await world.see(match, "started")
    seated = [each for each in world.spectators[match].events.values() if each["type"] == "seated"]
    seats = {event["player"]["id"]: event["seat"] for event in seated}
    by_seat = sorted(players, key=lambda player: seats[player.identity])
    # The first seat does not move, so it is no stand-in's turn.
    for seat in (1, 2):
        await by_seat[seat].accept("resign", match=match, seat=seat)
    places = [await _place(player, tournament, "points") for player in by_seat]
    assert [place["points"] for place in places] == [[36], [0], [0]]


async def simul(world: World) -> None:
    host, players = world.ann, [world.ben, world.cem]
    # The host has the same seat at both boards, so that it does not matter which is created first.
    tournament = await _announced(host, kind="simul", extra_minutes=10, host_seat="first")
    for player, name in zip(players, NAMES[1:], strict=False):
        await player.done("join_tournament", tournament=tournament)
        await host.done("accept_player", tournament=tournament, player=name)
    await host.done("start_simul", tournament=tournament)
    for player in players:
        match = (await _place(player, tournament, "match"))["match"]
        await _lose(world, player, tournament, match)
    await host.say_until(
        lambda frame: (frame.get("summary") or {}).get("status") == "over",
        {"type": "watch_tournament", "tournament": tournament},
    )


async def ladder(world: World) -> None:
    ann, ben = world.ann, world.ben
    here = {"ladder": "ladder-morris"}
    for player in (ann, ben):
        await player.done("join_ladder", **here)
    match = await ben.accept("challenge_on_ladder", player="Annabel", **here)
    seated = await world.see(match, "seated")
    players = [ann, ben] if seated["player"]["id"] == ann.identity else [ben, ann]
    await play(match, players, MOVES)
    await ann.accept("resign", match=match, seat=players.index(ann))
    await world.see(match, "rated")
    await ben.say_until(
        lambda frame: frame["type"] == "ladder_view" and frame["places"][0]["player"]["id"] == ben.identity,
        {"type": "watch_ladder", **here},
    )
    await ann.done("leave_ladder", **here)


async def _paired(players: list[Client], **more: object) -> tuple[str, str]:
    """Return a tournament of some players and their match."""
    tournament = await _announced(players[0], **more)
    for player in players:
        await player.done("join_tournament", tournament=tournament)
    places = await asyncio.gather(*(_place(player, tournament, "match") for player in players))
    (match,) = {place["match"] for place in places}
    return tournament, match


async def _announced(organiser: Client, **more: object) -> str:
    """Return a new tournament."""
    plan = {
        "name": "Tournament",
        "game": "morris",
        "clock": {"initial_ms": 180_000},
        "starts_at_ms": round(time.time() * 1000),
        "rated": False,
        **more,
    }
    return str((await organiser.ask("create_tournament", plan=plan))["tournament"])


async def _lose(world: World, player: Client, tournament: str, match: str) -> None:
    """Let a player resign, and wait until that counts."""
    seated = await world.see(match, "seated")
    await player.accept("resign", match=match, seat=0 if seated["player"]["id"] == player.identity else 1)
    place = await _place(player, tournament, "points")
    assert place["points"] == [0]


async def _place(player: Client, tournament: str, field: str) -> Frame:
    """Return the player's row of the standings once it has a field, as it is now or as news tell."""

    def has_field(frame: Frame) -> bool:
        is_place = frame["type"] in ("tournament_view", "your_tournament") and frame["you"] is not None
        return is_place and bool(frame["you"]["standing"].get(field))

    place = await player.say_until(has_field, {"type": "watch_tournament", "tournament": tournament})
    return dict(place["you"]["standing"])
