"""Tournaments in rounds as lines of a terminal."""

import pytest

from millrace.client.terminal.commands.tournaments import kind_text, standing_line, table_line
from millrace.client.tournaments import updated
from millrace.protocol import (
    ClockSettings,
    IdentityId,
    MatchId,
    Player,
    Standing,
    TournamentId,
    TournamentPlan,
    TournamentSummary,
    TournamentTable,
    TournamentUpdate,
    TournamentView,
)

ANN, BEN, CEM = (Player(IdentityId(name.lower()), name, registered=True) for name in ("Ann", "Ben", "Cem"))


def plan_of(kind: str, **more: object) -> TournamentPlan:
    return TournamentPlan("Evening", "morris", ClockSettings(180_000), 0, kind=kind, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        (plan_of("arena", minutes=60), "60 minutes"),
        (plan_of("arena", minutes=90, seats=4), "tables of 4, 90 minutes"),
        (plan_of("arena", minutes=90, seats=3, duplicate=True), "duplicate tables of 3, 90 minutes"),
        (plan_of("swiss", rounds=5), "Swiss of 5 rounds"),
        (plan_of("round_robin"), "round robin"),
        (plan_of("round_robin", double=True), "double round robin"),
        (plan_of("knockout"), "knockout, best of 2"),
        (plan_of("knockout", double=True, best_of=1), "double elimination, best of 1"),
    ],
)
def test_a_kind_is_named(plan: TournamentPlan, text: str) -> None:
    assert kind_text(plan) == text


def test_a_row_of_a_swiss_has_tie_breaks() -> None:
    row = Standing(1, ANN, 1500, False, 5, (2, 1, 2), performance=1693, buchholz=11, sonneborn_berger=19)
    assert standing_line(row, plan_of("swiss")) == (
        "  1. Ann                   2½  1 ½ 1  (Buchholz 5½, Sonneborn-Berger 4.75, performance 1693)"
    )


def test_a_row_of_an_arena_of_tables_has_the_difference_of_cells() -> None:
    row = Standing(1, ANN, 1500, False, 66, (48, 18), difference=125)
    assert standing_line(row, plan_of("arena", seats=4)) == "  1. Ann                  5.5  4 1.5  (difference +1.25)"


def test_a_table_of_an_arena_has_the_points_of_each_player() -> None:
    plan = plan_of("arena", seats=3)
    table = TournamentTable(2, 1, (ANN, BEN, CEM))
    assert table_line(table, plan) == "Round 2, table 1: Ann, Ben, Cem"
    table = TournamentTable(2, 1, (ANN, BEN, CEM), MatchId("m"), (36, 6, 6))
    assert table_line(table, plan) == "Round 2, table 1: Ann 3, Ben 0.5, Cem 0.5"


def test_a_disqualified_player_is_said_to_be() -> None:
    row = Standing(2, BEN, 1500, False, 2, (2,), paused=True, disqualified=True)
    assert standing_line(row, plan_of("arena")).endswith("(disqualified)")


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (TournamentTable(2, 1, (ANN, BEN)), "Round 2, table 1: Ann against Ben: -"),
        (TournamentTable(2, 1, (ANN, BEN), MatchId("m"), (1, 1)), "Round 2, table 1: Ann against Ben: ½ - ½"),
        (TournamentTable(2, 3, (ANN, None), points=(2, 0)), "Round 2, table 3: Ann against nobody: 1 - 0"),
        (TournamentTable(1, 1, (ANN, BEN), forfeit=True), "Round 1, table 1: Ann against Ben: forfeit"),
    ],
)
def test_a_table_has_its_result(table: TournamentTable, text: str) -> None:
    assert table_line(table, plan_of("swiss")) == text


def test_tables_are_replaced_by_newer_ones() -> None:
    summary = TournamentSummary(TournamentId("t"), plan_of("swiss", rounds=3), "Ann", "running", 0, 2)
    first, second = (TournamentTable(number, 1, (ANN, BEN)) for number in (1, 2))
    played = TournamentTable(1, 1, (ANN, BEN), MatchId("m"), (2, 0))
    view = TournamentView(summary, 0, (), tables=(first,))
    assert updated(view, TournamentUpdate(TournamentId("t"), 0, tables=(played, second))).tables == (played, second)
