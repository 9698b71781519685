"""Battle Sheep, ruling by ruling (section 3 of the rulings), and its kernels against a reference in plain Python."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import IllegalMoveError, MoveSyntaxError, Outcome, SetupError
from engine.games.battlesheep import GAME
from engine.games.battlesheep.catalogue import PASTURES, cells_of, standard_pasture
from engine.games.battlesheep.kernels import MAX_MOVES
from engine.games.battlesheep.laying import TILE_SHAPES, lay_pasture
from engine.games.battlesheep.older_text import read_older_text, write_older_text
from engine.games.battlesheep.pasture import NEIGHBOURS, joined, outer_edge
from engine.perft import divide, perft
from engine.rules import rules_of
from engine.state import State

STEPS = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))

Coordinate = tuple[int, int]
Stacks = dict[Coordinate, tuple[str, int]]


def pasture(drawing: str, seat: str = "r", seats: int = 2) -> State:
    """Set up rows of the axial array: `.` no cell, `0` empty, `r16` a stack; blanks divide."""
    rows = "/".join(",".join(line.split()) for line in drawing.strip().splitlines())
    return State.of(GAME, f"{rows} {seat} {seats}")


def texts(state: State) -> set[str]:
    return {state.format_move(move) for move in state.legal_moves}


def rows(state: State) -> list[str]:
    return state.position_text.split()[0].split("/")


# --- the slow reference ---


def read(state: State) -> tuple[set[Coordinate], Stacks]:
    cells: set[Coordinate] = set()
    stacks: Stacks = {}
    for row, line in enumerate(rows(state)):
        for column, text in enumerate(line.split(",")):
            if text != ".":
                cells.add((row, column))
            if text not in ".0":
                stacks[row, column] = (text[0], int(text[1:]))
    return cells, stacks


def name(cell: Coordinate) -> str:
    return f"{'abcdefghijklmnopqrstuvwxyz'[cell[1]]}{cell[0] + 1}"


def reference_edge(cells: set[Coordinate]) -> set[Coordinate]:
    """Flood from far outside, over places that are not cells."""
    low, high = -1, 1 + max(max(cell) for cell in cells)
    outside, frontier = {(low, low)}, [(low, low)]
    while frontier:
        row, column = frontier.pop()
        for step in STEPS:
            place = (row + step[0], column + step[1])
            if low <= min(place) and max(place) <= high and place not in cells and place not in outside:
                outside.add(place)
                frontier.append(place)
    return {cell for cell in cells if any((cell[0] + row, cell[1] + column) in outside for row, column in STEPS)}


def reference_moves(cells: set[Coordinate], stacks: Stacks, letter: str) -> dict[str, Stacks]:
    """Return the stacks after each move but the pass, by text."""
    own = {cell: size for cell, (seat, size) in stacks.items() if seat == letter}
    if not own:
        return {name(cell): stacks | {cell: (letter, 16)} for cell in reference_edge(cells) if cell not in stacks}
    moves = {}
    for origin, size in own.items():
        for row, column in STEPS:
            target = origin
            while (following := (target[0] + row, target[1] + column)) in cells and following not in stacks:
                target = following
            for sheep in range(1, size) if target != origin else ():
                after = stacks | {origin: (letter, size - sheep), target: (letter, sheep)}
                moves[f"{name(origin)}-{name(target)}:{sheep}"] = after
    return moves


def reference_group(own: set[Coordinate]) -> int:
    largest = 0
    while own:
        group, frontier = set[Coordinate](), [next(iter(own))]
        while frontier:
            cell = frontier.pop()
            if cell in own:
                own = own - {cell}
                group.add(cell)
                frontier += [(cell[0] + row, cell[1] + column) for row, column in STEPS]
        largest = max(largest, len(group))
    return largest


def reference_ranks(stacks: Stacks, seats: int) -> tuple[int, ...]:
    scores = []
    for letter in "rbgy"[:seats]:
        own = {cell for cell, (seat, _) in stacks.items() if seat == letter}
        scores.append((len(own), reference_group(own)))
    return tuple(1 + sum(other > score for other in scores) for score in scores)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 9999), st.integers(2, 4), st.randoms(use_true_random=False))
def test_whole_matches_follow_the_rulings(seed: int, seats: int, chance: random.Random) -> None:
    state = State.of(GAME, f"seed={seed} seats={seats}")
    cells, stacks = read(state)
    while True:
        assert read(state) == (cells, stacks)
        expected = reference_moves(cells, stacks, "rbgy"[state.seat])
        if not expected and any(reference_moves(cells, stacks, letter) for letter in "rbgy"[:seats]):
            expected = {"pass": stacks}
        assert texts(state) == set(expected)
        assert len(state.legal_moves) == len(expected) <= MAX_MOVES
        position = GAME.position_type(*state.words)
        assert GAME.kernels.count_moves(state.start.board, position) == len(expected)
        assert abs(rules_of(GAME).evaluate(state.start.board, state.words)) <= 20_000
        if not expected:
            break
        text = chance.choice(sorted(expected))
        state, stacks = state.play_text(text), expected[text]
    assert state.outcome is not None
    assert state.outcome.ranks == reference_ranks(stacks, seats)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 9999), st.integers(2, 4), st.randoms(use_true_random=False))
def test_texts_and_clicks_round_trip_through_a_match(seed: int, seats: int, chance: random.Random) -> None:
    state = State.of(GAME, f"seed={seed} seats={seats}")
    while state.outcome is None:
        moves = state.legal_moves
        assert [state.parse_move(state.format_move(move)) for move in moves] == list(moves)
        assert len({GAME.clicks(state.start.board, move) for move in moves}) == len(moves)
        state = state.play(chance.choice(moves))
        again = State.of(GAME, state.position_text)
        assert (again.position_text, again.seat, again.outcome) == (state.position_text, state.seat, state.outcome)
        assert again.words.tolist() == state.words.tolist()


def turned(state: State) -> State:
    """Return the same position on the pasture turned by half a turn."""
    fields = state.position_text.split()
    fields[0] = "/".join(",".join(reversed(line.split(","))) for line in reversed(fields[0].split("/")))
    return State.of(GAME, " ".join(fields))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 9999), st.integers(2, 4), st.integers(0, 12), st.randoms(use_true_random=False))
def test_a_pasture_turned_round_has_the_same_moves_and_worth(
    seed: int, seats: int, plies: int, chance: random.Random
) -> None:
    state = State.of(GAME, f"seed={seed} seats={seats}")
    for _ in range(plies):
        if state.outcome is None:
            state = state.play(chance.choice(state.legal_moves))
    other = turned(state)
    assert perft(other, 2) == perft(state, 2)
    assert rules_of(GAME).evaluate(other.start.board, other.words) == rules_of(GAME).evaluate(
        state.start.board, state.words
    )


# --- 3.1: pastures ---


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_there_are_at_least_six_named_pastures_for_every_number_of_seats(seats: int) -> None:
    assert sum(named.seats == seats for named in PASTURES.values()) >= 6


def is_tiled(cells: frozenset[Coordinate]) -> bool:
    if not cells:
        return True
    row, column = min(cells)
    tiles = (frozenset((row + r, column + c) for r, c in shape) for shape in TILE_SHAPES)
    return any(tile <= cells and is_tiled(cells - tile) for tile in tiles)


@pytest.mark.parametrize("name", PASTURES)
def test_a_named_pasture_is_laid_from_four_tiles_a_seat_in_one_piece(name: str) -> None:
    cells = cells_of(PASTURES[name])
    assert len(cells) == 16 * PASTURES[name].seats
    assert joined(cells, min(cells)) == cells
    assert is_tiled(cells)
    assert State.of(GAME, f"pasture={name}").start.seats == PASTURES[name].seats


@pytest.mark.parametrize("name", PASTURES)
def test_a_named_pasture_looks_the_same_to_its_seats(name: str) -> None:
    places = {(2 * column - row, row) for row, column in cells_of(PASTURES[name])}
    third = {((-x - 3 * y) // 2, (x - y) // 2) for x, y in places}
    half = {(-x, -y) for x, y in places}
    turned_places = third if PASTURES[name].seats == 3 else half
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
        assert len(outer_edge(cells)) >= seats


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
def test_seats_alone_ask_for_the_standard_pasture(seats: int) -> None:
    state = State.of(GAME, f"seats={seats}")
    assert state.start.seats == seats
    assert state.position_text == State.of(GAME, f"pasture={standard_pasture(seats).name}").position_text


def test_without_a_set_up_two_seats_play() -> None:
    assert State.of(GAME).start.seats == 2


# --- 3.2, 3.3: turns and placing ---


def test_each_seat_has_sixteen_sheep_to_place_and_red_begins() -> None:
    state = State.of(GAME, "seats=4")
    assert state.drawing.reserves == (16, 16, 16, 16)
    assert state.seat == 0
    state = state.play(state.legal_moves[0])
    assert state.drawing.reserves == (0, 16, 16, 16)
    assert [pile for pile in state.drawing.piles if pile] == [(0, 16)]
    assert state.seat == 1


def test_a_stack_is_placed_on_an_empty_cell_of_the_outer_edge() -> None:
    state = pasture("""
        0 0 0 . .
        0 0 0 0 .
        0 0 0 0 0
        . 0 0 0 0
        . . 0 0 0
    """)
    assert {"b2", "c3", "d4", "b3", "c2", "c4", "d3"}.isdisjoint(texts(state))
    assert len(texts(state)) == 12
    assert "a1" not in texts(state.play_text("a1"))
    assert len(texts(state.play_text("a1"))) == 11


def test_a_cell_that_borders_only_a_hole_is_not_on_the_outer_edge() -> None:
    ring = pasture("""
        0 0 0 0 . . .
        0 0 0 0 0 . .
        0 0 0 0 0 0 .
        0 0 0 . 0 0 0
        . 0 0 0 0 0 0
        . . 0 0 0 0 0
        . . . 0 0 0 0
    """)
    assert {"c3", "d3", "c4", "e4", "d5", "e5"}.isdisjoint(texts(ring))
    assert len(texts(ring)) == 18


def test_the_outer_edge_has_the_cells_of_one_cell_necks_once_and_all() -> None:
    dumbbell = pasture("""
        0 0 . . . . .
        0 0 0 0 0 0 0
        . . . . . 0 0
    """)
    assert sorted(texts(dumbbell)) == sorted({"a1", "b1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "f3", "g3"})


def test_a_hole_that_opens_through_a_gap_is_outside() -> None:
    bay = pasture("""
        0 0 . . .
        0 0 . 0 .
        0 0 0 0 0
        . 0 0 0 0
        . . 0 0 0
    """)
    assert "b2" in texts(bay)
    assert "c3" in texts(bay)


def test_a_seat_that_finds_no_edge_to_place_on_passes() -> None:
    state = pasture(
        """
        b1 b1 .
        b1 0  r3
        .  b1 0
        """,
        "r",
        3,
    )
    state = state.play_text("c2-c3:1").play_text("pass")
    assert state.drawing.reserves == (0, 0, 16)
    assert texts(state) == {"pass"}
    assert texts(state.play_text("pass")) == {"c2-b2:1"}


# --- 3.4: splits ---


ROW = "r16 0 0 0 b16"


def test_one_to_all_but_one_sheep_slide_to_the_last_empty_cell() -> None:
    assert texts(pasture(ROW)) == {f"a1-d1:{sheep}" for sheep in range(1, 16)}
    assert rows(pasture(ROW).play_text("a1-d1:7")) == ["r9,0,0,r7,b16"]


def test_sheep_do_not_stop_half_way() -> None:
    with pytest.raises(IllegalMoveError, match="not allowed"):
        pasture(ROW).play_text("a1-c1:7")


def test_sheep_stop_before_the_nearest_stack_of_a_line_and_not_the_furthest() -> None:
    state = pasture("""
        r3 0 0 b1 0 0 b9
    """)
    assert texts(state) == {"a1-c1:1", "a1-c1:2"}
    backwards = pasture("""
        b9 0 0 b1 0 0 r3
    """)
    assert texts(backwards) == {"g1-e1:1", "g1-e1:2"}


def test_sheep_stop_before_a_hole() -> None:
    state = pasture("""
        r2 0 0 . 0
        .  0 0 0 0
    """)
    assert texts(state) == {"a1-c1:1", "a1-b2:1"}


def test_sheep_slide_in_six_directions() -> None:
    state = pasture("""
        0 0 0 . .
        0 0 0 0 .
        0 0 r2 0 0
        . 0 0 0 0
        . . 0 0 b1
    """)
    assert texts(state) == {f"c3-{target}:1" for target in ["e3", "d4", "c5", "a3", "a1", "c1"]}


def test_a_neighbour_by_the_other_diagonal_is_none() -> None:
    state = pasture("""
        0 0 0
        0 r2 0
        0 0 b9
    """)
    assert {"b2-c1:1", "b2-a3:1"}.isdisjoint(texts(state))


def test_a_stack_of_one_stays_where_it_is() -> None:
    state = pasture("""
        r1 0 0 r2
        .  0 0 b9
    """)
    assert {text.split("-")[0] for text in texts(state)} == {"d1"}


def test_stacks_never_merge() -> None:
    state = pasture("""
        r2 r1 0 0 b9
    """)
    assert texts(state) == {"pass"}


# --- 3.5: passes ---


BLOCKED = """
    r15 b1 0 0 b15
