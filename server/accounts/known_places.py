"""Known places: the addresses from which an account was signed in to, and the guests who signed in to it.

Wrong passwords from elsewhere must not lock the owner out (`server.accounts.password_login`). Kept in memory only, so
that no address is stored.
"""

from collections import OrderedDict

from ..protocol import IdentityId

MAX_ACCOUNTS = 50_000
MAX_PLACES = 16
"""Maximum addresses and guests of an account; the least recently used are forgotten first."""


class KnownPlaces:
    """The known places of all accounts."""

    def __init__(self) -> None:
        self._places: OrderedDict[IdentityId, OrderedDict[str, None]] = OrderedDict()

    def learn(self, account: IdentityId, *places: str) -> None:
        """Remember the address, and the guest, from which an account was signed in to."""
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
        """Return whether an account was signed in to from an address or by a guest."""
        return place in self._places.get(account, ())

    def forget(self, account: IdentityId) -> None:
        """Forget a deleted account."""
        self._places.pop(account, None)
