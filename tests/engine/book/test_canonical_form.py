"""Canonical forms in an opening book: equivalent positions and moves have one form."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.book.canonical_form import BoardSymmetry, Canonicalizer
from millrace.engine.game import Game
from millrace.engine.game.geometry import symmetries_of
from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State

MORRIS, MING_MANG, BATTLE_SHEEP = find_game("morris"), find_game("mingmang"), find_game("battlesheep")
PLIES = 24

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
chances = st.randoms(use_true_random=False)


def symmetries(game: Game) -> tuple[tuple[int, ...], ...]:
    assert game.rules.symmetries is not None
    return game.rules.symmetries(game.texts.parse_setup("").board)


def turned(clicks: tuple[str, ...], there: BoardSymmetry, back: BoardSymmetry) -> str:
    """Return clicks after one turn and the inverse of another."""
    origins = {to: name for name, to in back.names.items()}
    return " ".join(origins.get(there.names.get(click, click), click) for click in clicks)


def play_clicks(state: State, clicks: str) -> State:
    return state.play(next(move for move in state.legal_moves if " ".join(state.clicks_of(move)) == clicks))


def test_boards_have_their_known_symmetries() -> None:
    assert len(symmetries(MORRIS)) == 16
    assert len(symmetries(MING_MANG)) == 8
    assert len(symmetries(BATTLE_SHEEP)) == 2, "half a turn"
    assert len(symmetries_of(State.of(MORRIS).geometry)) == 8, "rings cannot be swapped by turning"


@every_game
def test_symmetries_are_a_group_starting_with_the_identity(game: Game) -> None:
    found = symmetries(game)
    assert found[0] == tuple(range(len(found[0])))
    assert len(set(found)) == len(found)
    assert {tuple(second[to] for to in first) for first in found for second in found} == set(found)


def test_symmetries_keep_lines() -> None:
    lines = {frozenset(line) for line in State.of(MORRIS).geometry.lines}
    for symmetry in symmetries(MORRIS):
        assert {frozenset(symmetry[end] for end in line) for line in lines} == lines


@every_game
@settings(max_examples=15, deadline=None)
@given(chance=chances)
def test_a_line_and_its_image_have_one_form(game: Game, chance: random.Random) -> None:
    canonicalizer = Canonicalizer(game)
    state = image = State.of(game)
    turns = canonicalizer.canonical_form(state).turns
    there, back = chance.choice(turns), chance.choice(turns)
    while state.outcome is None and state.ply < PLIES:
        form, image_sight = canonicalizer.canonical_form(state), canonicalizer.canonical_form(image)
        assert form.key == image_sight.key
        assert set(canonicalizer.equivalent_moves(state, form, state.legal_moves)) == set(
            canonicalizer.equivalent_moves(image, image_sight, image.legal_moves)
        )
        move = chance.choice(state.legal_moves)
        image = play_clicks(image, turned(state.clicks_of(move), there, back))
        state = state.play(move)


@every_game
@settings(max_examples=15, deadline=None)
@given(chance=chances)
def test_equivalent_moves_lead_to_equivalent_positions(game: Game, chance: random.Random) -> None:
    canonicalizer = Canonicalizer(game)
    state = State.of(game)
    while state.outcome is None and state.ply < PLIES:
        alike = canonicalizer.equivalent_moves(state, canonicalizer.canonical_form(state), state.legal_moves)
        assert sorted(move for moves in alike.values() for move in moves) == sorted(state.legal_moves)
        for moves in alike.values():
            assert len({canonicalizer.canonical_form(state.after(move)).key for move in moves}) == 1
        state = state.play(chance.choice(state.legal_moves))


@settings(max_examples=30, deadline=None)
@given(chance=chances)
def test_ming_mang_rotated_with_colours_swapped_has_one_form(chance: random.Random) -> None:
    state = State.of(MING_MANG)
    for _ in range(chance.randrange(30)):
        state = state.play(chance.choice(state.legal_moves[:-1]))
        if state.outcome is not None:
            return
    ranks, side, passes = state.position_text.split()
    swapped = ranks[::-1].translate(str.maketrans("bw", "wb"))
    other = State.of(MING_MANG, f"{swapped} {'w' if side == 'b' else 'b'} {passes}")
    canonicalizer = Canonicalizer(MING_MANG)
    assert canonicalizer.canonical_form(state).key == canonicalizer.canonical_form(other).key


def test_there_are_four_first_moves_of_nine_mens_morris() -> None:
    state, canonicalizer = State.of(MORRIS), Canonicalizer(MORRIS)
    alike = canonicalizer.equivalent_moves(state, canonicalizer.canonical_form(state), state.legal_moves)
    assert sorted(len(moves) for moves in alike.values()) == [4, 4, 8, 8]


def test_men_in_hand_and_passes_make_a_difference() -> None:
    morris, ming_mang = Canonicalizer(MORRIS), Canonicalizer(MING_MANG)
    men = "W......................B"
    assert (
        len(
            {
                morris.canonical_form(State.of(MORRIS, f"{men} {hands}")).key
                for hands in ("w 8 8", "w 7 8", "w 8 7", "b 8 8")
            }
        )
        == 3
    ), "the colours alone make none"
    start = State.of(MING_MANG)
    passed = start.play_text("pass").play_text("pass")
    assert ming_mang.canonical_form(start).key != ming_mang.canonical_form(passed).key


def test_only_the_board_of_the_standard_start_is_known() -> None:
    assert Canonicalizer(MORRIS).covers(State.of(MORRIS, "W......................B w 8 8"))
    assert not Canonicalizer(MORRIS).covers(State.of(MORRIS, "flying=off"))
    assert not Canonicalizer(MORRIS).covers(State.of(MING_MANG))
    assert Canonicalizer(BATTLE_SHEEP).covers(State.of(BATTLE_SHEEP))
    for other in ("seats=3", "seed=3", "opening=tiles"):
        assert not Canonicalizer(BATTLE_SHEEP).covers(State.of(BATTLE_SHEEP, other))
