"""The open offers of a match, as a value: which there are, until when, and who may offer again.

Pure. An offer stays open until a player who has not agreed to it makes a ply; that ply declines it, so an offer needs
no timeout. A takeback counts plies back from the latest, so any ply ends it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from millrace.protocol import OfferAccepted, OfferDeclined, Offered, OfferKind, Player

ROUNDS_APART: Mapping[OfferKind, int] = {
    "draw": 5,
    "takeback": 1,
    "pause": 2,
    "hand_over": 2,
    "take_over": 2,
}
"""Minimum number of its own turns between two offers of the same kind by a seat."""


@dataclass(frozen=True)
class OpenOffer:
    """An offer that not all players have answered."""

    kind: OfferKind
    seat: int
    lapses_at_ply: int
    """The offer is open while fewer plies than this have been made."""
    agreed: frozenset[int]
    """The seats that agree, including the one that offers."""
    plies: int = 0
    """Of a takeback: how many plies it takes back."""
    level: int | str | None = None
    """Of a hand-over: the bot's level."""
    player: Player | None = None
    """Of a take-over: the spectator who asks."""


@dataclass(frozen=True)
class Pause:
    """A pause of a match."""

    ends_at_ms: int
    """When play goes on by itself."""
    limit_ms: int | None
    """What is left of the match's time limit, if it has one."""


@dataclass(frozen=True)
class OpenOffers:
    """The open offers of a match.

    >>> offers = OpenOffers().after(Offered(0, "draw", lapses_at_ply=12), ply=10)
    >>> offers.find("draw", ply=11).seat, offers.find("draw", ply=12)
    (0, None)
    """

    made: tuple[OpenOffer, ...] = ()
    """At most one of each kind; it may have lapsed."""
    made_at_ply: Mapping[tuple[int, OfferKind], int] = field(default_factory=dict)
    """When a seat last made an offer of a kind."""

    def find(self, kind: OfferKind, ply: int) -> OpenOffer | None:
        """Return the offer of a kind that is open at a ply."""
        return next((offer for offer in self.made if offer.kind == kind and ply < offer.lapses_at_ply), None)

    def after(self, event: Offered | OfferAccepted | OfferDeclined, ply: int) -> "OpenOffers":
        """Return the offers after an event at a ply."""
        others = tuple(offer for offer in self.made if offer.kind != event.kind)
        match event:
            case Offered(seat, kind, lapses_at_ply, plies, level, player):
                offer = OpenOffer(kind, seat, lapses_at_ply, frozenset({seat}), plies, level, player)
                return OpenOffers((*others, offer), {**self.made_at_ply, (seat, kind): ply})
            case OfferAccepted(seat, kind, lapses_at_ply):
                changed = (
                    replace(offer, lapses_at_ply=lapses_at_ply, agreed=offer.agreed | {seat})
                    for offer in self.made
                    if offer.kind == kind
                )
                return replace(self, made=(*others, *changed))
            case OfferDeclined():
                return replace(self, made=others)

    def plies_to_wait(self, seat: int, kind: OfferKind, ply: int, seats: int) -> int:
        """Return how many more plies must be made before a seat may offer this again; 0 if it may now.

        >>> OpenOffers().after(Offered(0, "takeback", lapses_at_ply=11), ply=10).plies_to_wait(0, "takeback", 11, 2)
        1
        """
        last_ply = self.made_at_ply.get((seat, kind))
        return 0 if last_ply is None else max(0, last_ply + ROUNDS_APART[kind] * seats - ply)


def ply_after_next_turn(seats_asked: Collection[int], seat_to_move: int, ply: int, seats: int) -> int:
    """Return the ply number after the next turn of any of these seats; after a whole round if there are none.

    >>> ply_after_next_turn({0}, seat_to_move=0, ply=10, seats=2)
    11
    >>> ply_after_next_turn({0, 3}, seat_to_move=1, ply=10, seats=4)
    13
    """
    return ply + 1 + min(((seat - seat_to_move) % seats for seat in seats_asked), default=seats - 1)
