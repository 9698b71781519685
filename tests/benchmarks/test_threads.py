"""What the benchmark of threads makes of its ratios."""

from benchmarks.threads import mean_of


def test_a_mean_is_geometric_and_told_with_its_error() -> None:
    assert mean_of([2.0, 2.0, 2.0]) == "2.00 (2.00 to 2.00)"
    assert mean_of([0.5, 2.0]) == "1.00 (0.26 to 3.89)"


def test_a_single_ratio_has_no_error() -> None:
    assert mean_of([3.0]) == "3.00"
