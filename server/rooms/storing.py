"""Events on their way into the journal: they are stored, and only then added to the room's log.

The other nodes are told too. Nobody learns of an event that could still be lost. The caller must have the room's turn.
"""

import asyncio
from collections.abc import Sequence

from millrace.engine.state import State
from millrace.protocol import Moved

from ..cluster.match_events import EventsStored, StoredEvent
from ..journal.entries import Entry, Recorded
from ..journal.unavailable import refusing_failures
from ..matches.finish import finish_after
from ..matches.fold import apply_next
from ..runtime import metrics
from ..storage.appends import Insertion
from .event_log import AddedEvents, EventLog
from .notifier_interface import InboxChanges
from .room import Room


def begin_storing(room: Room, entries: Sequence[Entry], insertions: Sequence[Insertion] = ()) -> asyncio.Future[bool]:
    """Begin to store entries, and what features have prepared. When that is done, `finish_storing` must follow."""
    match = room.log.match
    is_ply = len(entries) == 1 and type(entries[0].event) is Moved
    finish = None if is_ply else finish_after(match, entries)
    # A ply alone notifies nobody, unless the match is by correspondence.
    is_noticed = not is_ply or (match.clock is not None and match.clock.settings.renews)
    inbox = _inbox_after(room, entries) if is_noticed else None
    if inbox is not None:
        insertions = (*insertions, *inbox.insertions)
    room.is_uncertain, room.begun, room.begun_inbox = True, tuple(entries), inbox
    return room.services.journal.append(room.id, match.seq, entries, finish=finish, insertions=insertions)


def finish_storing(room: Room, stored: asyncio.Future[bool], played: State | None = None) -> AddedEvents | None:
    """Add what has been stored to the log, and return what was added; None if another writer was first.

    Raises: Refusal if the journal failed. What was stored is then open.
    """
    error = stored.exception()
    if error is not None:
        with refusing_failures("journal append failed", match=room.id):
            raise error
    if not stored.result():
        return None
    seq = room.log.match.seq
    recorded = list(map(Recorded, range(seq + 1, seq + 1 + len(room.begun)), room.begun))
    for entry in room.begun:
        metrics.EVENTS_BY_KIND[type(entry.event)].inc()
    # If a fault is met here, the room stays uncertain, and reads what is stored before the next command.
    added = room.log.add(recorded, played)
    room.is_uncertain = False
    if room.begun_inbox is not None:
        room.begun_inbox.announce()
    if room.is_shared:
        _tell_other_nodes(room, recorded)
    return added


async def store(
    room: Room, entries: Sequence[Entry], played: State | None = None, insertions: Sequence[Insertion] = ()
) -> AddedEvents | None:
    """Store entries and return what was added; None if another writer was first. Raises: Refusal."""
    stored = begin_storing(room, entries, insertions)
    await asyncio.wait((stored,))
    return finish_storing(room, stored, played)


async def catch_up(room: Room) -> AddedEvents | None:
    """Read the journal again if a failure has left open what is stored. Raises: Refusal."""
    if not room.is_uncertain:
        return None
    new = await _load(room, room.log.match.seq)
    if room.is_shared and new:
        # Nobody has told the other nodes what this room had stored after all.
        _tell_other_nodes(room, new)
    if room.begun_inbox is not None and tuple(each.entry for each in new[: len(room.begun)]) == room.begun:
        room.begun_inbox.announce()
    return add_stored(room, new)


async def read_new(room: Room) -> AddedEvents | None:
    """Add and return what others have stored past the log; None if that is nothing. Raises: Refusal."""
    return add_stored(room, await _load(room, room.log.match.seq))


def add_stored(room: Room, recorded: Sequence[Recorded]) -> AddedEvents | None:
    """Add events that others have stored, and return those that were new; None if there are none, or if events before
    them are missing."""
    seq = room.log.match.seq
    new = [each for each in recorded if each.seq > seq]
    return room.log.add(new) if new and new[0].seq == seq + 1 else None


async def reload(room: Room) -> None:
    """Replace the log by what is stored. Raises: Refusal."""
    room.log.replace(await EventLog.load(room.id, await _load(room)))


def _tell_other_nodes(room: Room, recorded: Sequence[Recorded]) -> None:
    events = tuple([StoredEvent(*each.entry) for each in recorded])
    room.services.bus.publish(EventsStored(room.id, recorded[0].seq, events, room.lag.figures))


def _inbox_after(room: Room, entries: Sequence[Entry]) -> InboxChanges | None:
    """Return the notifications that follow from entries."""
    before = after = room.log.match
    for entry in entries:
        after = apply_next(after, entry.event, entry.at_ms)
    return room.services.notifier.changes(before, after, entries[-1].at_ms, room.presence.is_present)


async def _load(room: Room, since: int = 0) -> tuple[Recorded, ...]:
    with refusing_failures("journal load failed", "read this match", match=room.id):
        recorded = await room.services.journal.load(room.id, since)
    room.is_uncertain = False
    return recorded
