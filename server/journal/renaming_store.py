"""Putting another player, or another name, in the seats of an identity: in rows and in packed matches.

Each step fails if its event is no longer where it was read, since the match has been packed meanwhile.
"""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace
from sqlalchemy import or_, select, update

from millrace.protocol import IdentityId, MatchId, Player, Seated, SeatFreed, encode, parse_event

from ..runtime.slices import in_slices
from ..storage.database import Database, Step
from ..storage.errors import StorageError
from .packed_facts import number_of
from .packed_form import rest_rows, with_bodies
from .seats_store import matches_with, seat_column
from .tables import SEATS, events, match_players, matches, packed_matches


class _SeatedEvent(NamedTuple):
    match: MatchId
    seq: int
    body: str


class _Rest(NamedTuple):
    match: MatchId
    rest: bytes


async def renaming_steps(database: Database, identity: IdentityId, player: Player) -> list[Step]:
    """Return the steps that put a player in every seat that an identity has had or left. Raises: StorageError."""

    def renamed(body: str) -> str:
        if not body.startswith(('{"type":"seated"', '{"type":"seat_freed"')):
            return body
        event = parse_event(body)
        is_theirs = isinstance(event, Seated | SeatFreed) and event.player.id == identity
        return encode(replace(event, player=player)).decode() if is_theirs else body

    # In this order, so that what is packed meanwhile is found in one of the two.
    return [*await _steps_in_rows(database, identity, renamed), *await _packed_steps(database, identity, renamed)]


async def _steps_in_rows(database: Database, identity: IdentityId, renamed: Callable[[str], str]) -> list[Step]:
    is_seated = or_(events.c.body.like('{"type":"seated"%'), events.c.body.like('{"type":"seat_freed"%'))
    found = select(events.c.match, events.c.seq, events.c.body)
    found = found.where(events.c.match.in_(matches_with(identity)), is_seated)
    steps = []
    for match, seq, body in await database.records(_SeatedEvent, found):
        if (changed := renamed(body)) != body:
            is_event = (events.c.match == match, events.c.seq == seq)
            steps.append(Step(update(events).where(*is_event).values(body=changed), must_change=True))
    return steps


async def _packed_steps(database: Database, identity: IdentityId, renamed: Callable[[str], str]) -> list[Step]:
    found = select(packed_matches.c.match, packed_matches.c.rest)
    found = found.where(packed_matches.c.match.in_(matches_with(identity)))
    steps = []
    async for match, rest in in_slices(await database.records(_Rest, found)):
        try:
            bodies = [row.body for row in rest_rows(rest)]
        except ValueError as error:
            raise StorageError(f"the packed match {match} cannot be read: {error}") from error
        if (changed := [*map(renamed, bodies)]) != bodies:
            is_as_read = (packed_matches.c.match == match, packed_matches.c.rest == rest)
            change = update(packed_matches).where(*is_as_read).values(rest=with_bodies(rest, changed))
            steps.append(Step(change, must_change=True))
    return steps


async def replacing_steps(database: Database, identity: IdentityId, replacement: Player) -> list[Step]:
    """Return the steps that put a player in the place of one whose account is deleted. Raises: StorageError."""
    old, new = number_of(identity), number_of(replacement.id)
    packed = (update(packed_matches).where(seat_column(seat) == old).values({f"seat_{seat}": new}) for seat in SEATS)
    return [
        *await renaming_steps(database, identity, replacement),
        *map(Step, packed),
        Step(update(match_players).where(match_players.c.identity == identity).values(identity=replacement.id)),
        Step(update(matches).where(matches.c.origin_by == identity).values(origin_by=replacement.id)),
    ]
