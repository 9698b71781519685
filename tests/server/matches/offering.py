"""Tables at which an offer is made, for tests of offers."""

from collections.abc import Sequence
from typing import Any

from millrace.protocol import (
    AcceptOffer,
    ClockSettings,
    Code,
    DeclineOffer,
    Ended,
    Event,
    Offer,
    OfferKind,
    SeatPlan,
)
from tests.server.tables import ID, MATCH, ME, OPEN, PEOPLE, Table

SHEEP_FOR_THREE = "r16,0,0,0/b16,0,0,0/g16,0,0,0 r 3"
CLOCK = ClockSettings(60_000, 1_000)


def offer(table: Table, seat: int, kind: OfferKind, at_ms: int = 0, ply: int | None = None) -> list[Event]:
    return table.obey(Offer(ID, MATCH, seat, kind, ply), PEOPLE[seat], at_ms)


def accept(table: Table, seat: int, kind: OfferKind, at_ms: int = 0) -> list[Event]:
    return table.obey(AcceptOffer(ID, MATCH, seat, kind), PEOPLE[seat], at_ms)


def decline(table: Table, seat: int, kind: OfferKind) -> list[Event]:
    return table.obey(DeclineOffer(ID, MATCH, seat, kind), PEOPLE[seat])


def refusal_of_offer(table: Table, seat: int, kind: OfferKind, ply: int | None = None) -> Code:
    return table.refusal_of(Offer(ID, MATCH, seat, kind, ply), PEOPLE[seat])


def morris(*moves: str, plans: Sequence[SeatPlan] = (ME, OPEN), clock: ClockSettings | None = None) -> Table:
    table = Table("", *plans, game="morris", clock=clock)
    for move in moves:
        table.play(move)
    return table


def sheep(*moves: str) -> Table:
    table = Table(SHEEP_FOR_THREE, ME, OPEN, OPEN)
    for move in moves:
        table.play(move)
    return table


def ranks_of(events: Sequence[Event]) -> Any:
    ended = events[-1]
    assert isinstance(ended, Ended)
    return ended.ranks
