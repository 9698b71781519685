"""Who watches a match: connections that come and go here, and what the nodes tell each other about theirs.

Between nodes, only the first connection of an identity and the last one count; changes are gathered for a moment.
"""

from millrace.protocol import IdentityId, Watching, encode
from millrace.protocol.frames import wire_frame

from ..callers.presence import Recipient
from ..cluster.match_events import WatchersChanged, WatchersListed
from ..matches.match import Phase
from ..matches.views import encode_turn
from .automation import close, resume_bots, update_rematch
from .page_bots import withdraw_offer
from .room import Room
from .sending import presence_update, schedule_update

GATHER_SECONDS = 0.05
"""How long changes are gathered before the other nodes are told."""


def watch(room: Room, listener: Recipient, since: int, *, is_glance: bool = False, reserves: bool = False) -> None:
    """Send a connection what it has missed since an event, and everything from now on.

    With `reserves`, keep an open seat of an invitation for it.
    """
    audience, log = room.audience, room.log
    match = log.match
    if listener.identity in match.people:
        audience.players.add(listener)
    else:
        audience.spectators.add(listener)
    if not is_glance and listener not in audience.counted:
        audience.counted.add(listener)
        if room.presence.add(listener.identity):
            _note_coming(room, listener.identity)
    reserved = reserves and _reserve(room, listener.identity)
    seats = match.seats_of(listener.identity)
    until = log.match_for(listener.identity).seq
    board = log.board_after(min(since, until))
    watching = Watching(match.id, until, board, seats, room.services.now_ms(), reserved)
    messages = [encode(watching), *log.encoded(since, until)]
    mover = match.mover
    if mover is not None and mover.level is None and mover.id == listener.identity:
        messages.append(encode_turn(match))
    messages.append(encode(presence_update(room, is_player=bool(seats))))
    listener.deliver([wire_frame(message) for message in messages])
    schedule_update(room)
    if room.bot_searches.are_suspended and not is_glance:
        room.tasks.begin(resume_bots, room)


def unwatch(room: Room, listener: Recipient, *, has_closed: bool) -> None:
    """Send a connection nothing more; `has_closed` says that it ended on purpose."""
    audience = room.audience
    audience.players.discard(listener)
    audience.spectators.remove(listener)
    withdraw_offer(room, listener)
    if listener in audience.counted:
        audience.counted.discard(listener)
        if room.presence.remove(listener.identity, has_closed, room.services.now_ms()):
            _note_leaving(room, listener.identity, has_closed)
    schedule_update(room)
    if room.is_owned:
        update_rematch(room)


def receive_watchers(room: Room, event: WatchersChanged | WatchersListed) -> None:
    """Take over who watches on another node, and answer if it asks."""
    now_ms = room.services.now_ms()
    if isinstance(event, WatchersListed):
        room.presence.set_elsewhere(event.node, event.watchers, now_ms)
        if event.is_answer_wanted:
            list_watchers(room, is_answer_wanted=False)
    else:
        room.presence.change_elsewhere(event.node, event.came, dict(event.left), now_ms)
        for identity in event.reserving:
            room.presence.reserve(identity, now_ms)
    _watchers_changed(room)


def forget_watchers(room: Room, node: str) -> None:
    """Count nobody on a node that is gone."""
    if room.presence.set_elsewhere(node, (), room.services.now_ms()):
        _watchers_changed(room)


def list_watchers(room: Room, *, is_answer_wanted: bool) -> None:
    """Tell the other nodes everyone who watches here, and perhaps ask them for the same."""
    bus, here = room.services.bus, tuple(room.presence.here)
    if here or is_answer_wanted:
        bus.publish(WatchersListed(room.id, bus.node, here, is_answer_wanted))


async def close_room(room: Room) -> None:
    """Stop what happens without a command, and tell the other nodes that nobody watches here any more."""
    audience = room.audience
    if audience.update_timer is not None:
        audience.update_timer.cancel()
    if audience.news_timer is not None:
        audience.news_timer.cancel()
        _send_news(room)
    await close(room)


def _watchers_changed(room: Room) -> None:
    schedule_update(room)
    if room.is_owned:
        update_rematch(room)
        if room.bot_searches.are_suspended and room.presence.identities:
            room.tasks.begin(resume_bots, room)


def _note_coming(room: Room, identity: IdentityId) -> None:
    room.audience.came.add(identity)
    room.audience.left.pop(identity, None)
    _schedule_news(room)


def _reserve(room: Room, identity: IdentityId) -> bool:
    """Keep an open seat of an invitation for a visitor; return whether one is kept.

    None is kept in a rated match, which guests cannot join, nor of a challenge to somebody else.
    """
    match, presence, now_ms = room.match, room.presence, room.services.now_ms()
    created = match.created
    if match.phase is not Phase.WAITING or created.listed or created.rated or identity in match.people:
        return False
    if created.invited not in (None, identity):
        return False
    if presence.reservations_before(identity, now_ms) >= match.players.count(None):
        return False
    if presence.reserve(identity, now_ms):
        room.audience.reserving.add(identity)
        _schedule_news(room)
    return presence.is_reserving(identity, now_ms)


def _note_leaving(room: Room, identity: IdentityId, has_closed: bool) -> None:
    room.audience.came.discard(identity)
    room.audience.left[identity] = has_closed
    _schedule_news(room)


def _schedule_news(room: Room) -> None:
    audience = room.audience
    if not room.is_shared:
        for news in (audience.came, audience.left, audience.reserving):
            news.clear()
    elif audience.news_timer is None:
        audience.news_timer = room.loop.call_later(GATHER_SECONDS, _send_news, room)


def _send_news(room: Room) -> None:
    """Tell the other nodes who has come and gone here."""
    audience, bus = room.audience, room.services.bus
    audience.news_timer = None
    came, audience.came = tuple(audience.came), set()
    left, audience.left = tuple(audience.left.items()), {}
    reserving, audience.reserving = tuple(audience.reserving), set()
    bus.publish(WatchersChanged(room.id, bus.node, came, left, reserving))
