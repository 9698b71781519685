"""The opponents for an empty seat: their names, and their described errors."""

from itertools import pairwise
from math import log2

import pytest

from millrace.engine.game import EngineError
from millrace.engine.games import GAMES, find_game
from millrace.engine.levels.opponents import (
    LEVEL_NAMES,
    LEVELS,
    OPPONENTS,
    PERSONALITIES,
    STRONGEST_LEVEL,
    PlayingStyle,
    find_opponent,
)
from millrace.engine.levels.play import analyse_at_level, style_bonus
from millrace.engine.search import no_clock
from millrace.engine.state import State
from millrace.engine.transposition_table import WIN

MORRIS = find_game("morris")
OWN_MILL = "WW.B....BB.......B....W. w 6 5"


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_found_by_its_number_and_by_its_number_as_text(level: int) -> None:
    assert find_opponent(level) is find_opponent(str(level)) is LEVELS[level]
    assert LEVELS[level].level == level


@pytest.mark.parametrize("name", GAMES)
def test_named_levels_see_one_ply_six_plies_and_think_for_a_second(name: str) -> None:
    assert set(LEVEL_NAMES) == {"easy", "medium", "hard"}
    game = GAMES[name]
    easy, medium, hard = (find_opponent(level, game).skill_in(game) for level in ("easy", "Medium", "HARD"))
    assert (easy.depth, medium.depth, hard.depth) == (1, 6, None)
    assert (easy.movetime_ms, medium.movetime_ms, hard.movetime_ms) == (None, None, 1000)


@pytest.mark.parametrize("name", GAMES)
def test_only_the_strongest_level_takes_time_and_no_level_overlooks_more_than_the_one_below(name: str) -> None:
    skills = GAMES[name].strength.skills
    assert len(skills) == len(LEVELS)
    assert [skill.movetime_ms is not None for skill in skills] == [level == STRONGEST_LEVEL for level in LEVELS]
    assert all(skill.depth or skill.nodes for skill in skills[:-1])
    for weaker, stronger in pairwise(skills):
        assert stronger.oversights <= weaker.oversights


@pytest.mark.parametrize("name", GAMES)
def test_a_personality_has_the_skill_of_its_level_except_for_its_style(name: str) -> None:
    game = GAMES[name]
    four, five = (find_opponent(level).skill_in(game) for level in (4, 5))
    assert all(find_opponent(each).skill_in(game) == five for each in ("hunter", "warden", "guardian"))
    assert find_opponent("gambler").skill_in(game) == four._replace(noise=32)
    assert find_opponent("dreamer").skill_in(game) == five._replace(depth=8, nodes=60_000, noise=16, oversights=120)


@pytest.mark.parametrize("name", GAMES)
def test_levels_are_the_same_in_the_openings_of_a_game(name: str) -> None:
    game = GAMES[name]
    for opening in game.rules.openings:
        assert State.of(game, opening).game.strength.skills == game.strength.skills


@pytest.mark.parametrize("name", ["", "0", "9", "-1", "03", "nobody", "1.5", "\N{SUPERSCRIPT TWO}", "9" * 50])
def test_unknown_names_are_not_found(name: str) -> None:
    with pytest.raises(EngineError, match="There is no level"):
        find_opponent(name)


def test_levels_and_personalities_have_different_names_and_descriptions() -> None:
    assert len(OPPONENTS) == len(LEVELS) + len(PERSONALITIES)
    assert not set(LEVEL_NAMES) & set(PERSONALITIES)
    assert len({personality.description for personality in PERSONALITIES.values()}) == len(PERSONALITIES)
    assert {personality.level for personality in PERSONALITIES.values()} <= set(LEVELS)


def test_styles_prefer_captures_blockades_or_safety() -> None:
    state = State.of(MORRIS, OWN_MILL)
    takes, waits = state.parse_move("g7xb6"), state.parse_move("d5")
    assert (
        style_bonus(state, takes, PlayingStyle(captures=60)),
        style_bonus(state, waits, PlayingStyle(captures=60)),
    ) == (
        60,
        0,
    )
    # Black, who has four men on the board and may place on any of 16 empty points, may as well shut White in by
    # what it takes: each doubling of the answers counts.
    for move in (takes, waits):
        answers = len(state.after(move).generated_moves)
        assert style_bonus(state, move, PlayingStyle(mobility=-40)) == round(-40 * log2(1 + answers))
    # Whoever does not stop the two men on the lower row lets a mill be closed there.
    stops = State.of(MORRIS, "WW.......B.B............ b 7 7").parse_move("g7")
    lets = State.of(MORRIS, "WW.......B.B............ b 7 7").parse_move("a1")
    threatened = State.of(MORRIS, "WW.......B.B............ b 7 7")
    assert style_bonus(threatened, stops, PlayingStyle(risk=-25)) == 0
    assert style_bonus(threatened, lets, PlayingStyle(risk=-25)) < 0


def test_a_hunter_captures_where_its_level_prefers_another_move() -> None:
    state = State.of(MORRIS, OWN_MILL)
    chosen = {
        name: [analyse_at_level(state, name, seed, no_clock).best_move or "" for seed in range(6)]
        for name in ("5", "hunter")
    }
    takings = {name: sum("x" in move for move in moves) for name, moves in chosen.items()}
    assert takings["hunter"] > takings["5"]


def test_a_certain_win_overrides_every_style() -> None:
    # White moves a man into its mill and takes the third man but one: Black has two left.
    state = State.of(MORRIS, "WW.W....B......B.......B w 0 0")
    for personality in ("hunter", "warden", "guardian"):
        found = analyse_at_level(state, personality, 1, no_clock)
        assert found.value == WIN - 1
        assert State.of(MORRIS, state.position_text).play_text(found.best_move or "").outcome is not None
