"""Who may be put on one scale by `benchmarks.levels`."""

import pytest

from benchmarks.levels import check_comparable
from millrace.engine.game import EngineError


def test_those_who_meet_by_way_of_others_are_comparable() -> None:
    check_comparable(["1", "3", "hunter"], 2)


@pytest.mark.parametrize(("names", "words"), [(["3"], "two to compare"), (["1", "2", "8"], "the gap of 6 levels")])
def test_who_meets_nobody_is_refused_before_a_match_is_played(names: list[str], words: str) -> None:
    with pytest.raises(EngineError, match=words):
        check_comparable(names, 2)
