"""Occasions of the commands about matches."""

from millrace import protocol
from tests.server.in_process_server import Frame, Visitor
from tests.server.repeated_commands.occasions import Command, World, on
from tests.server.web.two_players import BOT, DAYS, ME, OPEN, begin_between, begin_unwatched, challenge, create, play

WIDE_FOR_THREE = "r16,0,0,0/b16,0,0,0/g16,0,0,0 r 3"


@on(protocol.Create)
async def _(world: World) -> Command:
    return Command(await world.guest(), {"game": "morris", "seats": [ME, OPEN]})


@on(protocol.Join)
async def _(world: World) -> Command:
    ann, ben = await world.guests()
    return Command(ben, {"match": await create(ann)})


@on(protocol.Decline)
async def _(world: World) -> Command:
    ann, ben = await world.guest(), await world.owner()
    return Command(ben, {"match": await challenge(ann, ben)})


@on(protocol.FillSeat)
async def _(world: World) -> Command:
    ann = await world.guest()
    return Command(ann, {"match": await create(ann), "seat": 1, "level": 1})


@on(protocol.LeaveSeat)
async def _(world: World) -> Command:
    ann, ben = await world.guests()
    match = await create(ann, ME, OPEN, OPEN, game="battlesheep", setup="seats=3")
    await ben.ask("join", match=match, seat=1)
    return Command(ben, {"match": match, "seat": 1})


async def begun(world: World, *moves: str, **fields: object) -> tuple[Visitor, Visitor, Frame]:
    """Return the players of a match in which these moves have been made, and the fields of the first seat."""
    players = await world.guests()
    match = await begin_unwatched(*players, **fields)
    for ply, move in enumerate(moves):
        await play(players[ply % 2], match, ply % 2, move)
    return *players, {"match": match, "seat": 0}


@on(protocol.Play)
async def _(world: World) -> Command:
    ann, _, seat = await begun(world)
    return Command(ann, {**seat, "move": "d6"})


@on(protocol.Resign)
async def _(world: World) -> Command:
    ann, _, seat = await begun(world)
    return Command(ann, seat)


@on(protocol.ChooseStandIn)
async def _(world: World) -> Command:
    people = [await world.guest() for _ in range(3)]
    match = await begin_unwatched(*people, game="battlesheep", setup=WIDE_FOR_THREE)
    await people[0].ask("resign", match=match, seat=0)
    return Command(people[1], {"match": match, "seat": 1, "for_seat": 0, "choice": "bot"})


@on(protocol.Claim)
async def _(world: World) -> Command:
    ann, ben = await world.guests()
    match = await begin_between(ann, ben, clock={"initial_ms": 600_000})
    await play(ann, match, 0, "a7")
    await play(ben, match, 1, "g7")
    ben.connection.transport.abort()
    await ann.hear_until("audience_update", present=[True, False])
    world.clock.now_ms += 40_000
    return Command(ann, {"match": match, "seat": 0, "for_seat": 1, "outcome": "win"})


@on(protocol.Abort)
async def _(world: World) -> Command:
    ann = await world.guest()
    return Command(ann, {"match": await create(ann), "seat": 0})


async def over(world: World) -> tuple[Visitor, Visitor, Frame]:
    """Return the players of a match that is over, and the fields of the first seat."""
    ann, ben, seat = await begun(world, "a7", "g7")
    await ann.ask("resign", **seat)
    return ann, ben, seat


@on(protocol.Rematch)
async def _(world: World) -> Command:
    ann, _, seat = await over(world)
    return Command(ann, seat)


@on(protocol.DeclineRematch)
async def _(world: World) -> Command:
    ann, ben, seat = await over(world)
    await ann.ask("rematch", **seat)
    return Command(ben, {**seat, "seat": 1})


async def offered(world: World, kind: str) -> tuple[Visitor, Visitor, Frame]:
    """Return the players of a match, the first of whom has made an offer, and the fields of the second's answer."""
    ann, ben, seat = await begun(world, "a7", "g7")
    assert (await ann.ask("offer", **seat, kind=kind))["type"] == "accepted"
    return ann, ben, {**seat, "seat": 1, "kind": kind}


@on(protocol.Offer)
async def _(world: World) -> Command:
    ann, _, seat = await begun(world, "a7", "g7")
    return Command(ann, {**seat, "kind": "draw"})


@on(protocol.AcceptOffer)
async def _(world: World) -> Command:
    _, ben, answer = await offered(world, "takeback")
    return Command(ben, answer)


@on(protocol.DeclineOffer)
async def _(world: World) -> Command:
    _, ben, answer = await offered(world, "draw")
    return Command(ben, answer)


@on(protocol.GiveTime)
async def _(world: World) -> Command:
    ann, _, seat = await begun(world, "a7", "g7", clock={"initial_ms": 600_000})
    return Command(ann, seat)


@on(protocol.EndPause)
async def _(world: World) -> Command:
    _, ben, answer = await offered(world, "pause")
    await ben.ask("accept_offer", **answer)
    return Command(ben, {"match": answer["match"], "seat": 1})


@on(protocol.AskForSeat)
async def _(world: World) -> Command:
    ann, ben = await world.guests()
    return Command(ben, {"match": await create(ann, ME, BOT), "seat": 1})


@on(protocol.ChangePlayer)
async def _(world: World) -> Command:
    ann = await world.guest()
    return Command(ann, {"match": await create(ann, ME, BOT), "seat": 1, "level": 2})


@on(protocol.PauseBots)
async def _(world: World) -> Command:
    ann = await world.guest()
    return Command(ann, {"match": await create(ann, BOT, BOT)})


@on(protocol.ResumeBots)
async def _(world: World) -> Command:
    ann = await world.guest()
    match = await create(ann, BOT, BOT)
    await ann.ask("pause_bots", match=match)
    return Command(ann, {"match": match, "plies": 1})


@on(protocol.SetPlan)
async def _(world: World) -> Command:
    ann, _, seat = await begun(world, "a7", clock=DAYS)
    return Command(ann, {**seat, "ply": 1, "lines": [["g1", "d7"]]})
