"""What players offer each other while they play: which offers are open, until when, and who may offer again.

Pure, and no match: `server.matches.match` folds events into these values, `server.matches.offers` decides by them.

An offer stays open until somebody who has not agreed to it makes a ply, and is answered by that; nobody has to time an
answer. A takeback is different: it counts plies back from the latest, so that any ply ends it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from ..protocol import OfferAccepted, OfferDeclined, Offered, OfferKind

ROUNDS_APART: Mapping[OfferKind, int] = {"draw": 5, "takeback": 1, "pause": 2}
"""So many turns of its own a seat has to wait before it offers the same again."""

PAUSE_MS = 86_400_000
"""The longest pause: then play goes on by itself, so that no match lasts for ever."""

PAUSE_GRACE_MS = 5_000
"""When a pause ends the running clock stands still for so long, so that everyone can look up."""

MORE_TIME_MS = 15_000
"""What one gives to the others at a time."""

MOST_MORE_MS = 3_600_000
"""Nobody is given time as long as the clock shows so much more than at the start."""

BOT_DRAWS_FROM_PLY = 30
"""Before this ply a bot takes a draw only if it is losing."""

BOT_LOSING_VALUE = -100
"""In hundredths of a man."""


@dataclass(frozen=True)
class OpenOffer:
    """An offer that has been made and not been answered by all."""

    kind: OfferKind
    seat: int
    lapses_at_ply: int
    """It is open as long as fewer plies have been made."""
    agreed: frozenset[int]
    """The seats that want it, the one that offers among them."""
    plies: int = 0
    """Of a takeback."""


@dataclass(frozen=True)
class Pause:
    """Play rests."""

    ends_at_ms: int
    limit_ms: int | None
    """What is left of the match's time limit, if it has one."""


@dataclass(frozen=True)
class Offers:
    """The offers of a match.

    >>> offers = Offers().after(Offered(0, "draw", lapses_at_ply=12), ply=10)
    >>> offers.find("draw", ply=11).seat, offers.find("draw", ply=12)
    (0, None)
    """

    made: tuple[OpenOffer, ...] = ()
    """At most one of a kind; it may have lapsed."""
    made_at_ply: Mapping[tuple[int, OfferKind], int] = field(default_factory=dict)
    """When a seat last made an offer of a kind."""

    def find(self, kind: OfferKind, ply: int) -> OpenOffer | None:
        """Return the open offer of a kind after so many plies."""
        return next((offer for offer in self.made if offer.kind == kind and ply < offer.lapses_at_ply), None)

    def after(self, event: Offered | OfferAccepted | OfferDeclined, ply: int) -> "Offers":
        """Return the offers after an event, so many plies having been made."""
        others = tuple(offer for offer in self.made if offer.kind != event.kind)
        match event:
            case Offered(seat, kind, lapses_at_ply, plies):
                offer = OpenOffer(kind, seat, lapses_at_ply, frozenset({seat}), plies)
                return Offers((*others, offer), {**self.made_at_ply, (seat, kind): ply})
            case OfferAccepted(seat, kind, lapses_at_ply):
                changed = (
                    replace(offer, lapses_at_ply=lapses_at_ply, agreed=offer.agreed | {seat})
                    for offer in self.made
                    if offer.kind == kind
                )
                return replace(self, made=(*others, *changed))
            case OfferDeclined():
                return replace(self, made=others)

    def must_wait(self, seat: int, kind: OfferKind, ply: int, seats: int) -> int:
        """Return how many plies have to be made before a seat may offer this again; 0 if it may now.

        >>> Offers().after(Offered(0, "takeback", lapses_at_ply=11), ply=10).must_wait(0, "takeback", 11, seats=2)
        1
        """
        last_ply = self.made_at_ply.get((seat, kind))
        return 0 if last_ply is None else max(0, last_ply + ROUNDS_APART[kind] * seats - ply)


def first_ply_of(seats_asked: Collection[int], seat_to_move: int, ply: int, seats: int) -> int:
    """Return how many plies will have been made when one of these seats has next made one; a round on if there is none.

    >>> first_ply_of({0}, seat_to_move=0, ply=10, seats=2), first_ply_of({0, 3}, seat_to_move=1, ply=10, seats=4)
    (11, 13)
    """
    return ply + 1 + min(((seat - seat_to_move) % seats for seat in seats_asked), default=seats - 1)


def is_draw_taken(value: int, ply: int) -> bool:
    """Return whether a bot agrees to a draw that is worth `value` to it, in hundredths of a man.

    >>> is_draw_taken(0, ply=10), is_draw_taken(0, ply=40), is_draw_taken(35, ply=40), is_draw_taken(-250, ply=10)
    (False, True, False, True)
    """
    return value <= BOT_LOSING_VALUE or (value <= 0 and ply >= BOT_DRAWS_FROM_PLY)
