"""The Dutch system: reports with known pairings, trying all candidates, and what holds in every tournament."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from millrace.server.tournaments.pairing.report_file import parse_report
from millrace.server.tournaments.pairing.swiss import NoPairingError, RoundPairings, pair_round
from millrace.server.tournaments.pairing.swiss_history import (
    Colour,
    Entrant,
    Float,
    Player,
    Result,
    Round,
    Scoring,
    Swiss,
    players_to_pair,
    rounds_missed,
)

from .exhaustive_dutch import ExhaustiveDutch
from .random_swiss import new_tournament, play

CASES = sorted((Path(__file__).parent / "swiss_cases").glob("*.trf"))
WHITE, BLACK = Colour.WHITE, Colour.BLACK


def listed(pairings: RoundPairings) -> list[list[int]]:
    """Return pairings as the files have them: the bye as an opponent 0."""
    pairs = [*pairings.pairs, *([(pairings.bye, 0)] if pairings.bye else [])]
    return [list(pair) for pair in pairs]


def top_score(swiss: Swiss) -> int | None:
    """Return the score above which players are topscorers."""
    return swiss.paired_rounds if swiss.paired_rounds == swiss.rounds - 1 else None


def random_rounds(seed: int, most_players: int) -> Iterator[tuple[Swiss, RoundPairings]]:
    random = Random(seed)
    players = random.randint(3, most_players)
    rounds = random.randint(3, min(15, players + 1))
    swiss = new_tournament(random, players, rounds, random.choice([0, 0, 0, 2]))
    yield from play(random, swiss, random.choice([0, 0, 0.1, 0.25]))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_reports_are_paired_as_by_an_independent_program(case: Path) -> None:
    count, *expected = case.with_suffix(".pairings").read_text().splitlines()
    pairings = listed(pair_round(parse_report(case.read_text()).swiss))
    assert pairings == [[int(number) for number in line.split()] for line in expected]
    assert len(pairings) == int(count)


def assert_like_trying_all(seed: int) -> None:
    for swiss, pairings in random_rounds(seed, 8):
        expected = ExhaustiveDutch(players_to_pair(swiss), top_score(swiss)).pair()
        assert expected is not None
        pairs, bye = expected
        assert {frozenset(pair) for pair in pairings.pairs} == {frozenset((a.number, b.number)) for a, b in pairs}
        assert pairings.bye == (bye.number if bye else None)


def test_small_tournaments_are_paired_as_by_trying_every_candidate() -> None:
    for seed in range(60):
        assert_like_trying_all(seed)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 3_000, 500))
def test_many_small_tournaments_are_paired_as_by_trying_every_candidate(start: int) -> None:
    for seed in range(start, start + 500):
        assert_like_trying_all(seed)


def assert_rules(seed: int, most_players: int) -> None:
    """Assert what holds in every round of a tournament."""
    for swiss, pairings in random_rounds(seed, most_players):
        players = {player.number: player for player in players_to_pair(swiss)}
        paired = [number for pair in pairings.pairs for number in pair]
        assert sorted([*paired, *([pairings.bye] if pairings.bye else [])]) == sorted(players)
        assert (pairings.bye is not None) == len(players) % 2
        assert pairings.bye is None or not players[pairings.bye].had_bye
        for white, black in pairings.pairs:
            assert black not in players[white].barred
            last = top_score(swiss)
            if last is None or max(players[white].score, players[black].score) <= last:
                assert_colour(players[white], WHITE)
                assert_colour(players[black], BLACK)
        if seed % 10 == 0:
            assert pair_round(swiss) == pairings


def assert_colour(player: Player, colour: Colour) -> None:
    assert player.repeated is not colour
    assert abs(player.difference + (1 if colour is WHITE else -1)) <= 2


def test_generated_tournaments_keep_the_rules() -> None:
    for seed in range(100):
        assert_rules(seed, 12)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 10_000, 500))
def test_ten_thousand_generated_tournaments_keep_the_rules(start: int) -> None:
    for seed in range(start, start + 500):
        assert_rules(seed, 24)


def test_the_first_round_pairs_the_upper_half_with_the_lower() -> None:
    swiss = Swiss(tuple(Entrant(number) for number in range(1, 10)), rounds=5, initial_colour=BLACK)
    assert listed(pair_round(swiss)) == [[5, 1], [2, 6], [7, 3], [4, 8], [9, 0]]


@pytest.mark.parametrize(("count", "expected"), [(0, []), (1, [[1, 0]]), (2, [[1, 2]]), (3, [[1, 2], [3, 0]])])
def test_the_smallest_tournaments(count: int, expected: list[list[int]]) -> None:
    assert listed(pair_round(Swiss(tuple(Entrant(number) for number in range(1, count + 1)), rounds=3))) == expected


def after_one_round(results: str, count: int) -> Swiss:
    """Return a tournament after its first round; `results` are those of the upper half, who began with White first."""
    half = count // 2
    other = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}
    entrants = []
    for number in range(1, count + 1):
        upper = number <= half
        index = number - 1 if upper else number - half - 1
        colour = WHITE if (index % 2 == 0) == upper else BLACK
        result = results[index] if upper else other[results[index]]
        entrants.append(Entrant(number, (Round(Result(result), number + half if upper else number - half, colour),)))
    return Swiss(tuple(entrants), rounds=3)


def test_winners_meet_winners_with_exchanged_colours() -> None:
    assert listed(pair_round(after_one_round("1111", 8))) == [[4, 1], [2, 3], [5, 8], [7, 6]]


def test_players_of_a_forfeited_match_may_meet() -> None:
    assert 3 not in players_to_pair(after_one_round("+", 2))[0].barred
    assert listed(pair_round(after_one_round("+", 2))) == [[1, 2]]


def test_without_any_allowed_pair_the_organiser_decides() -> None:
    with pytest.raises(NoPairingError):
        pair_round(after_one_round("1", 2))


def test_forbidden_pairs_do_not_meet() -> None:
    swiss = Swiss(tuple(Entrant(number) for number in range(1, 5)), rounds=2, forbidden=frozenset([frozenset((1, 3))]))
    assert listed(pair_round(swiss)) == [[1, 4], [3, 2]]


def test_absent_and_withdrawn_players_are_not_paired() -> None:
    swiss = replace(after_one_round("1111", 8), absent=frozenset([1, 5]))
    assert {number for pair in pair_round(swiss).pairs for number in pair} == {2, 3, 4, 6, 7, 8}


def test_a_late_entry_has_half_a_point_and_no_colour_preference() -> None:
    swiss = after_one_round("11", 4)
    swiss = replace(swiss, entrants=(*swiss.entrants, Entrant(5, rounds_missed(1, 3))))
    players = {player.number: player for player in players_to_pair(swiss)}
    assert players[5].score == 1
    assert players[5].preference is None
    assert players[5].floats == (Float.DOWN, None)
    assert rounds_missed(0, 3) == ()


@pytest.mark.parametrize(
    ("result", "excluded"),
    [("U", True), ("F", True), ("+", True), ("H", False), ("Z", False), ("-", False), ("1", False)],
)
def test_a_bye_or_a_win_without_playing_excludes_another_bye(result: str, excluded: bool) -> None:
    opponent = 2 if result in "1+-" else None
    other = {"1": "0", "+": "-", "-": "+"}.get(result, "Z")
    entrants = (
        Entrant(1, (Round(Result(result), opponent, WHITE if opponent else None),)),
        Entrant(2, (Round(Result(other), 1 if opponent else None, BLACK if opponent else None),)),
    )
    assert players_to_pair(Swiss(entrants, rounds=5))[0 if result not in "-Z" else -1].had_bye == excluded


def test_a_bye_that_is_worth_a_draw_also_excludes_another() -> None:
    swiss = Swiss((Entrant(1, (Round(Result.PAIRING_BYE),)),), rounds=5, scoring=Scoring(pairing_bye=1))
    player = players_to_pair(swiss)[0]
    assert player.score == 1
    assert player.had_bye


@pytest.mark.parametrize(
    ("colours", "preference", "strength"),
    [
        ("", None, 0),
        ("w", BLACK, 2),
        ("wb", WHITE, 1),
        ("bw", BLACK, 1),
        ("wbb", WHITE, 3),
        ("bwbwb", WHITE, 2),
        ("wwbw", BLACK, 3),
    ],
)
def test_colour_preferences(colours: str, preference: Colour | None, strength: int) -> None:
    player = Player(1, 0, tuple(Colour(colour) for colour in colours))
    assert (player.preference, player.strength) == (preference, strength)


def test_the_loser_of_a_forfeit_has_no_float() -> None:
    floats = {player.number: player.floats[0] for player in players_to_pair(after_one_round("+1", 4))}
    assert floats == {1: Float.DOWN, 2: None, 3: None, 4: None}
