"""The rules of a race: who takes part, its start and end, and the points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol import Code, IdentityId, Player
from millrace.protocol.refusal import Refusal
from millrace.server.learning.puzzles.solving import Verdict
from millrace.server.learning.races.race import (
    COUNTDOWN_MS,
    MOST_RACERS,
    Race,
    followed,
    is_over,
    joined,
    left,
    played,
    require_playable,
    started,
)
from millrace.server.learning.storms.storm import TOLERANCE_MS

RACE = Race("r1", "morris", ("morris/a", "morris/b"), 90_000)
NOW_MS = 1_000_000
STARTS_MS = NOW_MS + COUNTDOWN_MS
PLAYERS = [Player(IdentityId(f"guest-{number}"), f"Guest {number}") for number in range(MOST_RACERS + 1)]
ANN, BEN, *_ = PLAYERS
SOLVED, RIGHT, WRONG = Verdict(True, True), Verdict(True, False, "d6"), Verdict(False)


def race_of(*players: Player) -> Race:
    race = RACE
    for player in players:
        race = joined(race, player, NOW_MS)
    return race


def refused(call: object, *arguments: object) -> Code:
    assert callable(call)
    with pytest.raises(Refusal) as refusal:
        call(*arguments)
    return refusal.value.code


def test_a_race_starts_after_a_countdown_and_ends_by_itself() -> None:
    race = started(race_of(ANN, BEN), NOW_MS)
    assert refused(require_playable, race, STARTS_MS - 1) is Code.NOT_STARTED
    require_playable(race, STARTS_MS)
    assert race.ends_ms == STARTS_MS + 90_000
    assert not is_over(race, race.ends_ms + TOLERANCE_MS)
    assert is_over(race, race.ends_ms + TOLERANCE_MS + 1)


def test_the_tenth_player_starts_it_and_an_eleventh_is_refused() -> None:
    race = race_of(*PLAYERS[: MOST_RACERS - 1])
    assert race.starts_ms == 0
    full = joined(race, PLAYERS[MOST_RACERS - 1], NOW_MS)
    assert (len(full.runs), full.starts_ms) == (MOST_RACERS, STARTS_MS)
    assert refused(joined, full, PLAYERS[MOST_RACERS], NOW_MS) is Code.ALREADY_STARTED


def test_who_has_joined_takes_part_once_and_may_leave_until_the_start() -> None:
    race = race_of(ANN, BEN, ANN)
    assert [run.player for run in race.runs.values()] == [ANN, BEN]
    assert [run.player for run in left(race, ANN.id).runs.values()] == [BEN]
    running = started(race, NOW_MS)
    assert refused(left, running, ANN.id) is Code.ALREADY_STARTED
    assert refused(joined, running, PLAYERS[2], NOW_MS) is Code.ALREADY_STARTED
    assert joined(running, ANN, NOW_MS) == running
    assert refused(running.place_of, PLAYERS[2].id) is Code.NOT_JOINED


def test_bots_do_not_race() -> None:
    assert refused(joined, RACE, Player(ANN.id, "Program", registered=True, bot=True), NOW_MS) is Code.NOT_FOR_BOTS


def test_only_a_finished_race_is_followed_by_another_of_its_players() -> None:
    race = started(race_of(ANN), NOW_MS)
    assert refused(followed, race_of(ANN), ANN.id, NOW_MS, "r2") is Code.NOT_OVER
    assert refused(followed, race, ANN.id, race.ends_ms - 1, "r2") is Code.NOT_OVER
    assert refused(followed, race, BEN.id, race.ends_ms, "r2") is Code.NOT_JOINED
    assert followed(race, ANN.id, race.ends_ms, "r2").next == "r2"


def test_a_wrong_move_ends_the_puzzle_and_the_combo() -> None:
    race = started(race_of(ANN, BEN), NOW_MS)
    place = race.place_of(ANN.id)
    after = played(played(race, place, RIGHT), place, WRONG)
    assert after.runs[place] == race.runs[place]._replace(number=2, plies=0, score=1, combo=0)
    assert after.runs[race.place_of(BEN.id)] == race.runs[race.place_of(BEN.id)]


@pytest.mark.parametrize(("moves", "score"), [(4, 4), (5, 6), (11, 12), (12, 15), (20, 26), (30, 40), (40, 54)])
def test_right_moves_in_a_row_win_extra_points(moves: int, score: int) -> None:
    race = race_of(ANN)
    for _ in range(moves):
        race = played(race, 1, SOLVED)
    assert race.runs[1].score == score


@given(st.lists(st.tuples(st.sampled_from([1, 2]), st.sampled_from([SOLVED, RIGHT, WRONG]))))
def test_every_move_counts_for_its_player_alone(moves: list[tuple[int, Verdict]]) -> None:
    race = race_of(ANN, BEN)
    for place, verdict in moves:
        before, race = race, played(race, place, verdict)
        old, new = before.runs[place], race.runs[place]
        assert (new.score > old.score) == verdict.is_right
        assert new.combo == (old.combo + 1 if verdict.is_right else 0)
        assert new.number == old.number + (verdict != RIGHT)
        assert (new.number, new.plies) > (old.number, old.plies)
        assert race.runs[3 - place] == before.runs[3 - place]
    for place in (1, 2):
        own = [verdict for each, verdict in moves if each == place]
        assert race.runs[place].number == 1 + len([each for each in own if each != RIGHT])
        assert race.runs[place].score >= len([each for each in own if each.is_right])
