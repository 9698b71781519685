"""A Swiss tournament before its next round, and what the pairing asks about each player. Pure.

The rules are those of FIDE's Dutch system of 2025, C.04.3; articles are numbered as in the edition of 1 February 2026.
White has seat 0 and Black seat 1. Scores are counted in half points.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property


class Colour(StrEnum):
    """The seat of a player in a match: White is seat 0."""

    WHITE = "w"
    BLACK = "b"

    @property
    def other(self) -> "Colour":
        """The opponent's colour."""
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE


class Result(StrEnum):
    """A player's result in a round, by its letter in FIDE's tournament report file."""

    WIN = "1"
    DRAW = "="
    LOSS = "0"
    UNRATED_WIN = "W"
    UNRATED_DRAW = "D"
    UNRATED_LOSS = "L"
    FORFEIT_WIN = "+"
    FORFEIT_LOSS = "-"
    PAIRING_BYE = "U"
    FULL_POINT_BYE = "F"
    HALF_POINT_BYE = "H"
    ZERO_POINT_BYE = "Z"


PLAYED = frozenset("1=0WDL")
"""The results of matches that were played."""
WINNING = frozenset("1W+F")
DRAWING = frozenset("=DH")


@dataclass(frozen=True, slots=True)
class Scoring:
    """What results count, in half points."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    pairing_bye: int = 2
    absence: int = 0
    """For a zero-point bye and a loss by forfeit."""

    def points(self, result: Result) -> int:
        """Return what a result counts."""
        if result in WINNING:
            return self.win
        if result in DRAWING:
            return self.draw
        if result is Result.PAIRING_BYE:
            return self.pairing_bye
        return self.absence if result in "-Z" else self.loss


@dataclass(frozen=True, slots=True)
class Round:
    """What a player did in one round."""

    result: Result
    opponent: int | None = None
    """Also in a match that was won or lost by forfeit."""
    colour: Colour | None = None

    @property
    def played(self) -> bool:
        """Whether a match was played to its end; forfeited ones were not."""
        return self.opponent is not None and self.result in PLAYED

    @property
    def paired(self) -> bool:
        """Whether the player took part in the pairing of the round."""
        return self.opponent is not None or self.result in "U+"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of the tournament."""

    number: int
    """The pairing number: 1 for the strongest."""
    rounds: tuple[Round, ...] = ()
    """One entry for each round that has been paired, and one more if the player has a bye in the next."""
    rating: int = 0
    name: str = ""
    extra: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Other columns of a report, kept as they are."""


@dataclass(frozen=True)
class Swiss:
    """A Swiss tournament before its next round."""

    entrants: tuple[Entrant, ...]
    """In order of their pairing numbers."""
    rounds: int
    """How many rounds the tournament has."""
    initial_colour: Colour = Colour.WHITE
    """The colour that was drawn for the first player of round 1."""
    forbidden: frozenset[frozenset[int]] = frozenset()
    """Pairs of players who must not meet."""
    absent: frozenset[int] = frozenset()
    """Players who are not paired in the next round, besides those whose bye is entered already."""
    scoring: Scoring = Scoring()

    @cached_property
    def paired_rounds(self) -> int:
        """How many rounds have been paired: those in which somebody took part, or for which everybody has an entry."""
        paired = max((number for entrant in self.entrants for number in _paired_rounds(entrant)), default=0)
        return max(paired, min((len(entrant.rounds) for entrant in self.entrants), default=0))

    def scores(self) -> dict[int, list[int]]:
        """Return each player's scores before each round, the next one included."""
        return {entrant.number: list(self._running_scores(entrant)) for entrant in self.entrants}

    def taking_part(self) -> list[Entrant]:
        """Return those who are paired in the next round."""
        count = self.paired_rounds
        return [each for each in self.entrants if len(each.rounds) <= count and each.number not in self.absent]

    def rounds_of(self, entrant: Entrant) -> list[Round | None]:
        """Return a player's rounds until now; None before a late entry or where nothing is known."""
        count = self.paired_rounds
        return [*entrant.rounds[:count], *[None] * (count - len(entrant.rounds))]

    def _running_scores(self, entrant: Entrant) -> Iterator[int]:
        score = 0
        yield score
        for each in self.rounds_of(entrant):
            score += self.scoring.points(each.result) if each else 0
            yield score


def _paired_rounds(entrant: Entrant) -> Iterator[int]:
    return (number for number, each in enumerate(entrant.rounds, 1) if each.paired)


