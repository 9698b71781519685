"""The eight levels, and the promises of each to its opponent."""

from collections import Counter
from itertools import count

import pytest

from millrace.engine.game import EngineError, IllegalMoveError, UnknownGameError
from millrace.engine.games import GAMES, find_game
from millrace.engine.levels.opponents import LEVELS, PERSONALITIES, STRONGEST_LEVEL
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.search import no_clock
from millrace.engine.state import State
from tests.engine.move_choice import choose_move

MORRIS = find_game("morris")


def choose(position: str, level: int, seed: int = 1) -> str:
    return choose_move("morris", position, [], level, seed, no_clock)


SETUPS = [*((name, "") for name in GAMES), ("battlesheep", "seats=3"), ("battlesheep", "seats=4 seed=1")]
WEAKER = [
    *(level for level in LEVELS if level < STRONGEST_LEVEL),
    *(
        name
        for name, personality in PERSONALITIES.items()
        if personality.classic is None and personality.level < STRONGEST_LEVEL
    ),
]


@pytest.mark.parametrize(("name", "setup"), SETUPS)
@pytest.mark.parametrize("opponent", WEAKER)
def test_every_opponent_plays_a_legal_move_and_the_same_for_the_same_seed(
    name: str, setup: str, opponent: int | str
) -> None:
    state = State.of(GAMES[name], setup)
    opening = [state.format_move(move) for move in state.legal_moves[:2]] if setup else []
    chosen = choose_move(name, setup, opening, opponent, 3, no_clock)
    assert State.from_moves(GAMES[name], setup, [*opening, chosen]).ply == len(opening) + 1
    assert choose_move(name, setup, opening, opponent, 3, no_clock) == chosen


@pytest.mark.parametrize("name", GAMES)
def test_random_plays_every_move_about_as_often_and_never_passes_at_will(name: str) -> None:
    state = State.of(GAMES[name])
    counts = Counter(choose_move(name, "", [], "random", seed, no_clock) for seed in range(40 * len(state.legal_moves)))
    expected = {state.format_move(move) for move in state.legal_moves if move != state.game.rules.free_pass}
    assert counts.keys() == expected
    assert max(counts.values()) < 80


@pytest.mark.parametrize(("name", "setup"), [("morris", ""), ("battlesheep", "seats=3"), ("battlesheep", "seats=4")])
def test_the_strongest_level_stops_when_its_time_is_up(name: str, setup: str) -> None:
    state, ticks = State.of(GAMES[name], setup), 0

    def clock() -> float:
        nonlocal ticks
        ticks += 1
        return ticks / 100

    for ends_when_settled, least in ((False, 100), (True, 0)):
        ticks = 0
        analyse_at_level(state, 8, 1, clock, ends_when_settled=ends_when_settled)
        assert least <= ticks <= 110


def test_a_shorter_time_can_be_requested() -> None:
    ticks = count()
    choose_move("morris", "", ["d6"], 8, 1, lambda: next(ticks) / 100, movetime_ms=200)
    assert 20 <= next(ticks) <= 30


def test_seeds_give_variety_even_at_the_start() -> None:
    assert len({choose("", 4, seed) for seed in range(12)}) > 2


def test_level_1_closes_its_own_mill_but_does_not_see_the_answer_two_plies_away() -> None:
    own_mill = "......B..BW.......BW..W. w 6 6"
    threatened = ".W..WB...W..W.....B...B. b 5 6"
    assert {choose(own_mill, 1, seed)[:3] for seed in range(20)} == {"d3x"}
    assert any(choose(threatened, 1, seed) != "d5" for seed in range(20))
    assert {choose(threatened, 5, seed) for seed in range(5)} == {"d5"}


def test_a_forced_move_is_played_at_once() -> None:
    ticks = count()
    state = State.of(MORRIS, "WWWWWBWBW.BBBBB.BW...... w 0 0")
    found = analyse_at_level(state, 8, 1, lambda: next(ticks) / 100)
    assert found.best_move == "a7-a4"
    assert next(ticks) < 20


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("chess", "", [], 1), UnknownGameError),
        (("morris", "nonsense", [], 1), EngineError),
        (("morris", "", ["d6", "d6"], 1), IllegalMoveError),
        (("morris", "", [], 9), EngineError),
        (("morris", "WW......................  b 0 0", [], 1), IllegalMoveError),
    ],
)
def test_bad_requests_are_refused(arguments: tuple[str, str, list[str], int], error: type[EngineError]) -> None:
    game, setup, moves, level = arguments
    with pytest.raises(error):
        choose_move(game, setup, moves, level, 1, no_clock)
