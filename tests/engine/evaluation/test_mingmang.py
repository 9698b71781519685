"""The evaluation of Ming Mang, compared with counting square by square."""

from random import Random

import numpy as np
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from millrace.engine.game import Position
from millrace.engine.games import find_game
from millrace.engine.games.mingmang.evaluation import KINDS
from millrace.engine.games.mingmang.kernels import PASS
from millrace.engine.state import State
from millrace.engine.weights import evaluation_terms_of
from tests.engine.evaluation.counting import all_counted

GAME = find_game("mingmang")
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))
SQUARES = [(column, row) for row in range(8) for column in range(8)]

Square = tuple[int, int]


@st.composite
def strewn_boards(draw: st.DrawFn) -> State:
    """A position with randomly placed men."""
    squares = draw(st.permutations(range(64)))
    black = draw(st.integers(1, 27))
    return state_of(set(squares[:black]), set(squares[black:28]), draw(st.sampled_from("bw")))


@st.composite
def parted_boards(draw: st.DrawFn) -> State:
    """A position in which two adjacent walls of men separate the sides."""
    height, heights = draw(st.integers(2, 6)), list[int]()
    for step in draw(st.lists(st.integers(-1, 1), min_size=8, max_size=8)):
        height = min(max(height + step, 1), 7)
        heights.append(height)
    below = {(column, row) for column, row in SQUARES if row < heights[column]}
    above = set(SQUARES) - below
    walls = [{square for square in side if near(square) - side} for side in (below, above)]
    spare = 28 - len(walls[0] | walls[1])
    assume(spare >= 0)
    behind = draw(st.permutations(sorted(set(SQUARES) - walls[0] - walls[1])))[:spare]
    men = [
        {column + 8 * row for column, row in (wall | (side & set(behind)))}
        for wall, side in zip(walls, (below, above), strict=True)
    ]
    return state_of(men[0], men[1], draw(st.sampled_from("bw")))


