"""The matches waiting for players, found by their players, by whom they challenge and by address, however many wait.

Pure.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from types import MappingProxyType
from typing import TypeVar

from millrace.protocol import IdentityId, MatchId

from ..matches.match import Match

T = TypeVar("T")

Matches = Mapping[MatchId, Match]
NONE: Matches = MappingProxyType({})

_Owner = tuple[str, str]
"""The address and the player whose share of the list a match uses."""


class SeekIndex:
    """The waiting matches."""

    def __init__(self) -> None:
        self.matches: dict[MatchId, Match] = {}
        """All of them, the oldest first."""
        self._counting = count()
        self._numbers: dict[MatchId, int] = {}
        self._of_player: dict[IdentityId, dict[MatchId, Match]] = {}
        self._challenging: dict[IdentityId, dict[MatchId, Match]] = {}
        self._addresses: dict[MatchId, str] = {}
        self._shares: dict[str, dict[str, dict[MatchId, Match]]] = {}
        """Those of each player at each address, the oldest first."""
        self._owners: dict[MatchId, _Owner] = {}

    def put(self, match: Match) -> Match | None:
        """Add a match, or replace and return its earlier state."""
        before = self.matches.get(match.id)
        if before is None:
            self._numbers[match.id] = next(self._counting)
        else:
            self._leave_players(before)
        self.matches[match.id] = match
        for identity in match.people:
            self._of_player.setdefault(identity, {})[match.id] = match
        if match.created.invited is not None:
            self._challenging.setdefault(match.created.invited, {})[match.id] = match
        self._share(match)
        return before

    def remove(self, match_id: MatchId) -> Match | None:
        """Remove and return a match that no longer waits; None if it did not."""
        match = self.matches.pop(match_id, None)
        if match is not None:
            self._leave_players(match)
            self._leave_share(match_id)
            self._addresses.pop(match_id, None)
            del self._numbers[match_id]
            if match.created.invited is not None:
                _take_out(self._challenging, match.created.invited, match_id)
        return match

    def put_address(self, match_id: MatchId, address: str) -> None:
        """Note the address from which a match was created, if it waits."""
        match = self.matches.get(match_id)
        if match is not None:
            self._addresses[match_id] = address
            self._share(match)

    def address_of(self, match_id: MatchId) -> str | None:
        """Return the address of a match; None if it is not known."""
        return self._addresses.get(match_id)

    def count_at(self, address: str) -> int:
        """Return how many matches were created from an address."""
        return sum(map(len, self._shares.get(address, {}).values()))

    def of_player(self, identity: IdentityId) -> Matches:
        """Return the matches in which a player has a seat."""
        return self._of_player.get(identity, NONE)

    def challenging(self, identity: IdentityId) -> Matches:
        """Return the challenges to a player, the oldest first."""
        return self._challenging.get(identity, NONE)

    def shared_out(self) -> Iterator[Match]:
        """Yield the matches of all addresses in turn, those of an address by its players in turn; a player's newest
        comes first."""
        players = (in_turns(reversed(own.values()) for own in address.values()) for address in self._shares.values())
        return in_turns(players)

    def newest_first(self, matches: Iterable[Match]) -> list[Match]:
        """Return waiting matches in the order of the list."""
        return sorted(matches, key=lambda match: -self._numbers[match.id])

    def _share(self, match: Match) -> None:
        """Put a match, as it is now, among those of its owner."""
        owner = self._owner_of(match)
        if owner != self._owners.get(match.id):
            self._leave_share(match.id)
            self._owners[match.id] = owner
        address, player = owner
        self._shares.setdefault(address, {}).setdefault(player, {})[match.id] = match

    def _leave_share(self, match_id: MatchId) -> None:
        if (owner := self._owners.pop(match_id, None)) is not None:
            address, player = owner
            _take_out(self._shares[address], player, match_id)
            if not self._shares[address]:
                del self._shares[address]

    def _owner_of(self, match: Match) -> _Owner:
        """Return whose share of the list a match uses.

        Guests whose address is unknown after a restart use one share together.
        """
        maker = match.maker
        if maker is None:
            return "", match.id
        address = self._addresses.get(match.id)
        return (maker.id if maker.registered else "") if address is None else address, maker.id

    def _leave_players(self, match: Match) -> None:
        for identity in match.people:
            _take_out(self._of_player, identity, match.id)


def in_turns(groups: Iterable[Iterable[T]]) -> Iterator[T]:
    """Yield the entries of groups in rounds: in each round the next one of each group.

    >>> "".join(in_turns(["abc", "", "d", "ef"]))
    'adebfc'
    """
    left = [iter(group) for group in groups]
    while left:
        again = []
        for group in left:
            for entry in group:
                yield entry
                again.append(group)
                break
        left = again


K = TypeVar("K", bound=str)


def _take_out(index: dict[K, dict[MatchId, Match]], key: K, match_id: MatchId) -> None:
    found = index.get(key, {})
    found.pop(match_id, None)
    if not found:
        index.pop(key, None)
