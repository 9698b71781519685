"""What the ablation makes of its figures: verdicts by its rule, a report of them, and games that heed them."""

import pytest

from benchmarks.ablation_figures import REPORT, Ratio, Turned, Verdict, format_report, ratio_of, read_figures
from engine.games import find_game
from engine.techniques import TECHNIQUES

EVEN = Ratio(1.01, 0.02)


@pytest.mark.parametrize(
    ("turned", "verdict"),
    [
        (Turned("history", True, Ratio(1.2, 0.02), Ratio(1.1, 0.02)), Verdict.PAYS),
        (Turned("history", True, EVEN, Ratio(1.1, 0.02)), Verdict.NOT_SHOWN),
        (Turned("history", True, Ratio(1.2, 0.02), EVEN), Verdict.NOT_SHOWN),
        (Turned("history", True, Ratio(1.2, 0.02), Ratio(0.9, 0.02)), Verdict.COSTS),
        (Turned("noisy_first", True, Ratio(1, 0), EVEN), Verdict.DOES_NOTHING),
        (Turned("futility", True, EVEN, EVEN, (0, 10, 60, 30, 0)), Verdict.PAYS),
        (Turned("futility", True, EVEN, EVEN, (0, 30, 60, 10, 0)), Verdict.COSTS),
        (Turned("futility", True, Ratio(9, 0.01), Ratio(9, 0.01), (1, 8, 22, 8, 1)), Verdict.NOT_SHOWN),
        (Turned("contempt", True, Ratio(1, 0), EVEN, (0, 0, 50, 0, 0)), Verdict.NOT_SHOWN),
    ],
)
def test_a_verdict_needs_figures_beyond_their_error(turned: Turned, verdict: Verdict) -> None:
    assert turned.verdict is verdict


def test_a_ratio_is_a_geometric_mean_within_its_error() -> None:
    low, high = ratio_of([0.5, 2.0, 0.5, 2.0]).bounds
    assert low < 1 < high
    assert low * high == pytest.approx(1)
    assert ratio_of([1.5, 1.5]).bounds == pytest.approx((1.5, 1.5))


def test_the_report_says_what_the_figures_say() -> None:
    assert REPORT.read_text(encoding="utf-8") == format_report(read_figures()), "run `benchmarks.ablation --report`"


def test_a_game_uses_what_pays_and_nothing_that_is_known_not_to_unless_it_is_wanted() -> None:
    for figures in read_figures():
        used = find_game(figures.game).techniques
        for turned in figures.turned:
            known, verdict = TECHNIQUES.get(turned.technique), turned.verdict
            if known is None:
                assert verdict is not Verdict.PAYS, (figures.game, turned.technique)
            elif verdict is Verdict.PAYS:
                assert getattr(used, turned.technique), (figures.game, turned.technique)
            elif verdict in {Verdict.COSTS, Verdict.DOES_NOTHING} and not known.wanted:
                assert not getattr(used, turned.technique), (figures.game, turned.technique)
