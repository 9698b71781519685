"""What the server tells, as lines for a person at a terminal.

Pure.
"""

from collections.abc import Iterable
from datetime import datetime

from millrace.server.protocol import (
    ClockSettings,
    MatchSummary,
    Notification,
    NotificationKind,
    OnlinePlayers,
    PastMatch,
    PlayerRatings,
    PlayerStatus,
    Profile,
    Seek,
    YourMatch,
)

_NOTICES = {
    NotificationKind.YOUR_TURN: "It is your turn against {name}",
    NotificationKind.CHALLENGED: "{name} challenges you to {game}",
    NotificationKind.CHALLENGE_ACCEPTED: "{name} accepted your challenge",
    NotificationKind.CHALLENGE_DECLINED: "{name} declined your challenge",
    NotificationKind.MATCH_ENDED: "Your match against {name} is over: {explanation}",
    NotificationKind.REMATCH_OFFERED: "{name} offers a rematch",
    NotificationKind.REPORT_UPHELD: "Moderators have acted upon your report about {name}",
    NotificationKind.FOLLOWED_ONLINE: "{name} is online",
    NotificationKind.FOLLOWED_PLAYING: "{name} has begun a match of {game}",
}


def notice_line(notice: Notification) -> str:
    """Return a notice as a line."""
    name = notice.player.name if notice.player is not None else "somebody"
    words = _NOTICES[notice.kind].format(name=name, game=notice.game or "", explanation=notice.explanation)
    return words + (f"  ({notice.match})" if notice.match is not None else "")


def clock_words(clock: ClockSettings | None) -> str:
    """Return a clock as players write it.

    >>> clock_words(ClockSettings(180_000, 2_000)), clock_words(ClockSettings(86_400_000, renews=True))
    ('3+2', 'days for a move: 1')
    """
    if clock is None:
        return "untimed"
    if clock.renews:
        return f"days for a move: {clock.initial_ms // 86_400_000}"
    return f"{clock.initial_ms / 60_000:g}+{(clock.increment_ms or clock.delay_ms) // 1000}"


def time_words(left_ms: int) -> str:
    """Return what a clock shows.

    >>> time_words(299_000), time_words(5_400_000)
    ('4:59', '1:30:00')
    """
    minutes, seconds = divmod(max(0, left_ms) // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def seek_line(seek: Seek) -> str:
    """Return a match that waits for a player."""
    kind = "rated" if seek.rated else "casual"
    return f"{seek.match}  {seek.game}, {clock_words(seek.clock)}, {kind}, by {seek.by.name} ({seek.rating})"


def live_line(match: MatchSummary) -> str:
    """Return a match that is being played."""
    names = " - ".join(name or "?" for name in match.players)
    return f"{match.match}  {match.game}, {clock_words(match.clock)}, ply {match.plies}: {names}"


def own_line(match: YourMatch) -> str:
    """Return a match that one plays oneself."""
    names = " - ".join(name or "?" for name in match.players)
    return f"{match.match}  {match.game}, ply {match.plies}: {names}{'  <- your turn' if match.is_your_turn else ''}"


def past_line(match: PastMatch) -> str:
    """Return a match that is over."""
    names = [player.name if player is not None else "?" for player in match.players]
    if match.ranks is None:
        how = "no result"
    elif len(set(match.ranks)) == 1:
        how = "drawn"
    else:
        how = " and ".join(names[seat] for seat, rank in enumerate(match.ranks) if rank == 1) + " won"
    return f"{match.match}  {_day(match.ended_ms)} {match.game}: {' - '.join(names)}; {how}, {match.plies} plies"


def online_lines(online: OnlinePlayers) -> Iterable[str]:
    """Yield who is online, whoever plays with the match."""
    yield f"People with an account: {online.count}; guests: {online.guests}"
    for person in (*online.players, *online.bots):
        yield f"  {_person(person)}"


def profile_lines(about: Profile, profile: PlayerRatings) -> Iterable[str]:
    """Yield what there is to see of somebody."""
    yield _person(about.status) + (", whom you follow" if about.followed else "")
    yield from about.bio.splitlines()
    yield f"Followers: {about.followers}" + (f"; here since {_day(profile.since_ms)}" if profile.since_ms else "")
    for each in profile.ratings:
        doubt = "?" if each.provisional else ""
        kind = f"{each.kind.game} for {each.kind.seats}, {each.kind.speed}"
        yield f"  {kind}: {each.rating}{doubt} after {each.matches} matches"
    for score in about.scores:
        yield f"  {score.game}: {score.won} won, {score.drawn} drawn, {score.lost} lost"
    for match in profile.matches[:5]:
        yield f"  {past_line(match)}"


def _person(person: PlayerStatus) -> str:
    words = person.player.name
    if person.player.bot or person.player.level is not None:
        words += ", a bot"
    if person.country is not None:
        words += f", {person.country}"
    if person.match is not None:
        return f"{words}, plays {person.game} ({person.match})"
    if person.online:
        return f"{words}, online"
    return f"{words}, last here {_day(person.seen_ms)}" if person.seen_ms is not None else words


def _day(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000).date().isoformat()
