"""The evaluation of Nine Men's Morris, compared with counting point by point."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.bindings import bindings_of
from millrace.engine.games.morris.symmetries import SYMMETRIES, image_of, ring_images
from millrace.engine.state import State
from tests.engine.evaluation.counting import all_counted
from tests.engine.evaluation.morris_boards import GAME, strewn_boards

LINES = [
    *("a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1"),
    *("a7 a4 a1", "b6 b4 b2", "c5 c4 c3", "d7 d6 d5", "d3 d2 d1", "e5 e4 e3", "f6 f4 f2", "g7 g4 g1"),
]
NAMES = " ".join(LINES[:8]).split()
MILLS = [set(line.split()) for line in LINES]
STEPS = [step for line in LINES for step in (line.split()[:2], line.split()[1:])]
NEAR = {name: {other for step in STEPS if name in step for other in step if other != name} for name in NAMES}


def side_counts(men: set[str], opponents: set[str], hand: int) -> dict[str, int]:
    """Return a side's count for each of its terms."""
    empties = set(NAMES) - men - opponents
    steps = sum(len(NEAR[man] & empties) for man in men)
    in_mills = {man for mill in MILLS if mill <= men for man in mill}
    twos = [mill for mill in MILLS if len(mill & men) == 2 and len(mill & empties) == 1]
    closings = {
        (target, man)
        for target in empties
        for man in NEAR[target] & men
        if any(target in mill and mill - {target} <= men - {man} for mill in MILLS)
    }
    held = len(men) + hand
    return {
        "men": held,
        "five_men": int(held <= 5),
        "four_men": int(held <= 4),
        "steps": steps,
        "cramped": max(4 - steps, 0),
        "exits": sum(1 for point in empties if NEAR[point] & men and not NEAR[point] & opponents),
        "blocked": sum(1 for man in men if not NEAR[man] & empties),
        "mills": sum(mill <= men for mill in MILLS),
        "twos": len(twos),
        "ones": sum(len(mill & men) == 1 and len(mill & empties) == 2 for mill in MILLS),
        "threes": sum(sum(man in mill for mill in twos) == 2 for man in men),
        "closings": len({target for target, _ in closings}),
        "sure_closings": len({target for target, _ in closings if not NEAR[target] & opponents}),
        "shuttles": len({target for target, man in closings if man in in_mills}),
        "swings": sum(1 for man in in_mills if NEAR[man] & empties and not NEAR[man] & opponents),
        "crosses": sum(len(NEAR[man]) == 4 for man in men),
        "tees": sum(len(NEAR[man]) == 3 for man in men),
    }


@settings(max_examples=150, deadline=None)
@given(strewn_boards())
def test_every_term_agrees_with_counting_point_by_point(state: State) -> None:
    text, side, *hands = state.position_text.split()
    held = {letter: {NAMES[i] for i, on in enumerate(text) if on == letter.upper()} for letter in "wb"}
    in_hand = dict(zip("wb", map(int, hands[:2]), strict=True))
    other = "b" if side == "w" else "w"
    own, others = (side_counts(held[a], held[b], in_hand[a]) for a, b in ((side, other), (other, side)))
    expected = {term: own[term] - others[term] for term in own}
    is_placing = sum(in_hand.values()) > 0
    expected |= {"move": 1, "last": (1 if in_hand[side] < in_hand[other] else -1) if is_placing else 0}
    men = (len(held[side]), len(held[other]))
    expected["six_against_three"] = 0 if is_placing else (men == (6, 3)) - (men == (3, 6))
    assert all_counted(GAME, state) == expected


@settings(max_examples=60, deadline=None)
@given(strewn_boards(), st.integers(0, SYMMETRIES - 1))
def test_evaluation_is_the_same_under_every_symmetry(state: State, symmetry: int) -> None:
    images = ring_images()
    turned = state.words.copy()
    for index in (0, 1):
        turned[index] = image_of(images, state.words[index], symmetry)
    evaluate = bindings_of(GAME).evaluate
    assert evaluate(state.start.board, turned) == evaluate(state.start.board, state.words)


@pytest.mark.parametrize("side", "wb")
def test_six_men_are_no_lead_against_three_that_fly(side: str) -> None:
    position = f"WWW.B.B...B..BB........B {side} 0 0"
    flying, walking = State.of(GAME, position), State.of(GAME, f"{position} flying=off")
    assert abs(all_counted(GAME, flying)["six_against_three"]) == 1
    assert all_counted(GAME, walking)["six_against_three"] == 0


def test_a_side_has_other_weights_for_flying_only_if_flying_is_allowed() -> None:
    position = "WWW.B.B...B..BB......... w 0 0"
    flying, walking = State.of(GAME, position), State.of(GAME, f"{position} flying=off")
    assert all_counted(GAME, flying) == all_counted(GAME, walking)
    evaluate = bindings_of(GAME).evaluate
    assert evaluate(flying.start.board, flying.words) != evaluate(walking.start.board, walking.words)
