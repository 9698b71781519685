"""Commands about players: who is online, profiles and ratings, following, blocking and reporting."""

import asyncio
from typing import get_args

from millrace.protocol import IdentityId, RatingKind, ReportReason, Speed

from ..formatting import crosstable_lines, leader_lines, notification_line, online_lines, profile_lines
from ..usage import UsageError
from .command import Command, Group
from .session import Session, first_of

_SPEEDS = frozenset(speed.value for speed in Speed)


async def _list_online(session: Session, _: list[str]) -> None:
    online = await first_of(session.me.players.online())
    session.names.update(each.player.name for each in (*online.players, *online.bots))
    session.say(online_lines(online))


async def _find_players(session: Session, words: list[str]) -> None:
    found = await session.me.players.find(words[0])
    session.names.update(each.player.name for each in found)
    session.say((each.player.name for each in found), f"No account has a name that begins with {words[0]}.")


async def _show_profile(session: Session, words: list[str]) -> None:
    name = words[0]
    profile, ratings = await asyncio.gather(session.me.players.profile(name), session.me.players.ratings(name))
    session.say(profile_lines(profile, ratings))


async def _list_leaders(session: Session, words: list[str]) -> None:
    game = session.game(words[0])
    speed, seats = Speed.UNTIMED, game.seats[0]
    for word in words[1:]:
        if word.isdecimal() and int(word) in game.seats:
            seats = int(word)
        elif word in _SPEEDS:
            speed = Speed(word)
        else:
            raise UsageError(f"{word} is neither a speed ({', '.join(Speed)}) nor a number of players.")
    leaders = await session.me.players.leaders(RatingKind(game.name, seats, speed))
    session.say(leader_lines(leaders))


async def _crosstable(session: Session, words: list[str]) -> None:
    one, other = words if len(words) > 1 else (None, words[0])
    session.say(crosstable_lines(await session.me.archive.crosstable(other, one)))


async def _follow(session: Session, words: list[str]) -> None:
    await session.me.players.follow(await _player(session, words[0]))
    session.face.say(f"You follow {words[0]}.")


async def _unfollow(session: Session, words: list[str]) -> None:
    await session.me.players.follow(await _player(session, words[0]), on=False)
    session.face.say(f"You no longer follow {words[0]}.")


async def _block(session: Session, words: list[str]) -> None:
    await session.me.players.block(await _player(session, words[0]))
    session.face.say(f"You have blocked {words[0]}.")


async def _unblock(session: Session, words: list[str]) -> None:
    await session.me.players.unblock(await _player(session, words[0]))
    session.face.say(f"You have unblocked {words[0]}.")


async def _report(session: Session, words: list[str]) -> None:
    name, typed, *rest = words
    reasons: tuple[ReportReason, ...] = get_args(ReportReason)
    reason = next((each for each in reasons if each == typed), None)
    if reason is None:
        raise UsageError(f"The reason must be one of: {', '.join(reasons)}.")
    await session.me.moderation.report(None, reason, player=await _player(session, name), note=" ".join(rest))
    session.face.say("Your report was sent to the moderators.")


async def _list_notifications(session: Session, _: list[str]) -> None:
    lines = (f"{' ' if each.read else '*'} {notification_line(each)}" for each in session.notifications)
    session.say(lines, "You have no notifications.")
    if any(not each.read for each in session.notifications):
        await session.me.notifications.mark_read()


async def _player(session: Session, name: str) -> IdentityId:
    """Return the id of the owner of an account. Raises: RefusedError."""
    return (await session.me.players.profile(name)).status.player.id


PLAYERS = Group(
    "Players",
    (
        Command("who", "list who is online", _list_online),
        Command("players PREFIX", "list accounts by the start of their name", _find_players),
        Command("profile NAME", "show a player's profile and ratings", _show_profile),
        Command("crosstable NAME [NAME]", "compare the results of two players", _crosstable),
        Command("leaders GAME [SPEED] [SEATS]", "list the best players", _list_leaders),
        Command("follow NAME", "be notified when a player is online or plays", _follow),
        Command("unfollow NAME", "stop following a player", _unfollow),
        Command("block NAME", "avoid a player: no pairing, no challenges", _block),
        Command("unblock NAME", "remove a block", _unblock),
        Command("report NAME REASON [TEXT...]", "report a player to the moderators", _report),
        Command("notifications", "list your notifications", _list_notifications),
    ),
)
