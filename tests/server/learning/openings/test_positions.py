"""Positions of the index of openings: what counts as the same position, and which openings have which name."""

import pytest

from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State
from millrace.server.learning.openings.positions import find_position, opening_of

MORRIS = find_game("morris")


def number_of(game: str, setup: str, *moves: str) -> int | None:
    position = find_position(State.from_moves(find_game(game), setup, moves))
    return None if position is None else position.number


def test_rotated_reflected_and_transposed_positions_are_the_same() -> None:
    one = number_of("morris", "", "d6", "f4", "d2")
    assert one == number_of("morris", "", "d2", "b4", "d6")
    assert one == number_of("morris", "", "f4", "d2", "b4")
    assert one != number_of("morris", "", "d6", "d2", "f4")
    assert number_of("morris", "", "a7") == number_of("morris", "", "c5"), "the rings can be swapped"


def test_positions_with_different_rules_are_different() -> None:
    assert number_of("morris", "", "d6") != number_of("morris", "flying=off", "d6")
    assert number_of("battlesheep", "") != number_of("battlesheep", "seats=3")


def test_a_random_or_player_made_pasture_is_not_indexed() -> None:
    assert number_of("battlesheep", "seed=7 seats=2") is None
    assert number_of("battlesheep", "opening=tiles") is None


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_common_start_of_a_game_is_indexed(game: str) -> None:
    setups = [start.setup for start in find_game(game).starts]
    for setup in ("", *(each for each in setups if "seed" not in each and "tiles" not in each)):
        assert number_of(game, setup) is not None


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        ((), ""),
        (("d6",), "Four-way point"),
        (("b4",), "Four-way point"),
        (("g4",), "Three-way point"),
        (("e3",), "Corner"),
        (("f2",), "Middle corner"),
        (("f4", "b4"), "Four-way point: opposite reply"),
        (("f4", "b4", "d6", "d2"), "Double four-way points, adjacent"),
        (("f4", "d6", "b4", "d2", "a7"), "Double four-way points, opposite"),
    ],
)
def test_an_opening_keeps_its_name_under_symmetry_and_in_later_positions(moves: tuple[str, ...], name: str) -> None:
    assert opening_of(State.from_moves(MORRIS, "", moves)) == name


def test_named_openings_are_legal_and_distinct() -> None:
    for game in GAMES.values():
        named = [find_position(State.from_moves(game, "", opening.moves)) for opening in game.named_openings]
        numbers = {position.number for position in named if position is not None}
        assert len(numbers) == len(game.named_openings)
        assert len({opening.name for opening in game.named_openings}) == len(game.named_openings)
