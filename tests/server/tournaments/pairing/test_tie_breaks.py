"""Standings: tie-breaks with unplayed rounds, the direct encounter and the performance."""

import pytest

from millrace.server.tournaments.pairing.report_file import parse_report
from millrace.server.tournaments.pairing.swiss_history import Swiss
from millrace.server.tournaments.pairing.tie_breaks import Standing, Table, rating_gap, standings

CROSS_TABLE = """
1  2 w 1  3 b =  4 w 1
2  1 b 0  4 w 1  3 b 1
3  4 b 1  1 w =  2 w 0
4  3 w 0  2 b 0  1 b 0
"""
"""Four players who have all met."""


def tournament(table: str, rounds: int = 3, ratings: tuple[int, ...] = ()) -> Swiss:
    """Return the tournament of a table: a player's number, and opponent, colour and result of each round."""
    lines = []
    for line in table.strip().splitlines():
        number, *words = line.split()
        entries = [words[index : index + 3] for index in range(0, len(words), 3)]
        points = sum({"1": 1, "+": 1, "U": 1, "F": 1, "=": 0.5, "H": 0.5}.get(entry[2], 0) for entry in entries)
        played = "  ".join(
            f"{int(opponent):4}".replace("   0", "0000") + f" {colour} {result}" for opponent, colour, result in entries
        )
        rating = str(ratings[int(number) - 1]) if ratings else ""
        lines.append(f"001 {int(number):4}".ljust(48) + f"{rating:4}".ljust(32) + f"{points:4}    1  {played}")
    return parse_report("\n".join([*lines, f"XXR {rounds}"])).swiss


def by_number(swiss: Swiss) -> dict[int, Standing]:
    return {standing.number: standing for standing in standings(swiss)}


def test_buchholz_is_the_sum_of_the_opponents_points() -> None:
    table = by_number(tournament(CROSS_TABLE))
    assert [table[number].points for number in (1, 2, 3, 4)] == [5, 4, 3, 0]
    assert [table[number].buchholz for number in (1, 2, 3, 4)] == [7, 8, 9, 12]


def test_sonneborn_berger_counts_the_points_of_those_beaten_and_half_of_those_drawn_with() -> None:
    table = by_number(tournament(CROSS_TABLE))
    # In points: 2 + 0 + 1.5/2 for the first, as 2 (White beat the second), 0 and half of 1.5.
    assert table[1].sonneborn_berger / 4 == 2 + 0 + 1.5 / 2
    assert table[2].sonneborn_berger / 4 == 0 + 1.5
    assert table[4].sonneborn_berger == 0


def test_an_unplayed_round_counts_a_dummy_with_the_players_own_points() -> None:
    table = by_number(tournament("1  2 w 1  0 - U\n2  1 b 0  3 w 1\n3  0 - U  2 b 0", rounds=2))
    assert table[1].points == 4
    assert table[1].buchholz == 2 + 2  # The second has a point; a dummy may not have more than a draw each round.
    assert table[3].buchholz == 2 + 2


def test_the_dummy_of_a_forfeit_has_at_most_the_points_of_the_absent_opponent() -> None:
    table = by_number(tournament("1  2 w +  3 b 1\n2  1 b -  0 - Z\n3  0 - U  1 w 0", rounds=2))
    assert table[1].buchholz == 1 + 2  # The second's last bye counts as a draw for opponents.


def test_requested_byes_at_the_end_count_as_draws_for_opponents_only() -> None:
    after_withdrawal = by_number(tournament("1  2 w 1  0 - U  0 - U\n2  1 b 0  0 - Z  0 - Z"))
    assert after_withdrawal[2].points == 0
    assert after_withdrawal[1].buchholz == 2 + 2 * 3
    returned = by_number(tournament("1  2 w 1  0 - U  2 b 1\n2  1 b 0  0 - Z  1 w 0"))
    assert returned[1].buchholz == 0 + 3 + 0


def test_the_direct_encounter_orders_those_who_are_tied() -> None:
    table = Table(tournament("1  2 w 0\n2  1 b 1\n3  4 w 1\n4  3 b 0", rounds=1))
    assert table.by_direct_encounter([1, 2]) == [[2], [1]]
    assert table.by_direct_encounter([2, 3]) == [[2, 3]]


def test_who_cannot_be_overtaken_leads_a_direct_encounter_that_is_not_complete() -> None:
    swiss = tournament("1  2 w 1  3 b 1\n2  1 b 0  4 w 1\n3  4 b 1  1 w 0\n4  3 w 0  2 b 0", rounds=2)
    assert Table(swiss).by_direct_encounter([1, 2, 3]) == [[1], [2, 3]]


def test_equal_results_are_ordered_by_number() -> None:
    swiss = tournament("1  3 w =\n2  4 b =\n3  1 b =\n4  2 w =", rounds=1)
    assert [each.number for each in standings(swiss)] == [1, 2, 3, 4]


def test_the_performance_is_the_mean_rating_of_opponents_and_the_gap_for_the_score() -> None:
    table = by_number(tournament(CROSS_TABLE, ratings=(2000, 1900, 1800, 1700)))
    assert table[1].performance == 1800 + rating_gap(83) == 2073
    assert table[4].performance == 1900 - 800
    assert by_number(tournament(CROSS_TABLE))[1].performance is None


@pytest.mark.parametrize(("percentage", "gap"), [(100, 800), (99, 677), (76, 202), (50, 0), (49, -7), (0, -800)])
def test_gaps_are_those_of_the_published_table(percentage: int, gap: int) -> None:
    assert rating_gap(percentage) == gap
