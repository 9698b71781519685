"""The Dutch system by trying every candidate, as C.04.3 reads: slow, to hold the fast one against.

It shares only the description of players and the colours with what it tests.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby

from millrace.server.tournaments.pairing.swiss_colours import higher_colour
from millrace.server.tournaments.pairing.swiss_history import ABSOLUTE, STRONG, Colour, Float, Player

Pair = tuple[Player, Player]
Pairs = tuple[Pair, ...]
Key = tuple[object, ...]


class ExhaustiveDutch:
    """One round."""

    def __init__(self, players: Sequence[Player], top_score: int | None):
        self._players = sorted(players, key=lambda player: player.rank)
        self._top_score = top_score
        self._bye_score: int | None = None
        self._can_complete = cache(self._complete)

    def pair(self) -> tuple[list[Pair], Player | None] | None:
        """Return the pairs, the higher player first, and who has the bye; None if there is no pairing."""
        if len(self._players) % 2:
            scores = sorted({player.score for player in self._players})
            self._bye_score = next((score for score in scores if self._completes_with_bye(score)), None)
            if self._bye_score is None:
                return None
        elif not self._can_complete(frozenset(self._players)):
            return None
        groups = [list(group) for _, group in groupby(self._players, key=lambda player: player.score)]
        pairs: list[Pair] = []
        moved: list[Player] = []
        for index, residents in enumerate(groups):
            found, moved = self._best(moved, residents, groups[index + 1 :])
            pairs += found
        return pairs, moved[0] if moved else None

    def _completes_with_bye(self, score: int) -> bool:
        self._bye_score = score
        self._can_complete = cache(self._complete)
        return self._can_complete(frozenset(self._players))

    def _complete(self, players: frozenset[Player]) -> bool:
        if not players:
            return True
        first, *others = sorted(players, key=lambda player: player.rank)
        if len(players) % 2 and self._may_have_bye(first) and self._can_complete(players - {first}):
            return True
        return any(self._may_meet(first, other) and self._can_complete(players - {first, other}) for other in others)

    def _may_have_bye(self, player: Player) -> bool:
        return player.score == self._bye_score and not player.had_bye

    def _may_meet(self, one: Player, other: Player) -> bool:
        if other.number in one.barred:
            return False
        clash = one.strength == other.strength == ABSOLUTE and one.preference == other.preference
        return not clash or self._is_top(one, other)

    def _is_top(self, one: Player, other: Player) -> bool:
        return self._top_score is not None and max(one.score, other.score) > self._top_score

    def _candidates(self, moved: Sequence[Player], residents: Sequence[Player]) -> Iterator[Pairs]:
        if moved:
            first, *rest = moved
            yield from self._candidates(rest, residents)
            for other in residents:
                if self._may_meet(first, other):
                    left = [each for each in residents if each is not other]
                    yield from (((first, other), *pairs) for pairs in self._candidates(rest, left))
        elif residents:
            first, *others = residents
            yield from self._candidates((), others)
            for other in others:
                if self._may_meet(first, other):
                    left = [each for each in others if each is not other]
                    yield from (((first, other), *pairs) for pairs in self._candidates((), left))
        else:
            yield ()

    def _best(
        self, moved: list[Player], residents: list[Player], below: list[list[Player]]
    ) -> tuple[Pairs, list[Player]]:
        players = moved + residents
        lower = frozenset(player for group in below for player in group)
        allowed = []
        for pairs in self._candidates(moved, residents):
            down = self._down(players, pairs)
            if self._can_complete(lower | frozenset(down)):
                allowed.append((self._outcome(down), pairs, down))
        best = min(outcome for outcome, _, _ in allowed)
        same = [(pairs, down) for outcome, pairs, down in allowed if outcome == best]
        if len({tuple(down) for _, down in same}) > 1:
            ahead = {tuple(down): self._following(down, below) for _, down in same}
            same = [(pairs, down) for pairs, down in same if ahead[tuple(down)] == min(ahead.values())]
        return min(
            same, key=lambda each: (self._quality(moved, residents, *each), self._order(moved, residents, each[0]))
        )

    @staticmethod
    def _down(players: list[Player], pairs: Pairs) -> list[Player]:
        paired = {player for pair in pairs for player in pair}
        return [player for player in players if player not in paired]

    @staticmethod
    def _outcome(down: list[Player]) -> Key:
        """C6 and C7."""
        return len(down), sorted((player.score for player in down), reverse=True)

    def _following(self, down: list[Player], below: list[list[Player]]) -> Key:
        """C8."""
        if not below:
            return ()
        lower = frozenset(player for group in below[1:] for player in group)
        outcomes = []
        for pairs in self._candidates(down, below[0]):
            left = self._down(down + below[0], pairs)
            if self._can_complete(lower | frozenset(left)):
                outcomes.append(self._outcome(left))
        return min(outcomes)

    def _quality(self, moved: list[Player], residents: list[Player], pairs: Pairs, down: list[Player]) -> Key:
        """C9 to C21."""
        unplayed = [-player.played for player in down if len(down) == 1 and self._may_have_bye(player)]
        return (unplayed, *self._colours(pairs), *self._floats(moved, residents, pairs, down))

    def _colours(self, pairs: Pairs) -> list[int]:
        exceeded = repeated = refused = refused_strong = 0
        for pair in pairs:
            colour = higher_colour(*pair, Colour.WHITE)
            for player, gets in zip(pair, (colour, colour.other), strict=True):
                after = player.difference + (1 if gets is Colour.WHITE else -1)
                exceeded += self._is_top(*pair) and abs(after) > 2
                repeated += self._is_top(*pair) and player.repeated is gets
                refused += player.preference not in (None, gets)
                refused_strong += player.preference not in (None, gets) and player.strength == STRONG
        return [exceeded, repeated, refused, refused_strong]

    @staticmethod
    def _floats(moved: list[Player], residents: list[Player], pairs: Pairs, down: list[Player]) -> Iterator[object]:
        level = residents[0].score
        opponents = [(one, other) for one, other in pairs if one in moved]
        for back in (0, 1):
            yield sum(player.floats[back] is Float.DOWN for player in down if player not in moved)
            yield sum(other.floats[back] is Float.UP for _, other in opponents)
        for back in (0, 1):
            gaps = [one.score - level + (one in down) / 2 for one in moved if one.floats[back] is Float.DOWN]
            yield sorted(gaps, reverse=True)
            yield sorted(
                (one.score - level for one, other in opponents if other.floats[back] is Float.UP), reverse=True
            )

    @staticmethod
    def _order(moved: list[Player], residents: list[Player], pairs: Pairs) -> Key:
        """When article 4 generates the candidate."""
        met = {one: other for one, other in pairs if one in moved}
        paired = [index for index, player in enumerate(moved) if player in met]
        opponents = [residents.index(met[moved[index]]) for index in paired]
        remainder = [player for player in residents if player not in met.values()]
        upper = {remainder.index(one): remainder.index(other) for one, other in pairs if one not in moved}
        first = set(range(len(upper)))
        out, risen = first - upper.keys(), upper.keys() - first
        exchange = (len(out), sum(risen) - sum(out), sorted(-each for each in out), sorted(risen))
        return paired, opponents, exchange, [upper[index] for index in sorted(upper)]
