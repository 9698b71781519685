"""Known places: the addresses from which an account has signed in, and the guests who signed in to it.

Wrong passwords from elsewhere must not lock the owner out. Kept in memory only, so no address is stored; nodes exchange
them.
"""

from collections import OrderedDict
from collections.abc import Iterable

from millrace.protocol import IdentityId

from ...cluster.bus import Bus
from ...cluster.events import SharedEvent

MAX_ACCOUNTS = 50_000
MAX_PLACES = 16
"""Maximum number of addresses and guests of an account; the least recently used are forgotten first."""


class PlacesLearned(SharedEvent, frozen=True):
    """Somebody signed in to an account."""

    account: IdentityId
    places: tuple[str, ...]


class KnownPlaces:
    """The known places of all accounts."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._places: OrderedDict[IdentityId, OrderedDict[str, None]] = OrderedDict()
        bus.subscribe_elsewhere(PlacesLearned, lambda event: self._learn(event.account, event.places))

    def learn(self, account: IdentityId, *places: str) -> None:
        """Remember the address, and the guest, of a sign-in."""
        self._learn(account, places)
        self._bus.publish(PlacesLearned(account, places))

    def _learn(self, account: IdentityId, places: Iterable[str]) -> None:
        known = self._places.setdefault(account, OrderedDict())
        self._places.move_to_end(account)
        for place in places:
            known[place] = None
            known.move_to_end(place)
        while len(known) > MAX_PLACES:
            known.popitem(last=False)
        if len(self._places) > MAX_ACCOUNTS:
            self._places.popitem(last=False)

    def knows(self, account: IdentityId, place: str) -> bool:
        """Return whether an account has been signed in to from an address or by a guest."""
        return place in self._places.get(account, ())

    def forget(self, account: IdentityId) -> None:
        """Forget a deleted account."""
        self._places.pop(account, None)