"""


def test_a_seat_without_a_move_passes_and_the_match_goes_on() -> None:
    state = pasture(BLOCKED)
    assert texts(state) == {"pass"}
    assert state.outcome is None
    assert state.forced_pass == state.legal_moves[0]
    after = state.play_text("pass")
    assert rows(after) == rows(state)
    assert after.seat == 1
    assert texts(after) == {f"e1-c1:{sheep}" for sheep in range(1, 15)}


def test_a_seat_that_can_move_may_not_pass() -> None:
    state = pasture(ROW)
    assert state.forced_pass is None
    with pytest.raises(IllegalMoveError):
        state.play_text("pass")


def test_a_blocked_seat_of_three_is_passed_over_round_by_round() -> None:
    state = pasture(
        """
        b9 r16 g1 0 0 0 g15
        """,
        "b",
        3,
    )
    state = state.play_text("pass").play_text("g1-d1:2").play_text("pass").play_text("pass")
    assert state.seat == 2
    assert rows(state) == ["b9,r16,g1,g2,0,0,g13"]
    assert state.play_text("g1-e1:1").seat == 0


def test_perft_ends_a_line_at_a_forced_pass() -> None:
    state = pasture(BLOCKED)
    assert perft(state, 1) == perft(state, 2) == 0
    assert list(divide(state, 2)) == []
    before = pasture("r15 0 0 0 b16", "b")
    assert perft(before, 1) == 15
    assert perft(before, 2) == 0


# --- 3.6: endings ---


def test_play_ends_when_no_seat_can_move_and_most_cells_win() -> None:
    state = pasture("r2 0 b1").play_text("a1-b1:1")
    assert state.legal_moves == ()
    assert state.outcome == Outcome((1, 2), "most_cells")


def test_a_tie_of_cells_goes_to_the_largest_connected_group() -> None:
    state = pasture("r1 b1 b1 r1")
    assert state.outcome == Outcome((2, 1), "largest_group")


def test_what_is_still_tied_is_shared() -> None:
    state = pasture("r16 b16")
    assert state.outcome == Outcome((1, 1), "shared")
    assert state.outcome.winner is None


def test_three_seats_have_full_ranks() -> None:
    state = pasture(
        """
        b1 b1 b2
        r1 g1 g1
        """,
        "g",
        3,
    )
    assert state.outcome == Outcome((3, 1, 2), "most_cells")


def test_two_of_four_seats_may_share_the_first_place() -> None:
    state = pasture("b1 b1 r2 r1 g1 y1", "y", 4)
    assert state.outcome == Outcome((1, 1, 3, 3), "shared")


def test_the_winner_is_found_by_cells_and_not_by_sheep_left() -> None:
    state = pasture("b16 r1 r1")
    assert state.outcome == Outcome((1, 2), "most_cells")


# --- 3.8: move texts and clicks ---


def test_a_split_is_clicked_as_origin_target_and_number() -> None:
    state = pasture(ROW)
    assert GAME.clicks(state.start.board, state.parse_move("a1-d1:7")) == ("a1", "d1", "7")
    assert state.parse_move("a1 d1 7") == state.parse_move("a1-d1:7")


def test_a_placing_is_one_click_and_a_pass_a_choice() -> None:
    state = State.of(GAME, "0,0,0 r 2")
    assert GAME.clicks(state.start.board, state.parse_move("b1")) == ("b1",)
    assert GAME.clicks(state.start.board, state.parse_move("pass")) == ("pass",)


def test_columns_beyond_z_have_two_letters() -> None:
    wide = State.of(GAME, f"{','.join(['0'] * 60)} r 2")
    assert {"a1", "z1", "aa1", "az1", "ba1", "bh1"} <= texts(wide)
    assert rows(wide.play_text("bh1"))[0].endswith("r16")


@pytest.mark.parametrize(
    "text", ["", "d1", "a2", "a1-d1", "a1-d1:0", "a1-d1:16", "a1-a1:3", "a1-z9:1", "A1-d1:3", "a01", "a1-d1:3 "]
)
def test_a_text_that_is_no_move_here_is_refused(text: str) -> None:
    board = State.of(GAME, "0,0,0 r 2").start.board
    with pytest.raises(MoveSyntaxError):
        GAME.parse_move(board, text)


# --- 3.9: position texts and their faults ---


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("0,0,0", "seat to move and the number of seats"),
        ("0,0,0 r 5", "2, 3 or 4 seats"),
        ("0,0,0 g 2", "one of r, b"),
        ("0,0,0 rb 2", "one of r, b"),
        ("0,0,./.,.,.,0 r 2", "Row 2 has 4 cells, but row 1 has 3"),
        ("0,0,./.,.,0/0,.,. r 2", "not connected"),
        ("0,./.,0/0,. r 2", "not connected"),
        ("0,x,0 r 2", "not 'x'"),
        ("0,r,0 r 2", "not 'r'"),
        ("0,r17,0 r 2", "not 'r17'"),
        ("0,r0,0 r 2", "not 'r0'"),
        ("0,,0 r 2", "not ''"),
        ("r9,r8,0,0 r 2", "17 sheep of r"),
        ("r9,g8,0,0 r 2", "only 2 seats"),
        (".,.,. r 2", "no cells"),
        ("/".join([",".join("0" * 9)] * 8) + " r 2", "72 cells; at most 64"),
        (",".join("0" * 65) + " r 2", "wider or higher"),
        ("0 r 2", "1 empty cells, too few for the 2 seats"),
        ("0,r16,0 r 4", "2 empty cells, too few for the 3 seats"),
        ("pasture=nowhere", "no pasture called 'nowhere'"),
        ("pasture=meadow seats=3", "is for 2 seats, not 3"),
        ("pasture=meadow seed=3", "not both"),
        ("seed=x", "a number"),
        ("seed=12345678901", "at most ten digits"),
        ("seats=5", "2, 3 or 4 seats"),
        ("seats=2 seats=3", "given twice"),
        ("flying=off", "options are"),
        ("pasture", "seat to move and the number of seats"),
    ],
)
def test_a_faulty_set_up_is_refused_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(SetupError, match=fault):
        State.of(GAME, text)


def test_a_position_text_keeps_the_array_in_which_it_was_given() -> None:
    text = ".,.,.,./.,0,0,./.,r16,0,./.,0,0,b16 b 3"
    assert State.of(GAME, text).position_text == text


OLDER = """\
       0   0   0   0
     0   0   0   0   0   0
   0   0   0   0   0  -16
 0  +16  0   0       0   0
       0   0   0   0   0   0
     0   0   0   0"""

NEWER = "0,0,0,0,.,.,./0,0,0,0,0,0,./0,0,0,0,0,r16,./0,b16,0,0,.,0,0/.,.,0,0,0,0,0/.,.,0,0,0,0,. r 2".replace(
    ",.,./", ",.,./"
)


def test_the_older_text_is_read_with_red_to_move() -> None:
    state = State.of(GAME, OLDER)
    assert rows(state) == [
        "0,0,0,0,.,.,.,.",
        "0,0,0,0,0,0,.,.",
        "0,0,0,0,0,r16,.,.",
        "0,b16,0,0,.,0,0,.",
        ".,.,0,0,0,0,0,0",
        ".,.,0,0,0,0,.,.",
    ]
    assert state.seat == 0


def test_the_older_text_is_written_as_it_was_read() -> None:
    state = State.of(GAME, OLDER)
    assert write_older_text(GAME.geometry(state.start.board), state.drawing) == OLDER


@pytest.mark.parametrize(
    ("text", "fault"),
    [(" 0   0    0", "four characters apart"), (" 0  -", "not '-'"), (" 0  17", "not '17'"), (" 0  +17", "not 'b17'")],
)
def test_a_faulty_older_text_is_refused_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(SetupError, match=fault):
        State.of(GAME, text)


def test_the_older_text_is_for_two_seats() -> None:
    state = State.of(GAME, "seats=3")
    with pytest.raises(SetupError, match="two seats"):
        write_older_text(GAME.geometry(state.start.board), state.drawing)


def test_an_older_text_may_have_blank_lines_around_it() -> None:
    assert read_older_text("\n -2   0\n\n") == "r2,0 r 2"


# --- drawing ---


def test_cells_that_touch_are_drawn_at_distance_one() -> None:
    state = State.of(GAME, "seed=5")
    cells = GAME.geometry(state.start.board).cells
    neighbours = state.start.board.tables[NEIGHBOURS]
    for index, cell in enumerate(cells):
        for other, place in enumerate(cells):
            distance = ((cell.x - place.x) ** 2 + (cell.y - place.y) ** 2) ** 0.5
            assert (int(neighbours[index]) >> other & 1 == 1) == (abs(distance - 1) < 1e-9)
