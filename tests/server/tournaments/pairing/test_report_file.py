"""Reports: read, written, and refused in words."""

from pathlib import Path
from random import Random

import pytest

from millrace.server.tournaments.pairing.report_file import Report, ReportError, format_report, parse_report
from millrace.server.tournaments.pairing.swiss_history import Colour, Result, Scoring, Swiss

from .random_swiss import new_tournament, play

CASE = (Path(__file__).parent / "swiss_cases" / "dutch_2025_C5.trf").read_text()


def line(number: int, rounds: str, points: str = "0.0") -> str:
    return f"001 {number:4}".ljust(80) + f"{points:>4}    1  {rounds}"


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parent / "swiss_cases").glob("*.trf")), ids=lambda path: path.stem
)
def test_a_report_is_written_as_it_was_read(path: Path) -> None:
    assert format_report(parse_report(path.read_text())) == path.read_text()


@pytest.mark.parametrize("seed", range(20))
def test_every_tournament_survives_a_round_trip(seed: int) -> None:
    random = Random(seed)
    for swiss, _ in play(random, new_tournament(random, random.randint(3, 12), 5, forbidden=2), 0.2):
        report = Report(swiss, ("012 A tournament",))
        assert parse_report(format_report(report)) == report


def test_players_and_what_pairing_does_not_need_are_kept() -> None:
    text = (
        "012 Spring Cup\n"
        "001    1 mg   Kováčová, Zuzana                  2720 SVK    14900000 1990/01/02  0.0    1\n"
        "001    2      Doe, John                                                          0.0    2\n"
        "XXR 5\nXXC black1\n"
    )
    report = parse_report(text)
    first = report.swiss.entrants[0]
    assert (first.name, first.rating, first.extra["federation"]) == ("Kováčová, Zuzana", 2720, "SVK")
    assert report.headers == ("012 Spring Cup",)
    assert report.swiss.initial_colour is Colour.BLACK
    assert format_report(report) == text


def test_the_lines_of_the_newer_format_say_the_same() -> None:
    old = "\n".join([line(1, ""), line(2, ""), line(3, ""), "XXR 7", "XXC black1", "XXP 1 3"])
    new = "\n".join([line(1, ""), line(2, ""), line(3, ""), "142 7", "152 B", "260   1   7    1    3"])
    assert parse_report(old) == parse_report(new)


def test_a_bye_for_the_next_round_is_read_from_either_place() -> None:
    report = parse_report("\n".join([line(1, ""), line(2, ""), line(3, ""), "XXR 7", "240 H   1    3"]))
    assert report.swiss.entrants[2].rounds[0].result is Result.HALF_POINT_BYE
    assert [each.number for each in report.swiss.taking_part()] == [1, 2]
    assert [each.number for each in parse_report(CASE).swiss.taking_part()] == [1, 2, 3, 5, 6]


def test_points_for_results_can_be_set() -> None:
    scoring = parse_report("162  W 3.0    D 1.0    L 0.0    P 1.0\n" + line(1, "0000 - U", "1.0")).swiss.scoring
    assert scoring == Scoring(win=6, draw=2, loss=0, pairing_bye=2)
    report = Report(Swiss((), rounds=3, scoring=scoring))
    assert parse_report(format_report(report)) == report


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("001 abc", "Line 1: it cannot be read."),
        (line(1, "") + "\n" + line(1, ""), "Line 2: the pairing number 1 cannot be used."),
        (line(1, "   2 w 1", "1.0"), "Round 1 of player 1 contradicts the opponent's entry."),
        (
            line(1, "   2 w 1", "1.0") + "\n" + line(2, "   1 w 0"),
            "Round 1 of player 1 contradicts the opponent's entry.",
        ),
        (line(1, "0000 - 1", "1.0"), "Line 1: a result has no opponent."),
        (line(1, "   2 - H", "0.5"), "Line 1: a bye has an opponent."),
        (line(1, "0000 - U"), "The points of player 1 do not match the results."),
        (line(1, "", "0.3"), "Line 1: points must be halves."),
        ("XXC rank", "Line 1: pairing by rank is not supported."),
        ("XXA    1  1.0", "Line 1: accelerated pairing (XXA) is not supported."),
        ("XXC green1", "Line 1: it cannot be read."),
    ],
)
def test_what_cannot_be_read_is_named(text: str, message: str) -> None:
    with pytest.raises(ReportError) as caught:
        parse_report(text)
    assert str(caught.value) == message
