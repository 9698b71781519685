"""Which mistakes are due, and what a review says about another move."""

import pytest

from millrace.protocol import JudgedPly, Judgement, MatchId, MistakeVerdict, Score, Variation
from millrace.server.learning.mistakes.mistakes import (
    RETURN_MS,
    Attempt,
    OwnMistake,
    Place,
    after,
    due,
    is_due,
    mistakes_in,
    verdict_on,
)

MATCH, NOW_MS = MatchId("m1"), 1_764_000_000_000
EVEN = Score(0, 0, None, 0.5)


def judged(seat: int, judgement: Judgement, best: tuple[str, ...] = ("f4", "d6")) -> JudgedPly:
    return JudgedPly(seat, "a1", False, Variation(EVEN, best), EVEN, 0.2, judgement, 9)


def test_only_the_players_own_mistakes_and_blunders_count() -> None:
    plies = [
        judged(0, Judgement.BLUNDER),
        judged(1, Judgement.BLUNDER),
        judged(0, Judgement.INACCURACY),
        judged(0, Judgement.GOOD),
        judged(0, Judgement.MISTAKE),
        judged(0, Judgement.BLUNDER, ()),
    ]
    assert [each.place for each in mistakes_in(MATCH, 0, plies)] == [Place(MATCH, 0), Place(MATCH, 4)]


@pytest.mark.parametrize(
    ("move", "verdict"),
    [
        ("f4", MistakeVerdict.BEST),
        ("a1", MistakeVerdict.REPEATED),
        ("d6", MistakeVerdict.UNKNOWN),
        ("", MistakeVerdict.SHOWN),
    ],
)
def test_a_review_knows_the_best_move_and_the_mistake(move: str, verdict: MistakeVerdict) -> None:
    assert verdict_on(judged(0, Judgement.BLUNDER), move) is verdict


def test_a_solved_mistake_does_not_come_back_and_a_missed_one_does_after_days() -> None:
    missed = Attempt(False, NOW_MS)
    assert is_due(None, NOW_MS)
    assert not is_due(missed, NOW_MS + RETURN_MS - 1)
    assert is_due(missed, NOW_MS + RETURN_MS)
    assert not is_due(Attempt(True, NOW_MS), NOW_MS + 100 * RETURN_MS)


def test_due_mistakes_keep_their_order() -> None:
    mistakes = [OwnMistake(Place(MATCH, ply), judged(0, Judgement.BLUNDER)) for ply in range(3)]
    assert due(mistakes, {Place(MATCH, 1): Attempt(True, 5)}, NOW_MS) == [mistakes[0], mistakes[2]]


def test_a_right_move_after_a_miss_does_not_solve_it_before_it_is_due_again() -> None:
    missed = after(MistakeVerdict.REPEATED, None, NOW_MS)
    assert missed == Attempt(False, NOW_MS)
    assert after(MistakeVerdict.BEST, missed, NOW_MS + 1) is None
    assert after(MistakeVerdict.BEST, missed, NOW_MS + RETURN_MS) == Attempt(True, NOW_MS + RETURN_MS)
    assert after(MistakeVerdict.UNKNOWN, None, NOW_MS) is None
