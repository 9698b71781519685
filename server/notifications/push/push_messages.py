"""The text of a notification while no page is open, and the address that it leads to."""

import json
from urllib.parse import quote

from millrace.engine.games import title_of
from millrace.protocol import Notification, NotificationKind

from .delivery import Message

MESSAGES = {
    NotificationKind.YOUR_TURN: ("It is your turn against {name}", "It is your turn"),
    NotificationKind.CHALLENGED: ("{name} challenges you", ""),
    NotificationKind.CHALLENGE_ACCEPTED: ("{name} accepted your challenge", ""),
    NotificationKind.CHALLENGE_DECLINED: ("Your challenge was declined", ""),
    NotificationKind.MATCH_ENDED: ("Your match against {name} is over: {reason}", "Your match is over: {reason}"),
    NotificationKind.REMATCH_OFFERED: ("{name} offers a rematch", ""),
    NotificationKind.REPORT_UPHELD: ("Moderators acted on your report. Thank you", ""),
    NotificationKind.TOURNAMENT_SOON: ("Your tournament starts soon: {reason}", ""),
    NotificationKind.SIMUL_ACCEPTED: ("{name} has accepted you for the simultaneous exhibition", ""),
    NotificationKind.SIMUL_STARTED: ("The simultaneous exhibition of {name} has begun", ""),
    NotificationKind.LADDER_CHALLENGED: ("{name} challenges you on the ladder", ""),
    NotificationKind.LADDER_MOVED: (
        "Your place on the ladder is {reason} after your match against {name}",
        "You lost on time, and have dropped off the ladder",
    ),
    NotificationKind.STUDY_SHARED: ("{name} lets you edit a study: {reason}", ""),
    NotificationKind.FOLLOWED_ONLINE: ("{name} is online", ""),
    NotificationKind.FOLLOWED_PLAYING: ("{name} started a match", ""),
}
"""By kind, the messages of `client/web/notifications/notification_texts.js`: with another player, and without."""

ABOUT_TOURNAMENTS = (
    NotificationKind.TOURNAMENT_SOON,
    NotificationKind.SIMUL_ACCEPTED,
    NotificationKind.LADDER_MOVED,
)


def push_message(notification: Notification) -> Message:
    """Return the message of a notification, as JSON.

    `client/web/worker/service_worker.js` shows it in the reader's language if it has the catalogue, else in English.
    """
    player = notification.player
    named, unnamed = MESSAGES[notification.kind]
    message = unnamed if player is None and unnamed else named
    values = {"name": "A player" if player is None else player.name, "reason": notification.explanation}
    tag = f"millrace-{notification.kind}-{notification.subject}"
    shown = {
        "title": message.format(**values),
        "message": message,
        "values": values,
        "game": notification.game or "",
        "body": "" if notification.game is None else title_of(notification.game),
        "path": _path_of(notification),
        "tag": tag,
    }
    return Message(json.dumps(shown, ensure_ascii=False).encode(), tag)


def _path_of(notification: Notification) -> str:
    if notification.match is not None:
        # A reported line may be in another chat, which a path names.
        return f"/{notification.match}" if "/" in notification.match else f"/match/{notification.match}"
    if notification.kind in ABOUT_TOURNAMENTS:
        return f"/tournament/{notification.subject}"
    if notification.kind is NotificationKind.STUDY_SHARED:
        return f"/study/{notification.subject}"
    return "/" if notification.player is None else f"/player/{quote(notification.player.name, safe='')}"
