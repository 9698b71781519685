"""The packed positions and the letters of published programs, read and written."""

import random

import pytest

from millrace.engine.game import SetupError
from millrace.engine.games.morris import GAME
from millrace.engine.games.morris.points import ALL_POINTS, count_steps
from millrace.engine.state import State

POINTS_FROM_THE_TOP = "d7 g7 g4 g1 d1 a1 a4 a7 d6 f6 f4 f2 d2 b2 b4 b6 d5 e5 e4 e3 d3 c3 c4 c5"
PUBLISHED = {
    "BBEEEWWEWBWBWEBWEWBWEBEB": 0b101000000011110011101110110010110011101100100010,
    "WEEWEWBWBBEEBWEWEEEBEEEE": 0b110000110011101110100000101100110000001000000000,
}
"""From the programs' own tests, without counts and steps."""
STATES_OF_MATCHES = 90


def random_states(seed: int) -> list[State]:
    chance, state = random.Random(seed), State.of(GAME)
    while state.outcome is None and state.ply < STATES_OF_MATCHES:
        state = state.play(chance.choice(state.legal_moves))
    return list(state.line)


@pytest.mark.parametrize("letters", PUBLISHED)
def test_positions_of_the_published_programs_are_read_and_written(letters: str) -> None:
    state = State.of(GAME, f"M W {letters}")
    assert State.of(GAME, str(PUBLISHED[letters])).position_text == state.position_text
    assert State.of(GAME, letters).position_text == state.position_text
    assert state.write_position("letters") == f"M W {letters}"
    assert int(state.write_position("packed").split()[0], 16) & (1 << 48) - 1 == PUBLISHED[letters]


def test_points_are_listed_ring_by_ring_from_the_outside() -> None:
    for index, name in enumerate(POINTS_FROM_THE_TOP.split()):
        state = State.of(GAME).play_text(name)
        assert state.write_position("letters") == f"P B {'E' * index}W{'E' * (23 - index)}"
        assert int(state.write_position("packed").split()[0], 16) & (1 << 48) - 1 == 3 << 46 - 2 * index


@pytest.mark.parametrize("seed", range(4))
def test_every_position_of_a_match_round_trips(seed: int) -> None:
    for state in random_states(seed):
        for name in ("packed", "letters"):
            assert State.of(GAME, state.write_position(name)).position_text == state.position_text


@pytest.mark.parametrize("seed", range(4))
def test_the_upper_bits_hold_counts_and_steps(seed: int) -> None:
    for state in random_states(seed):
        packed = int(state.write_position("packed").split()[0], 16)
        white, black = state.words[:2] if state.seat == 0 else state.words[1::-1]
        empties = ~(white | black) & ALL_POINTS
        for men, count_bit, steps_bit in ((white, 51, 59), (black, 48, 54)):
            assert packed >> count_bit & 7 == max(int(men).bit_count() - 2, 0)
            assert packed >> steps_bit & 31 == count_steps(men, empties)


def test_hands_that_do_not_follow_from_the_letters_are_written_after_them() -> None:
    taken = State.from_moves(GAME, "", ["a7", "a1", "d7", "g1", "g7xa1"])
    assert taken.write_position("letters") == "P B WWEBEEEWEEEEEEEEEEEEEEEE 6 7"


def test_an_option_follows_the_position() -> None:
    for name in ("packed", "letters"):
        written = State.of(GAME, "flying=off").write_position(name)
        assert State.of(GAME, written).position_text.endswith("flying=off")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("0x400000000000", "11 .White., 10 .Black. or 00 .empty., not 01"),
        ("0x10000C00000000000", "24 points|64 bits"),
        (str(1 << 64), "64 bits"),
        ("0xC00000000000 w 9", "64 bits"),
        ("0x0001C00000000000", "not those of its points"),
        ("0x0800C00000000000", "not those of its points"),
        ("0xC00000000000 x 8 9", "must be w or b, not 'x'"),
        ("0x0 w 10 9", "more than nine men"),
        ("P W EEEE", "24 letters"),
        ("P W EEEEEEEEEEEEEEEEEEEEEEEX", "24 letters"),
        ("P w EEEEEEEEEEEEEEEEEEEEEEEE", "W or B"),
        ("M W EEEEEEEEEEEEEEEEEEEEEEEE 9 9", "9 and 9 men in hand"),
        ("P W WEEEEEEEEEEEEEEEEEEEEEEB 0 0", "0 and 0 men in hand"),
        ("P W WWWWWWWWWWEEEEEEEEEEEEEE", "more than nine men"),
    ],
)
def test_a_faulty_position_is_refused_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(SetupError, match=fault):
        State.of(GAME, text)
