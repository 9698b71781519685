"""Knockouts: seeding, byes, both kinds of elimination, and encounters of several matches."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.server.tournaments.pairing.knockout import (
    Bracket,
    EncounterRules,
    From,
    NextMatch,
    Source,
    Standing,
    double_elimination,
    follow,
    next_step,
    seed_order,
    single_elimination,
)

FASTER = EncounterRules(2, ((180_000, 2_000), (60_000, 0)))
PLAYERS = st.integers(2, 20)


def play_out(bracket: Bracket, random: Random | None = None) -> tuple[Standing, dict[int, int], list[tuple[int, int]]]:
    """Return the end of a bracket, the winners, and all who met; without randomness the better seed always wins."""
    winners: dict[int, int] = {}
    met = []
    while ready := (standing := follow(bracket, winners)).ready:
        one, other = standing.players[ready[0]]
        assert one is not None
        assert other is not None
        met.append((one, other))
        winners[ready[0]] = random.choice((one, other)) if random else min(one, other)
    return standing, winners, met


def test_the_first_round_is_seeded_as_usual() -> None:
    assert seed_order(16) == [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]


def test_the_top_seeds_have_the_byes() -> None:
    bracket = single_elimination(5)
    assert [encounter.sides for encounter in bracket if encounter.round == 1] == [
        (1, None),
        (4, 5),
        (2, None),
        (3, None),
    ]
    assert follow(bracket, {}).ready == (1, 5)
    assert follow(bracket, {}).players[5] == (2, 3)


@given(PLAYERS)
def test_if_the_better_seed_wins_the_best_meet_last(players: int) -> None:
    standing, _, met = play_out(single_elimination(players))
    assert standing.champion == 1
    assert met[-1] == (1, 2)
    assert len(met) == players - 1


@given(PLAYERS, st.integers())
def test_one_defeat_eliminates(players: int, seed: int) -> None:
    standing, winners, met = play_out(single_elimination(players), Random(seed))
    losers = [player for pair in met for player in pair]
    for winner in winners.values():
        losers.remove(winner)
    assert sorted(losers) == sorted(set(range(1, players + 1)) - {standing.champion})


@given(PLAYERS, st.integers())
def test_two_defeats_eliminate(players: int, seed: int) -> None:
    standing, winners, met = play_out(double_elimination(players), Random(seed))
    defeats = dict.fromkeys(range(1, players + 1), 0)
    for pair in met:
        for player in pair:
            defeats[player] += 1
    for winner in winners.values():
        defeats[winner] -= 1
    assert standing.champion is not None
    assert defeats.pop(standing.champion) <= 1
    assert set(defeats.values()) <= {2}


def test_the_winner_of_the_losers_side_must_win_the_final_twice() -> None:
    bracket = double_elimination(4)
    final, decider = bracket[-2:]
    _, winners, _ = play_out(bracket)
    assert decider.number not in winners
    one, other = follow(bracket, winners).players[final.number]
    assert (one, other) == (1, 2)
    winners[final.number] = 2
    assert follow(bracket, winners).ready == (decider.number,)
    assert follow(bracket, {**winners, decider.number: 1}).champion == 1


def test_losers_of_the_second_round_drop_to_the_other_end() -> None:
    bracket = double_elimination(8)
    second_round = [encounter.number for encounter in bracket if encounter.round == 2 and not encounter.losers]
    dropping = [encounter for encounter in bracket if encounter.round == 2 and encounter.losers]
    assert [encounter.sides[1] for encounter in dropping] == [
        Source(number, From.LOSER) for number in second_round[::-1]
    ]


@pytest.mark.parametrize(
    ("rules", "results", "step"),
    [
        (EncounterRules(1), [], NextMatch(True, None)),
        (EncounterRules(2), [2], NextMatch(False, None)),
        (EncounterRules(2), [2, 1], True),
        (EncounterRules(3), [0, 0], False),
        (EncounterRules(3), [2, 0], NextMatch(True, None)),
        (EncounterRules(4), [2, 2, 1], True),
        (EncounterRules(2), [2, 0], True),
        (FASTER, [2, 0], NextMatch(True, (180_000, 2_000))),
        (FASTER, [2, 0, 2], NextMatch(False, (180_000, 2_000))),
        (FASTER, [2, 0, 2, 1], True),
        (FASTER, [2, 0, 2, 0], NextMatch(True, (60_000, 0))),
        (FASTER, [2, 0, 2, 0, 1, 1], NextMatch(True, (60_000, 0))),
        (FASTER, [2, 0, 2, 0, 1, 1, 1], NextMatch(False, (60_000, 0))),
        (FASTER, [2, 0, 2, 0, 1, 1, 0], False),
    ],
)
def test_encounters(rules: EncounterRules, results: list[int], step: NextMatch | bool) -> None:
    assert next_step(rules, results, higher_begins=True) == step


@given(st.integers(1, 8), st.lists(st.sampled_from([0, 1, 2]), max_size=30))
def test_seats_are_exchanged_after_each_match(matches: int, results: list[int]) -> None:
    rules = EncounterRules(matches, ((60_000, 0),))
    for count in range(len(results)):
        step = next_step(rules, results[:count], higher_begins=False)
        if isinstance(step, bool):
            break
        assert step.higher_begins == (count % 2 == 1)
