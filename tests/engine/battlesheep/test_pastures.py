"""The pastures of Battle Sheep (ruling 3.1): named, laid by a seed, drawn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.engine.games.battlesheep import GAME
from millrace.engine.games.battlesheep.named_pastures import NAMED_PASTURES, cells_of, standard_pasture
from millrace.engine.games.battlesheep.pasture import NEIGHBOURS, build_board, joined
from millrace.engine.games.battlesheep.random_pasture import TILE_SHAPES, lay_pasture
from millrace.engine.state import State
from tests.engine.battlesheep import reference_pastures
from tests.engine.battlesheep.board_text import rows

Coordinate = tuple[int, int]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_there_are_at_least_six_named_pastures_for_every_number_of_seats(seats: int) -> None:
    assert sum(named.seats == seats for named in NAMED_PASTURES.values()) >= 6


def is_tiled(cells: frozenset[Coordinate]) -> bool:
    if not cells:
        return True
    row, column = min(cells)
    tiles = (frozenset((row + r, column + c) for r, c in shape) for shape in TILE_SHAPES)
    return any(tile <= cells and is_tiled(cells - tile) for tile in tiles)


@pytest.mark.parametrize("name", NAMED_PASTURES)
def test_a_named_pasture_is_laid_from_four_tiles_a_seat_in_one_piece(name: str) -> None:
    cells = cells_of(NAMED_PASTURES[name])
    assert len(cells) == 16 * NAMED_PASTURES[name].seats
    assert joined(cells, min(cells)) == cells
    assert is_tiled(cells)
    assert State.of(GAME, f"pasture={name}").start.seats == NAMED_PASTURES[name].seats


@pytest.mark.parametrize("name", NAMED_PASTURES)
def test_a_named_pasture_looks_the_same_to_its_seats(name: str) -> None:
    places = {(2 * column - row, row) for row, column in cells_of(NAMED_PASTURES[name])}
    third = {((-x - 3 * y) // 2, (x - y) // 2) for x, y in places}
    half = {(-x, -y) for x, y in places}
    turned_places = third if NAMED_PASTURES[name].seats == 3 else half
    assert centred(turned_places) == centred(places)


def centred(places: set[Coordinate]) -> set[Coordinate]:
    left, top = min(x for x, _ in places), min(y for _, y in places)
    return {(x - left, y - top) for x, y in places}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_seed_lays_a_connected_pasture_from_tiles(seats: int) -> None:
    for seed in range(20):
        cells = lay_pasture(seed, seats)
        assert len(cells) == 16 * seats
        assert joined(cells, min(cells)) == cells
        assert len(reference_pastures.outer_edge(cells)) >= seats


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "seeds", [pytest.param(range(3), marks=pytest.mark.interpreted), range(3, 300)], ids=["few", "many"]
)
def test_a_seed_lays_the_same_pasture_as_sets_of_coordinates(seats: int, seeds: range) -> None:
    for seed in (*seeds, 10**10 - 1 - seeds.start):
        assert lay_pasture(seed, seats) == reference_pastures.lay_pasture(seed, seats)


@given(st.frozensets(st.tuples(st.integers(0, 8), st.integers(0, 11)), min_size=1, max_size=64))
def test_tables_agree_with_sets_of_coordinates_for_any_cells(cells: frozenset[Coordinate]) -> None:
    tables = build_board(cells, (9, 12), 3).tables
    assert tables.tolist() == reference_pastures.tables_of(cells, (9, 12), 3).tolist()


@pytest.mark.interpreted
def test_tables_of_laid_pastures_agree_with_sets_of_coordinates() -> None:
    for seed in range(3):
        cells = lay_pasture(seed, 4)
        assert (
            build_board(cells, (30, 30), 4).tables.tolist() == reference_pastures.tables_of(cells, (30, 30), 4).tolist()
        )


def test_a_seed_always_lays_the_same_pasture() -> None:
    assert rows(State.of(GAME, "seed=7")) == [
        ".,.,0,0,.,.,.,.",
        ".,.,0,0,.,.,.,.",
        "0,0,0,0,.,.,.,.",
        ".,0,0,0,0,0,0,.",
        ".,.,0,0,0,0,0,.",
        ".,.,0,0,0,0,0,.",
        ".,.,.,0,0,0,0,0",
        ".,.,.,.,.,0,0,0",
    ]


def test_another_seed_lays_another_pasture() -> None:
    assert len({lay_pasture(seed, 2) for seed in range(50)}) == 50


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_set_up_with_seats_only_means_the_standard_pasture(seats: int) -> None:
    state = State.of(GAME, f"seats={seats}")
    assert state.start.seats == seats
    assert state.position_text == State.of(GAME, f"pasture={standard_pasture(seats).name}").position_text


def test_without_a_set_up_two_seats_play() -> None:
    assert State.of(GAME).start.seats == 2


def test_neighbouring_cells_are_drawn_at_distance_one() -> None:
    state = State.of(GAME, "seed=5")
    cells = state.geometry.cells
    neighbours = state.start.board.tables[NEIGHBOURS]
    for index, cell in enumerate(cells):
        for other, place in enumerate(cells):
            distance = ((cell.x - place.x) ** 2 + (cell.y - place.y) ** 2) ** 0.5
            assert (int(neighbours[index]) >> other & 1 == 1) == (abs(distance - 1) < 1e-9)
