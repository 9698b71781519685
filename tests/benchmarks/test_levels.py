"""Which players `benchmarks.levels` can put on one scale."""

import pytest

from benchmarks.levels import check_comparable
from millrace.engine.game import EngineError


def test_players_linked_by_opponents_are_comparable() -> None:
    check_comparable(["1", "3", "hunter"], 2)


@pytest.mark.parametrize(("names", "words"), [(["3"], "two to compare"), (["1", "2", "8"], "the gap of 6 levels")])
def test_a_player_without_opponents_is_refused_before_any_match(names: list[str], words: str) -> None:
    with pytest.raises(EngineError, match=words):
        check_comparable(names, 2)
