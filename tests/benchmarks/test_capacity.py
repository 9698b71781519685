"""The needs of many connections: the page shows the calculated figures, and the calculation is plausible."""

from dataclasses import replace
from pathlib import Path

from benchmarks.capacity import CONNECTIONS, MEASURED, Machines, People, calculate, table

PAGE = Path(__file__).parents[2] / "docs" / "scaling.md"


def test_the_page_shows_the_calculated_figures() -> None:
    assert table() in PAGE.read_text(encoding="utf-8"), (
        "docs/scaling.md is out of date; run `python -m benchmarks.capacity`."
    )


def test_twice_as_many_people_make_twice_as_many_moves_and_need_no_fewer_nodes() -> None:
    for connections in CONNECTIONS:
        few, many = calculate(connections), calculate(2 * connections)
        assert many.plies_per_s == 2 * few.plies_per_s
        assert many.database_cores == 2 * few.database_cores
        assert many.nodes >= few.nodes


def test_data_on_every_node_is_not_divided_among_nodes() -> None:
    for connections in CONNECTIONS:
        known = connections * MEASURED.presence_bytes
        assert calculate(connections).node_memory_gb > known / 1e9


def test_a_ply_costs_the_node_where_it_is_made() -> None:
    people, machines = People(against_bots=0.0, watching=0.0), Machines(load=1.0)
    costs = replace(MEASURED, ply_us=1e6, hello_us=0.0, presence_us=0.0, match_us=0.0)
    needs = calculate(6_000, people, costs, machines)
    assert needs.plies_per_s == 400
    assert needs.nodes == 400
    assert needs.bot_cores == 1
