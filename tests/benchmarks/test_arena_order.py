"""The standings of simulated arenas show the strength of the players at least as well as the points of lichess."""

from statistics import fmean

from benchmarks.arena_order import correlations
from millrace.protocol import ClockSettings


def test_the_standings_show_strength_as_well_as_the_points_of_lichess() -> None:
    found = [correlations(players=100, minutes=60, clock=ClockSettings(60_000), seed=seed) for seed in range(2)]
    here, lichess = (fmean(column) for column in zip(*found, strict=True))
    assert here >= lichess
    assert here > 0.85