def rounds_missed(paired_rounds: int, rounds: int) -> tuple[Round, ...]:
    """Return the rounds of a player who enters late: byes, one of them worth half a point until half of the rounds.

    >>> "".join(each.result for each in rounds_missed(3, 6)), "".join(each.result for each in rounds_missed(3, 5))
    ('ZZH', 'ZZZ')
    """
    byes = [Round(Result.ZERO_POINT_BYE)] * paired_rounds
    if 0 < 2 * paired_rounds <= rounds:
        byes[-1] = Round(Result.HALF_POINT_BYE)
    return tuple(byes)


class Float(StrEnum):
    """How a player met another score in a round (article 1.4)."""

    DOWN = "down"
    UP = "up"


NONE, MILD, STRONG, ABSOLUTE = range(4)
"""How strong a colour preference is."""


@dataclass(frozen=True, slots=True)
class Player:
    """What the pairing of the next round asks about a player."""

    number: int
    score: int
    colours: tuple[Colour, ...] = ()
    """The colours of the matches that were played, the latest last."""
    barred: frozenset[int] = frozenset()
    """Whom the player has met, or must not meet."""
    floats: tuple[Float | None, Float | None] = (None, None)
    """In the last round, and in the one before."""
    had_bye: bool = False
    """Whether criterion C2 excludes another bye."""
    played: int = 0
    """How many matches the player has played."""

    @property
    def difference(self) -> int:
        """The matches with White less those with Black."""
        return 2 * self.colours.count(Colour.WHITE) - len(self.colours)

    @property
    def repeated(self) -> Colour | None:
        """The colour of the last two matches, if it was the same."""
        return self.colours[-1] if len(self.colours) > 1 and self.colours[-1] == self.colours[-2] else None

    @property
    def preference(self) -> Colour | None:
        """The colour that the player should get next."""
        if abs(self.difference) <= 1 and self.repeated:
            return self.repeated.other
        if self.difference:
            return Colour.BLACK if self.difference > 0 else Colour.WHITE
        return self.colours[-1].other if self.colours else None

    @property
    def strength(self) -> int:
        """How strong the colour preference is."""
        if abs(self.difference) > 1 or self.repeated:
            return ABSOLUTE
        if self.difference:
            return STRONG
        return MILD if self.colours else NONE

    @property
    def rank(self) -> tuple[int, int]:
        """The key of the order of article 1.2: by score, then by number."""
        return -self.score, self.number


def players_to_pair(swiss: Swiss) -> list[Player]:
    """Return the players of the next round, in order of article 1.2."""
    scores = swiss.scores()
    return sorted((_player(swiss, entrant, scores) for entrant in swiss.taking_part()), key=lambda each: each.rank)


def _player(swiss: Swiss, entrant: Entrant, scores: Mapping[int, Sequence[int]]) -> Player:
    rounds = swiss.rounds_of(entrant)
    played = [each for each in rounds if each and each.played]
    met = {each.opponent for each in played if each.opponent is not None}
    return Player(
        number=entrant.number,
        score=scores[entrant.number][-1],
        colours=tuple(each.colour for each in played if each.colour),
        barred=frozenset(met.union(*(pair for pair in swiss.forbidden if entrant.number in pair)) - {entrant.number}),
        floats=(_float(swiss, entrant, -1, scores), _float(swiss, entrant, -2, scores)),
        had_bye=any(each and _excludes_bye(each, swiss.scoring) for each in rounds),
        played=len(played),
    )


def _excludes_bye(each: Round, scoring: Scoring) -> bool:
    """Return whether criterion C2 excludes a bye after this round: a bye, or a win's points without playing."""
    return not each.played and (each.result is Result.PAIRING_BYE or scoring.points(each.result) >= scoring.win)


def _float(swiss: Swiss, entrant: Entrant, back: int, scores: Mapping[int, Sequence[int]]) -> Float | None:
    """Return a player's float in the last round (-1) or in the one before (-2) (articles 1.4.2 and 1.4.3)."""
    rounds = swiss.rounds_of(entrant)
    each = rounds[back] if len(rounds) >= -back else None
    if each is None:
        return None
    if not each.played or each.opponent is None:
        downfloat = each.result is Result.PAIRING_BYE or swiss.scoring.points(each.result) > swiss.scoring.loss
        return Float.DOWN if downfloat else None
    own, opposing = scores[entrant.number][back - 1], scores[each.opponent][back - 1]
    if own == opposing:
        return None
    return Float.DOWN if own > opposing else Float.UP
