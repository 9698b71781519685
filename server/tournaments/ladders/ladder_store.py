"""Stored ladders: their events, and who took part.

A ladder's events are numbered, so of two writers who decide on the same state only the first stores anything.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import BigInteger, Integer, Text, func, insert, select, update
from sqlalchemy.dialects import postgresql

from millrace.protocol import IdentityId, Player, TournamentId

from ...runtime.slices import in_slices
from ...storage.appends import Insertion, Statement, parameters
from ...storage.database import Step, Store
from ...storage.errors import StorageError
from ...storage.tables import define_table, required
from .ladder import Ladder, after
from .ladder_events import AnyLadderEvent, LadderJoined, encode_event, parse_event

EVENTS_AT_ONCE = 50
"""How many events are folded before the event loop may have a turn."""

ladder_events = define_table(
    "ladder_events",
    ["ladder", "seq"],
    *required(Text, "ladder"),
    *required(Integer, "seq"),
    *required(BigInteger, "at_ms"),
    *required(Text, "body"),
)
"""The events of each ladder, numbered from 1 without gaps; `body` is the event's JSON."""

ladder_players = define_table("ladder_players", ["identity", "ladder"], *required(Text, "identity", "ladder"))
"""Who has ever joined which ladder."""


class _EventRow(NamedTuple):
    seq: int
    at_ms: int
    body: str


INSERT_EVENT = Statement(insert(ladder_events).values(parameters(ladder_events)), tuple(ladder_events.c.keys()))
INSERT_PLAYER = Statement(
    postgresql.insert(ladder_players).values(parameters(ladder_players)).on_conflict_do_nothing(),
    tuple(ladder_players.c.keys()),
)

STATEMENTS = (INSERT_EVENT, INSERT_PLAYER)
"""In the order in which a batch of the journal runs them."""


def insertions_of(ladder: Ladder, events: Sequence[AnyLadderEvent], at_ms: int) -> list[Insertion]:
    """Return what stores the next events of a ladder; it violates a constraint unless they are the next."""
    rows = [(ladder.id, seq, at_ms, encode_event(event)) for seq, event in enumerate(events, ladder.seq + 1)]
    players = [(event.identity, ladder.id) for event in events if isinstance(event, LadderJoined)]
    return [Insertion(INSERT_EVENT, rows), *([Insertion(INSERT_PLAYER, players)] if players else [])]


class LadderStore(Store):
    """The stored ladders."""

    async def read_new(self, ladder: Ladder) -> Ladder:
        """Return a ladder with what has been stored since. Raises: StorageError."""
        columns = (ladder_events.c.seq, ladder_events.c.at_ms, ladder_events.c.body)
        is_new = (ladder_events.c.ladder == ladder.id, ladder_events.c.seq > ladder.seq)
        found = select(*columns).where(*is_new).order_by(ladder_events.c.seq)
        rows = await self._database.records(_EventRow, found)
        events = [(_read(ladder.id, row), row.at_ms) async for row in in_slices(rows)]
        async for start in in_slices(range(0, len(events), EVENTS_AT_ONCE)):
            ladder = after(ladder, events[start : start + EVENTS_AT_ONCE])
        return ladder


def _read(ladder: TournamentId, row: _EventRow) -> AnyLadderEvent:
    try:
        return parse_event(row.body)
    except msgspec.MsgspecError as error:
        raise StorageError(f"event {row.seq} of {ladder} cannot be read: {error}") from error


def deletion_steps(identity: IdentityId, replacement: Player) -> list[Step]:
    """Return the steps that put another identity in the place of a player in every ladder."""
    joined = select(ladder_players.c.ladder).where(ladder_players.c.identity == identity)
    # Identities are random, and quoted in JSON: nothing else reads like one.
    quoted, body = f'"{identity}"', ladder_events.c.body
    is_about = (ladder_events.c.ladder.in_(joined), body.contains(quoted, autoescape=True))
    replaced = func.replace(body, quoted, f'"{replacement.id}"')
    return [
        Step(update(ladder_events).where(*is_about).values(body=replaced)),
        Step(update(ladder_players).where(ladder_players.c.identity == identity).values(identity=replacement.id)),
    ]
