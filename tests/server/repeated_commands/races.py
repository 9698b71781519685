"""Occasions of the commands about races."""

from millrace import protocol
from millrace.server.learning.races.race import COUNTDOWN_MS
from tests.server.in_process_server import Frame, Visitor
from tests.server.learning.races.solved import wrong_move
from tests.server.repeated_commands.occasions import Command, World, on


async def with_race(world: World) -> tuple[Visitor, Frame]:
    """Return a guest who has opened a race, and the fields that name it."""
    ann = await world.guest()
    return ann, {"race": (await ann.ask("open_race", game="morris"))["race"]}


@on(protocol.OpenRace)
async def _(world: World) -> Command:
    return Command(await world.guest(), {"game": "morris"})


@on(protocol.JoinRace)
async def _(world: World) -> Command:
    _, race = await with_race(world)
    return Command(await world.guest(), race)


@on(protocol.StartRace)
async def _(world: World) -> Command:
    return Command(*await with_race(world))


@on(protocol.PlayRace)
async def _(world: World) -> Command:
    ann, race = await with_race(world)
    await ann.ask("start_race", **race)
    world.clock.now_ms += COUNTDOWN_MS
    first = (await ann.ask("get_race_run", **race))["puzzles"][0]
    return Command(ann, {**race, "number": 1, "moves": [wrong_move(first)]})
