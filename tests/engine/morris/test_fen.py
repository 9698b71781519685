"""Sanmill's FEN of Nine Men's Morris, read and written (ruling 4)."""

import random

import pytest

from millrace.engine.game import SetupError
from millrace.engine.games import find_game
from millrace.engine.games.morris import GAME
from millrace.engine.state import State

START = "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1"
SECOND_POINTS = "d5 e5 e4 e3 d3 c3 c4 c5 d6 f6 f4 f2 d2 b2 b4 b6 d7 g7 g4 g1 d1 a1 a4 a7"


def test_the_start_is_written_in_fen() -> None:
    assert State.of(GAME).write_position("fen") == START
    assert State.of(GAME, START).position_text == State.of(GAME).position_text


def test_points_are_listed_ring_by_ring_from_the_inside() -> None:
    for index, name in enumerate(SECOND_POINTS.split()):
        rings = State.of(GAME).play_text(name).write_position("fen").split()[0].replace("/", "")
        assert rings == "*" * index + "O" + "*" * (23 - index)


def test_a_fen_is_read_with_its_hands_its_side_and_its_quiet_plies() -> None:
    fen = "********/**@****@/O******O w p p 2 7 2 7 0 0 0 0 0 0 0 0 3"
    assert State.of(GAME, fen).position_text == "WW.B.........B.......... w 7 7"
    moving = "O@O@O@O@/********/******** b m s 4 0 4 0 0 0 0 0 0 0 0 12 40"
    assert (State.of(GAME, moving).seat, State.of(GAME, moving).quiet_plies) == (1, 12)
    assert State.of(GAME, f"{moving} flying=off").position_text.endswith(" b 0 0 12 flying=off")


def test_every_position_of_a_match_round_trips() -> None:
    chance = random.Random(7)
    for _ in range(8):
        state = State.of(GAME)
        while state.outcome is None and state.ply < 90:
            fen = state.write_position("fen")
            assert State.of(GAME, fen).position_text == state.position_text
            assert State.of(GAME, fen).write_position("fen").split()[:-1] == fen.split()[:-1]
            assert int(fen.split()[-1]) == state.ply // 2 + 1
            state = state.play(chance.choice(state.legal_moves))


def test_the_phase_follows_the_hands_and_the_end() -> None:
    assert State.of(GAME, "WWW..................BBB w 0 0").write_position("fen").split()[2:4] == ["m", "s"]
    assert State.of(GAME, "WW...................BBB w 0 0").write_position("fen").split()[2] == "o"


@pytest.mark.parametrize(
    ("fen", "fault"),
    [
        ("********/********/******** w p r 0 9 0 9 1 0 0 0 0 0 0 0 1", "removal is pending"),
        ("********/********/******** w p p 0 9 0 9 0 1 0 0 0 0 0 0 1", "removal is pending"),
        ("********/********/******* w p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "three rings of eight"),
        ("********/********/*******X w p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "not 'X'"),
        ("********/********/******** x p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "must be w or b, not 'x'"),
        ("********/********/******** w q p 0 9 0 9 0 0 0 0 0 0 0 0 1", "phase"),
        ("********/********/******** w m s 0 9 0 9 0 0 0 0 0 0 0 0 1", "9 and 9 men in hand"),
        ("********/********/*******O w p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "counts 0 men of White"),
        ("********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 x 1", "'x' is none"),
        ("********/********/******** w p p 0 -9 0 9 0 0 0 0 0 0 0 0 1", "negative"),
        ("********/********/******** w p p 0 10 0 9 0 0 0 0 0 0 0 0 1", "more than nine men"),
        ("********/********/******** w p p 0 9 0 9 1", "13 numbers, not 9 fields"),
    ],
)
def test_a_faulty_fen_is_refused_with_its_fault(fen: str, fault: str) -> None:
    with pytest.raises(SetupError, match=fault):
        State.of(GAME, fen)


def test_other_games_have_no_fen() -> None:
    with pytest.raises(SetupError, match="Ming Mang has no notation 'fen' here"):
        State.of(find_game("mingmang")).write_position("fen")
