"""Stored vacations: what each player has taken, numbered from 1 without gaps."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import BigInteger, Index, Integer, Text, delete, insert, select

from millrace.protocol import IdentityId, Player

from ...storage.database import Step, Store
from ...storage.tables import define_table, required
from .vacation_rules import Vacation

vacations = define_table(
    "vacations",
    ["identity", "number"],
    *required(Text, "identity"),
    *required(Integer, "number"),
    *required(BigInteger, "at_ms", "until_ms"),
)
"""The vacations of players; the latest of a player counts, and is over at its start if the player came back then."""


Index("vacations_until", vacations.c.until_ms)


class TakenVacation(NamedTuple):
    """A vacation, and who took it: a row of `vacations`."""

    identity: IdentityId
    at_ms: int
    until_ms: int


class VacationStore(Store):
    """The stored vacations. Every method raises StorageError."""

    async def of(self, identity: IdentityId) -> Sequence[Vacation]:
        """Return what a player has taken, in order."""
        found = select(vacations.c.at_ms, vacations.c.until_ms).where(vacations.c.identity == identity)
        return await self._database.records(Vacation, found.order_by(vacations.c.number))

    def last_change(self) -> tuple[int, int] | None:
        """Return what differs once anything was stored; None if that is not known."""
        return self._database.last_change()

    async def ending_after(self, at_ms: int) -> Sequence[TakenVacation]:
        """Return all that end later, and what came after them, in the order in which each player took them."""
        columns = vacations.c.identity, vacations.c.at_ms, vacations.c.until_ms
        away = select(vacations.c.identity).where(vacations.c.until_ms > at_ms)
        found = select(*columns).where(vacations.c.identity.in_(away))
        return await self._database.records(TakenVacation, found.order_by(vacations.c.identity, vacations.c.number))

    async def add(self, identity: IdentityId, number: int, vacation: Vacation, *steps: Step) -> bool:
        """Store a vacation with further steps; False, with nothing stored, if one fails or `number` is taken."""
        row = {"identity": identity, "number": number, **vacation._asdict()}
        return await self._database.transact([Step(insert(vacations).values(row)), *steps])


def deletion_steps(identity: IdentityId, _: Player) -> list[Step]:
    """Return the steps that delete what is stored about a player."""
    return [Step(delete(vacations).where(vacations.c.identity == identity))]
