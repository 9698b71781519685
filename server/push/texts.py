"""A notification as the text that a browser shows while no page is open, and the address that it leads to."""

import json
from urllib.parse import quote

from millrace.engine.game import UnknownGameError
from millrace.engine.games import find_game

from ..protocol import Notification, NotificationKind
from .delivery import Message

_TEXTS = {
    NotificationKind.YOUR_TURN: "It is your turn against {who}",
    NotificationKind.CHALLENGED: "{who} challenges you",
    NotificationKind.CHALLENGE_ACCEPTED: "{who} accepted your challenge",
    NotificationKind.CHALLENGE_DECLINED: "Your challenge was declined",
    NotificationKind.MATCH_ENDED: "Your match against {who} is over",
    NotificationKind.REMATCH_OFFERED: "{who} offers a rematch",
    NotificationKind.REPORT_UPHELD: "Moderators acted on your report. Thank you",
    NotificationKind.FOLLOWED_ONLINE: "{who} is online",
    NotificationKind.FOLLOWED_PLAYING: "{who} started a match",
}


def push_message(notification: Notification) -> Message:
    """Return the message of a notification: what `client/web/worker/service_worker.js` shows, as JSON."""
    player = notification.player
    title = _TEXTS[notification.kind].format(who="your opponent" if player is None else player.name)
    facts = [_title_of(notification.game), notification.explanation]
    tag = f"millrace-{notification.kind}-{notification.subject}"
    shown = {
        "title": title[:1].upper() + title[1:],
        "body": " · ".join(fact for fact in facts if fact),
        "path": _path_of(notification),
        "tag": tag,
    }
    return Message(json.dumps(shown, ensure_ascii=False).encode(), tag)


def _title_of(game: str | None) -> str:
    try:
        return "" if game is None else find_game(game).title
    except UnknownGameError:
        return ""


def _path_of(notification: Notification) -> str:
    if notification.match is not None:
        return f"/match/{notification.match}"
    return "/" if notification.player is None else f"/player/{quote(notification.player.name, safe='')}"
