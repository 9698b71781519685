"""Occasions of the commands about tournaments and ladders."""

from millrace import protocol
from tests.server.in_process_server import Frame, Visitor
from tests.server.repeated_commands.occasions import Command, World, on

LADDER = "ladder-morris"


def arena_plan(world: World, hours: int) -> Frame:
    """Return the plan of an arena that begins in so many hours."""
    return {
        "name": "Evening arena",
        "game": "morris",
        "clock": {"initial_ms": 180_000},
        "starts_at_ms": world.clock.now_ms + 3_600_000 * hours,
        "minutes": 60,
    }


async def arena(world: World, organiser: Visitor, hours: int = 1) -> str:
    """Return an arena that begins in so many hours."""
    return str((await organiser.ask("create_tournament", plan=arena_plan(world, hours)))["tournament"])


async def place(player: Visitor, tournament: str) -> Frame:
    """Return the tournament as a player sees it."""
    await player.say("watch_tournament", tournament=tournament)
    return await player.hear_until("tournament_view")


@on(protocol.Berserk)
async def _(world: World) -> Command:
    ann, ben = await world.owner(), await world.owner()
    tournament = await arena(world, ann, hours=0)
    for player in (ann, ben):
        await player.ask("join_tournament", tournament=tournament)
    while (await place(ann, tournament))["summary"]["status"] == "planned":
        pass
    world.clock.now_ms += 5_000
    while (match := (await place(ann, tournament))["you"]["standing"].get("match")) is None:
        pass
    await ann.say("watch", match=match)
    while (event := (await ann.hear_event("seated"))["event"])["player"]["id"] != ann.player["id"]:
        pass
    return Command(ann, {"match": match, "seat": event["seat"]})


@on(protocol.CreateTournament)
async def _(world: World) -> Command:
    return Command(await world.owner(), {"plan": arena_plan(world, 2)})


@on(protocol.JoinTournament)
async def _(world: World) -> Command:
    ann = await world.owner()
    return Command(ann, {"tournament": await arena(world, ann)})


@on(protocol.LeaveTournament)
async def _(world: World) -> Command:
    ann = await world.owner()
    tournament = await arena(world, ann)
    await ann.ask("join_tournament", tournament=tournament)
    return Command(ann, {"tournament": tournament})


@on(protocol.ForbidPairing)
async def _(world: World) -> Command:
    ann, ben = await world.owner(), await world.owner()
    plan = {**arena_plan(world, 1), "kind": "swiss", "minutes": 0, "rounds": 3}
    tournament = str((await ann.ask("create_tournament", plan=plan))["tournament"])
    for player in (ann, ben):
        await player.ask("join_tournament", tournament=tournament)
    return Command(ann, {"tournament": tournament, "players": [ann.player["name"], ben.player["name"]]})


async def simul(world: World) -> tuple[Visitor, Frame]:
    """Return the host of a simul, and the simul with a player who has applied."""
    host, player = await world.owner(), await world.owner()
    plan = {**arena_plan(world, 1), "kind": "simul", "minutes": 0, "rated": False}
    tournament = str((await host.ask("create_tournament", plan=plan))["tournament"])
    await player.ask("join_tournament", tournament=tournament)
    return host, {"tournament": tournament, "player": player.player["name"]}


@on(protocol.AcceptPlayer)
async def _(world: World) -> Command:
    return Command(*await simul(world))


@on(protocol.StartSimul)
async def _(world: World) -> Command:
    host, accepted = await simul(world)
    await host.ask("accept_player", **accepted)
    return Command(host, {"tournament": accepted["tournament"]})


@on(protocol.DisqualifyPlayer)
async def _(world: World) -> Command:
    ann = await world.owner()
    tournament = await arena(world, ann)
    await ann.ask("join_tournament", tournament=tournament)
    return Command(await world.moderator(), {"tournament": tournament, "player": ann.player["name"]})


@on(protocol.JoinLadder)
async def _(world: World) -> Command:
    return Command(await world.owner(), {"ladder": LADDER})


@on(protocol.LeaveLadder)
async def _(world: World) -> Command:
    ann = await world.owner()
    await ann.ask("join_ladder", ladder=LADDER)
    return Command(ann, {"ladder": LADDER})


@on(protocol.ChallengeOnLadder)
async def _(world: World) -> Command:
    ann, ben = await world.owner(), await world.owner()
    for player in (ann, ben):
        await player.ask("join_ladder", ladder=LADDER)
    return Command(ben, {"ladder": LADDER, "player": ann.player["name"]})
