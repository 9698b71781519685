"""Occasions of the commands about pairing, chat, profiles, notifications and moderation."""

from itertools import count

from millrace import protocol
from millrace.protocol import ModerationAction
from tests.server.in_process_server import Frame, Visitor
from tests.server.repeated_commands.matches import begun
from tests.server.repeated_commands.occasions import Command, World, on
from tests.server.web.two_players import challenge, create

CLOCKS = count(1_000, 1_000)
"""Increments, so that no search is paired with that of another occasion."""


def search() -> Frame:
    """Return a request for a quick pairing."""
    return {"game": "morris", "clock": {"initial_ms": 300_000, "increment_ms": next(CLOCKS)}}


@on(protocol.FindMatch)
async def _(world: World) -> Command:
    return Command(await world.guest(), {"request": search()})


@on(protocol.StopSearch)
async def _(world: World) -> Command:
    ann = await world.guest()
    await ann.ask("find_match", request=search())
    return Command(ann, {})


@on(protocol.PlayBot)
async def _(world: World) -> Command:
    ann = await world.guest()
    offer = await ann.ask("find_match", request=search())
    while offer["bot_level"] is None:
        offer = await ann.hear_until("searching")
    return Command(ann, {})


@on(protocol.PlayNow)
async def _(world: World) -> Command:
    ann, ben = await world.guests()
    await create(ann, game="mingmang", listed=True)
    return Command(ben, {"game": "mingmang"})


@on(protocol.SetChallengeRules)
async def _(world: World) -> Command:
    ann = await world.owner()
    await ann.ask("become_bot")
    return Command(ann, {"rules": {"games": ["morris"]}})


@on(protocol.Say)
async def _(world: World) -> Command:
    ann, _, seat = await begun(world)
    return Command(ann, {"match": seat["match"], "text": "Good luck!"})


async def with_another(world: World) -> tuple[Visitor, Frame]:
    """Return an owner, and the fields that name another one."""
    ann, ben = await world.owner(), await world.owner()
    return ann, {"player": ben.player["id"]}


@on(protocol.Mute)
async def _(world: World) -> Command:
    return Command(*await with_another(world))


@on(protocol.Block)
async def _(world: World) -> Command:
    return Command(*await with_another(world))


@on(protocol.Unblock)
async def _(world: World) -> Command:
    ann, other = await with_another(world)
    await ann.ask("block", **other)
    return Command(ann, other)


@on(protocol.Follow)
async def _(world: World) -> Command:
    ann, other = await with_another(world)
    return Command(ann, {**other, "on": True})


@on(protocol.SetProfile)
async def _(world: World) -> Command:
    return Command(await world.owner(), {"bio": "I play at night.", "country": "NZ"})


@on(protocol.SetOnlineVisibility)
async def _(world: World) -> Command:
    return Command(await world.owner(), {"online_visible": False})


@on(protocol.SetPageSettings)
async def _(world: World) -> Command:
    return Command(await world.owner(), {"settings": {"board": "marble"}})


@on(protocol.SetVacation)
async def _(world: World) -> Command:
    return Command(await world.owner(), {"days": 7})


@on(protocol.MarkNotificationsRead)
async def _(world: World) -> Command:
    ann, ben = await world.guest(), await world.owner()
    await challenge(ann, ben)
    return Command(ben, {})


@on(protocol.SetNotificationKinds)
async def _(world: World) -> Command:
    return Command(await world.owner(), {"kinds": ["your_turn"]})


@on(protocol.SubscribeToPush)
async def _(world: World) -> Command:
    return Command(await world.owner(), subscription(world))


@on(protocol.UnsubscribeFromPush)
async def _(world: World) -> Command:
    ann, subscribed = await world.owner(), subscription(world)
    assert (await ann.ask("subscribe_to_push", **subscribed))["type"] == "done"
    return Command(ann, {"endpoint": subscribed["endpoint"]})


def subscription(world: World) -> Frame:
    """Return the fields of a browser that subscribes to push messages."""
    key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    return {"endpoint": f"https://push.example.org/{world.name()}", "key": key, "secret": "BTBZMqHH6r4Tts7J_aSIgg"}


@on(protocol.Report)
async def _(world: World) -> Command:
    ann, other = await with_another(world)
    return Command(ann, {**other, "reason": "cheating", "note": ""})


async def reported(world: World) -> tuple[Visitor, Frame, str]:
    """Return a moderator, the fields that name a reported player, and the report."""
    meg, ann = await world.moderator(), await world.guest()
    _, other = await with_another(world)
    await ann.ask("report", id="report", **other, reason="cheating", note="")
    return meg, other, f"{ann.player['id']}/report"


@on(protocol.TakeReports)
async def _(world: World) -> Command:
    meg, other, _ = await reported(world)
    return Command(meg, {**other, "on": True})


@on(protocol.SettleReports)
async def _(world: World) -> Command:
    meg, other, report = await reported(world)
    return Command(meg, {**other, "reports": [report], "upheld": True, "reason": "Cheating."})


@on(protocol.Moderate)
async def _(world: World) -> Command:
    meg, other, _ = await reported(world)
    return Command(meg, {**other, "action": "mute", "reason": "Insults."})


@on(protocol.ChooseName)
async def _(world: World) -> Command:
    ann = await world.owner()
    await world.console.do(ModerationAction.REMOVE_NAME, ann.player["name"])
    await ann.hear_until("your_restrictions")
    return Command(ann, {"name": world.name()})
