"""Commands about players: who is online, profiles and ratings, following, blocking and reporting."""

import asyncio
from collections.abc import Sequence
from typing import get_args

from millrace.protocol import (
    GameInfo,
    IdentityId,
    Notification,
    NotificationKind,
    PastMatch,
    RatingKind,
    ReportReason,
    Speed,
)

from ..formatting import (
    crosstable_lines,
    kind_text,
    leader_line,
    notification_line,
    past_line,
    profile_lines,
    status_line,
)
from ..usage import UsageError
from .command import Command, Group
from .session import PROFILE, Entry, Session, first_of

LEAST_LETTERS = 2
"""Minimum number of letters for a search of accounts."""
MOST_MATCHES = 5
"""Maximum finished matches of a profile."""
_SPEEDS = frozenset(speed.value for speed in Speed)


async def _list_online(session: Session, _: list[str]) -> None:
    online = await first_of(session.me.players.online())
    listed = [(each.player.name, status_line(each, session.me.games)) for each in (*online.players, *online.bots)]
    session.list_players(listed, f"Players with an account: {online.count}; guests: {online.guests}")


async def _find_players(session: Session, words: list[str]) -> None:
    if len(words[0]) < LEAST_LETTERS:
        raise UsageError(f"Type at least {LEAST_LETTERS} letters of the name.")
    found = await session.me.players.find(words[0])
    listed = [(each.player.name, status_line(each, session.me.games)) for each in found]
    none = f"No account has a name that begins with {words[0]}."
    session.list_players(listed, f"Accounts that begin with {words[0]}:" if listed else none)


async def _show_profile(session: Session, words: list[str]) -> None:
    name = session.player_of(words[0])
    profile, ratings = await asyncio.gather(session.me.players.profile(name), session.me.players.ratings(name))
    lines = "\n".join(profile_lines(profile, ratings, session.me.games))
    session.list_entries([_replay(session, match) for match in ratings.matches[:MOST_MATCHES]], lines)


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
    listed = [(each.player.name, leader_line(each)) for each in (*leaders.leaders, *leaders.bots)]
    kind = kind_text(leaders.kind, session.me.games)
    none = "" if listed else f" no players yet; a player is listed after {leaders.least_matches} rated matches."
    session.list_players(listed, f"The best at {kind}:{none}")


async def _crosstable(session: Session, words: list[str]) -> None:
    *ones, other = map(session.player_of, words)
    table = await session.me.archive.crosstable(other, ones[0] if ones else None)
    lines = "\n".join(crosstable_lines(table, session.me.games))
    session.list_entries([_replay(session, match) for match in table.matches], lines)


async def _follow(session: Session, words: list[str]) -> None:
    name = session.player_of(words[0])
    await session.me.players.follow(await _player(session, name))
    session.face.say(f"You follow {name}.")


async def _unfollow(session: Session, words: list[str]) -> None:
    name = session.player_of(words[0])
    await session.me.players.follow(await _player(session, name), on=False)
    session.face.say(f"You no longer follow {name}.")


async def _block(session: Session, words: list[str]) -> None:
    name = session.player_of(words[0])
    await session.me.players.block(await _player(session, name))
    session.face.say(f"You have blocked {name}.")


async def _unblock(session: Session, words: list[str]) -> None:
    name = session.player_of(words[0])
    await session.me.players.unblock(await _player(session, name))
    session.face.say(f"You have unblocked {name}.")


async def _report(session: Session, words: list[str]) -> None:
    name, typed, *rest = words
    reason = _reason(typed)
    await session.me.moderation.report(None, reason, player=await _player(session, name), note=" ".join(rest))
    session.face.say("Your report was sent to the moderators.")


async def _report_study(session: Session, words: list[str]) -> None:
    link, typed, *rest = words
    study = link.rstrip("/").rpartition("/")[2]
    await session.me.moderation.report(None, _reason(typed), study=study, note=" ".join(rest))
    session.face.say("Your report was sent to the moderators.")


def _reason(typed: str) -> ReportReason:
    """Return a reason for a report. Raises: UsageError."""
    reasons: tuple[ReportReason, ...] = get_args(ReportReason)
    for each in reasons:
        if each == typed:
            return each
    raise UsageError(f"The reason must be one of: {', '.join(reasons)}.")


async def _list_notifications(session: Session, _: list[str]) -> None:
    listed = [_notification_entry(each, session.me.games) for each in session.notifications]
    session.list_entries(listed, "Notifications:" if listed else "You have no notifications.")
    if any(not each.read for each in session.notifications):
        await session.me.notifications.mark_read()


def _notification_entry(notification: Notification, games: Sequence[GameInfo]) -> Entry:
    """Return a notification as an entry: picking it accepts the challenge, or shows the match or the player."""
    line = f"{' ' if notification.read else '*'} {notification_line(notification, games)}"
    if notification.match is not None:
        verb = "join" if notification.kind is NotificationKind.CHALLENGED else "open"
        return Entry(line, notification.match, f"{verb} {notification.match}")
    name = "" if notification.player is None else notification.player.name
    return Entry(line, name, f"{PROFILE} {name}")


async def _player(session: Session, name: str) -> IdentityId:
    """Return the id of the owner of an account. Raises: RefusedError."""
    return (await session.me.players.profile(name)).status.player.id


def _replay(session: Session, match: PastMatch) -> Entry:
    return Entry(past_line(match, session.me.games), match.match, f"replay {match.match}")


PLAYERS = Group(
    "Players",
    (
        Command("who", "list who is online", _list_online),
        Command("players PREFIX", "list accounts by the start of their name", _find_players, "players Bea"),
        Command("profile NAME", "show a player's profile and ratings", _show_profile, "profile Beatrix"),
        Command("crosstable NAME [NAME]", "compare the results of two players", _crosstable, "crosstable Beatrix Ann"),
        Command("leaders GAME [SPEED] [SEATS]", "list the best players", _list_leaders, "leaders battlesheep rapid 3"),
        Command("follow NAME", "be notified when a player is online or plays", _follow, "follow Beatrix"),
        Command("unfollow NAME", "stop following a player", _unfollow, "unfollow Beatrix"),
        Command("block NAME", "avoid a player: no pairing, no challenges", _block, "block Beatrix"),
        Command("unblock NAME", "remove a block", _unblock, "unblock Beatrix"),
        Command(
            "report NAME REASON [TEXT...]",
            "report a player to the moderators",
            _report,
            "report Beatrix insult in the chat",
        ),
        Command(
            "reportstudy LINK WHY [TEXT...]",
            "report a study to them",
            _report_study,
            "reportstudy https://millrace.example/study/4k2a spam",
        ),
        Command("notifications", "list your notifications", _list_notifications),
    ),
    needs_others=True,
)
