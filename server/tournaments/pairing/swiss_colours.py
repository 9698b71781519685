"""Who has White in each pair of a Swiss round (article 5 of C.04.3). Pure."""

from collections.abc import Sequence

from .swiss_history import ABSOLUTE, Colour, Player, Swiss


def choose_colours(swiss: Swiss, pairs: Sequence[tuple[Player, Player]]) -> list[tuple[int, int]]:
    """Return the numbers of White and Black for each pair of a higher and a lower player."""
    places = _places(swiss)
    return [_in_order(pair, higher_colour(*pair, _by_number(swiss, places[pair[0].number]))) for pair in pairs]


def higher_colour(higher: Player, lower: Player, otherwise: Colour) -> Colour:
    """Return the colour of the higher player; `otherwise` if neither has a preference."""
    mine, theirs = higher.preference, lower.preference
    if mine is None or theirs is None:
        return mine or (theirs.other if theirs else otherwise)
    if mine != theirs:
        return mine
    if _claim(higher) != _claim(lower):
        return mine if _claim(higher) > _claim(lower) else mine.other
    return _alternated(higher.colours, lower.colours) or mine


def _claim(player: Player) -> tuple[int, int]:
    """Return how much a player needs the preferred colour (article 5.2.2)."""
    return player.strength, abs(player.difference) if player.strength == ABSOLUTE else 0


def _alternated(mine: Sequence[Colour], theirs: Sequence[Colour]) -> Colour | None:
    """Return the opponent's colour in the last round, counted over matches played, in which colours differed."""
    pairs = zip(reversed(mine), reversed(theirs), strict=False)
    return next((opposing for own, opposing in pairs if own != opposing), None)


def _by_number(swiss: Swiss, place: int) -> Colour:
    """Return the initial colour for odd places, and the other for even ones (article 5.2.5)."""
    return swiss.initial_colour if place % 2 else swiss.initial_colour.other


def _places(swiss: Swiss) -> dict[int, int]:
    """Return each player's place among those who have entered the tournament, by number."""
    present = {each.number for each in swiss.taking_part()}
    entered = [
        each.number for each in swiss.entrants if each.number in present or any(round_.paired for round_ in each.rounds)
    ]
    return {number: place for place, number in enumerate(entered, 1)}


def _in_order(pair: tuple[Player, Player], colour: Colour) -> tuple[int, int]:
    higher, lower = pair[0].number, pair[1].number
    return (higher, lower) if colour is Colour.WHITE else (lower, higher)
