"""Rules in plain Python, and kernels that cannot be kept: interpreted everywhere, with the same results."""

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from millrace.engine.bits import kernel
from millrace.engine.faults import GameFaultError
from millrace.engine.game import Game, Kernels, Start
from millrace.engine.game.plain_rules import PLAIN
from millrace.engine.kernel_cache import only_loading
from millrace.engine.levels import warm_up
from millrace.engine.levels.opponents import INTERPRETED_NODES, LEVELS
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.levels.warm_up import why_not_kept
from millrace.engine.perft import perft
from millrace.engine.search import Limits, analyse, no_clock
from millrace.engine.state import State
from millrace.server.app import conformance
from millrace.server.app.new_game.package.tic_tac_toe import GAME, rules
from tests.project.repository import ROOT

pytestmark = pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")

ABOUT_TO_WIN = ("a1", "b2", "b1", "a3")


def with_kernels(**changes: Any) -> Game:
    """Return Tic-tac-toe with some other functions."""
    return replace(GAME, rules=replace(GAME.rules, kernels=rules.KERNELS._replace(**changes)))


def test_rules_in_plain_python_get_plain_integers() -> None:
    seen: set[type] = set()

    def make_move(board: None, position: rules.Position, move: int) -> rules.Position:
        seen.update(map(type, (*position, move)))
        return rules.make_move(board, position, move)

    game = with_kernels(make_move=make_move)
    analyse(State.of(game, ""), Limits(depth=3), no_clock)
    assert perft(State.of(game, ""), 4) == 3024
    assert seen == {int}


@pytest.mark.parametrize("level", [3, 6, 8, "hunter", "classic-6"])
def test_every_kind_of_opponent_finds_the_winning_move_in_plain_python(level: int | str) -> None:
    found = analyse_at_level(State.from_moves(GAME, "", ABOUT_TO_WIN), level, 1, lambda: 0.0)
    assert found.best_move == "c1"


def test_the_engine_and_its_books_know_a_game_without_a_board() -> None:
    assert State.of(GAME, "").start.board is None
    conformance.test_the_engine_and_its_books_know_it(GAME)


def test_levels_search_few_nodes_where_the_rules_are_interpreted() -> None:
    assert GAME.rules.why_interpreted == PLAIN
    skills = [opponent.skill_in(GAME) for opponent in LEVELS.values()]
    assert all(skill.movetime_ms or (skill.nodes or 0) <= INTERPRETED_NODES for skill in skills)
    assert all(skill.movetime_ms or skill.nodes for skill in skills)


@kernel
def count_by_kernel(_board: None, position: rules.Position) -> int:
    return 9 - int(position.mover + position.other).bit_count()


def test_rules_that_are_kernels_only_in_part_say_so() -> None:
    assert with_kernels(count_moves=count_by_kernel).rules.why_interpreted == (
        "generate_moves is plain Python, and count_moves is a kernel."
    )


ODD = [9]


@kernel
def one_of_a_list(_board: None, _position: rules.Position) -> int:
    return ODD[0]


def test_kernels_that_cannot_be_kept_are_interpreted_and_say_why() -> None:
    one: Any = one_of_a_list
    kernels = Kernels(one, one, one, one, one, max_moves=9, max_clicks=1)
    game = replace(GAME, rules=replace(GAME.rules, kernels=kernels))
    assert game.rules.why_interpreted == ("one_of_a_list uses ODD. A list cannot be identified across processes.")
    assert game.rules.kernels.count_moves(None, rules.Position(0, 0)) == 9  # type: ignore[arg-type]


def test_the_kernels_of_another_package_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "toy"))
    monkeypatch.delitem(sys.modules, "three_in_a_row", raising=False)
    toy = import_module("three_in_a_row").GAME
    assert toy.rules.why_interpreted == ""
    assert why_not_kept(toy) == ""


@kernel
def count_squares(squares: int) -> int:
    return squares + 9


def count_first(text: str) -> Start:
    count_squares(len(text))
    return GAME.texts.parse_setup(text)


def fail_at_once(_text: str) -> Start:
    raise KeyError("x")


@pytest.mark.parametrize(
    ("parse", "reason"),
    [
        (count_first, "count_squares is not compiled. Its set-up calls it: name it in Rules.setup_kernels."),
        (fail_at_once, "KeyError('x')"),
    ],
)
def test_a_game_that_cannot_start_is_reported_in_words(
    parse: Callable[[str], Start], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = replace(GAME, texts=replace(GAME.texts, parse_setup=parse))
    monkeypatch.setattr(warm_up, "GAMES", {game.name: game})
    with only_loading(), pytest.raises(GameFaultError) as fault:
        warm_up.interpret_all_rules()
    assert str(fault.value) == f"The game tic_tac_toe cannot start. {reason}"