def state_of(black: set[int], white: set[int], seat: str) -> State:
    """Return the position with men on these squares, counted from a1 by files and then by ranks."""
    letters = ["b" if square in black else "w" if square in white else "1" for square in range(64)]
    ranks = ["".join(letters[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1)]
    return State.of(GAME, f"{'/'.join(ranks)} {seat} 0")


def position_of(state: State) -> Position:
    return GAME.rules.position_type(*state.words)


def on(square: Square, direction: Square, steps: int = 1) -> Square:
    return square[0] + steps * direction[0], square[1] + steps * direction[1]


def near(square: Square) -> set[Square]:
    return {on(square, direction) for direction in DIRECTIONS} & set(SQUARES)


def slides(men: set[Square], empties: set[Square]) -> set[Square]:
    reached = set()
    for man in men:
        for direction in DIRECTIONS:
            target = on(man, direction)
            while target in empties:
                reached.add(target)
                target = on(target, direction)
    return reached


def in_danger(men: set[Square], opponents: set[Square], attacked: set[Square]) -> set[Square]:
    """Return the men between an opponent and a square that opponents reach."""
    found = set()
    for opponent in opponents:
        for direction in DIRECTIONS:
            line = []
            square = on(opponent, direction)
            while square in men:
                line.append(square)
                square = on(square, direction)
            if square in attacked:
                found.update(line)
    return found


def nearer(men: set[Square], opponents: set[Square], empties: set[Square]) -> set[Square]:
    """Return the empty squares that the men reach first, step by step; squares reached by both at once end the way."""
    ours, theirs, free = set(men), set(opponents), set(empties)
    while True:
        ours_next, theirs_next = ({each for square in side for each in near(square)} & free for side in (ours, theirs))
        if not ours_next | theirs_next:
            return ours - men
        ours |= ours_next - theirs_next
        theirs |= theirs_next - ours_next
        free -= ours_next | theirs_next


def flooded(men: set[Square], empties: set[Square]) -> set[Square]:
    """Return the squares that men reach by any number of steps, their own included."""
    reached, edge = set(men), set(men)
    while edge:
        edge = {each for square in edge for each in near(square)} & empties - reached
        reached |= edge
    return reached


def lead_of(men: set[Square], opponents: set[Square]) -> int:
    """Return 1 for more territory than the opponents and -1 for less, if no square is reached by both."""
    empties = set(SQUARES) - men - opponents
    ours, theirs = flooded(men, empties), flooded(opponents, empties)
    return 0 if ours & theirs else (len(ours) > len(theirs)) - (len(ours) < len(theirs))


def is_between(line: set[Square], man: Square, direction: Square, ends: set[Square]) -> bool:
    """Return whether the men of a line without a gap, of which this is one, have an end square on both sides."""
    sides = []
    for sign in (1, -1):
        square = man
        while square in line:
            square = on(square, direction, sign)
        sides.append(square in ends)
    return all(sides)


def holds_by_passing(men: set[Square], opponents: set[Square]) -> bool:
    """Return whether the men keep at least half of the squares while they do not move."""
    empties = set(SQUARES) - men - opponents
    confines = flooded(opponents, empties)
    return (
        len(confines) <= 32
        and bool(empties - confines)
        and not any(is_between(men, man, direction, confines) for man in men for direction in ((1, 0), (0, 1)))
    )


def secured_by(men: set[Square], opponents: set[Square]) -> bool:
    """Return whether they keep more than half."""
    empties = set(SQUARES) - men - opponents
    return holds_by_passing(men, opponents) and len(flooded(opponents, empties)) < 32


def kind_of(square: Square) -> str:
    column, row = (min(number, 7 - number) for number in square)
    return "abcd"[max(column, row)] + str(min(column, row) + 1)


def side_counts(men: set[Square], opponents: set[Square]) -> dict[str, int]:
    """Return a side's count for each of its terms."""
    empties = set(SQUARES) - men - opponents
    reached, attacked = slides(men, empties), slides(opponents, empties)
    kinds = [kind_of(man) for man in men]
    return {
        **{f"men_like_{kind}": kinds.count(kind) for kind in KINDS},
        "front": sum(column == row for column, row in men),
        "reach": len(reached),
        "threatened": len(in_danger(men, opponents, attacked)),
        "blocked": sum(not near(man) & empties for man in men),
        "pairs": sum(len(near(man) & men) for man in men) // 2,
        "touched": sum(bool(near(man) & opponents) for man in men),
        "ground": len(nearer(men, opponents, empties)),
    }


def sides_of(state: State) -> list[set[Square]]:
    """Return the squares of the mover's men and of the opponent's."""
    return [{square for index, square in enumerate(SQUARES) if int(word) >> index & 1} for word in state.words[:2]]


@settings(max_examples=100, deadline=None)
@given(strewn_boards() | parted_boards())
def test_every_term_agrees_with_counting_square_by_square(state: State) -> None:
    mover, opponent = sides_of(state)
    own, others = side_counts(mover, opponent), side_counts(opponent, mover)
    expected = {term: own[term] - others[term] for term in own} | {
        "lead": lead_of(mover, opponent),
        "secured": secured_by(mover, opponent) - secured_by(opponent, mover),
        "move": 1,
    }
    if holds_by_passing(mover, opponent) and not secured_by(mover, opponent):
        expected = {term: max(count, 0) for term, count in expected.items()}
    if holds_by_passing(opponent, mover) and not secured_by(opponent, mover):
        expected = {term: min(count, 0) for term, count in expected.items()}
    assert all_counted(GAME, state) == expected


@settings(max_examples=100, deadline=None)
@given(parted_boards())
@example(State.of(GAME, "w7/w7/w7/wwwwwwww/bbbbbbbb/b7/b7/b7 b 0"))
def test_a_board_is_settled_if_passing_keeps_more_than_half_or_both_sides_half(state: State) -> None:
    mover, opponent = sides_of(state)
    assert GAME.rules.kernels.is_settled is not None
    expected = secured_by(mover, opponent) or secured_by(opponent, mover)
    expected |= holds_by_passing(mover, opponent) and holds_by_passing(opponent, mover)
    assert GAME.rules.kernels.is_settled(state.start.board, position_of(state)) == expected


@settings(max_examples=60, deadline=None)
@given(parted_boards())
def test_separated_boards_have_their_own_weights(state: State) -> None:
    assume(all_counted(GAME, state)["move"] == 1)  # but where the opponent keeps half of the squares
    terms = evaluation_terms_of(GAME)
    position = position_of(state)
    table = np.zeros((len(terms.shares), len(terms.terms)), dtype=np.int64)
    table[:, terms.terms.index("move")] = terms.shares[:, terms.phases.index("parted")]
    assert terms.weigh(state.start.board, position, 0, table) == 1


@settings(max_examples=30, deadline=None)
@given(parted_boards(), st.randoms(use_true_random=False))
def test_a_secured_lead_is_kept_by_passing_against_any_play(state: State, chance: Random) -> None:
    secured = all_counted(GAME, state)["secured"]
    assume(secured != 0)
    winner = state.seat if secured > 0 else 1 - state.seat
    while state.outcome is None and state.ply < 120:
        takings = [
            move
            for move in state.legal_moves
            if GAME.rules.kernels.is_noisy(state.start.board, position_of(state), move)
        ]
        moves = [move for move in state.legal_moves if move != PASS]
        state = state.play(PASS if state.seat == winner or not moves else chance.choice(takings or moves))
        verdict = state.adjudication
        assert verdict is not None
        assert verdict.winner == winner
