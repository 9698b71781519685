"""What the ablation makes of its figures: verdicts by its rule, a report of them, and games that heed them."""

from pathlib import Path

import msgspec
import pytest

from benchmarks import ablation_figures
from benchmarks.ablation_figures import (
    REPORT,
    GameFigures,
    Ratio,
    Row,
    Together,
    Turned,
    Verdict,
    format_report,
    keep_figures,
    ratio_of,
    read_figures,
)
from millrace.engine.games import find_game

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
        (Turned("futility", True, Ratio(9, 0.01), Ratio(9, 0.01), (1, 8, 22, 8, 1)), Verdict.SPARES),
        (Turned("futility", True, Ratio(9, 0.01), EVEN, (1, 8, 22, 8, 1)), Verdict.NOT_SHOWN),
        (Turned("futility", True, Ratio(9, 0.01), Ratio(9, 0.01), (0, 30, 60, 10, 0)), Verdict.COSTS),
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


def test_a_game_uses_what_pays_and_what_is_gone_pays_nowhere() -> None:
    for figures in read_figures():
        for turned in figures.turned:
            if turned.verdict is Verdict.PAYS:
                assert getattr(find_game(figures.game).strength.techniques, turned.technique), (
                    figures.game,
                    turned.technique,
                )


def test_a_game_uses_nothing_that_is_not_shown_to_be_worth_it_by_itself_or_together() -> None:
    for figures in read_figures():
        together = figures.together
        held = together.techniques if together is not None and together.is_paying else ()
        assert set(figures.unshown) <= set(held), figures.game


def test_together_techniques_stay_if_matches_show_that_they_are_missed() -> None:
    assert Together(("futility", "killers"), (0, 10, 60, 30, 0), 3_000).is_paying
    assert not Together(("futility", "killers"), (0, 20, 60, 21, 0), 3_000).is_paying


def test_what_was_not_measured_now_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ablation_figures, "FIGURES", tmp_path / "figures.json")
    futility, killers = (Turned(name, True, EVEN, EVEN) for name in ("futility", "killers"))
    together = Together(("futility",), (0, 10, 60, 30, 0), 3_000)
    measured = GameFigures("morris", 5, 1, (Row("all", 7),), 11, 80, (futility,))
    keep_figures(measured)
    keep_figures(msgspec.structs.replace(measured, rows=(), turned=(), together=together))
    keep_figures(msgspec.structs.replace(measured, rows=(), turned=(killers,)))
    assert read_figures() == [msgspec.structs.replace(measured, turned=(futility, killers), together=together)]
