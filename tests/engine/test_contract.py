"""What every registered game promises, for every number of seats that it can be played with.

A game gets these tests by being registered. One that takes several numbers of seats reads `seats=K` as a set-up.
"""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import MOVE_LIMIT, Game, MoveSyntaxError, SetupError
from engine.games import GAMES
from engine.rules import rules_of
from engine.state import MoveTree, State

PLIES_BETWEEN_CLOSE_LOOKS = 7
LONGEST_PLAY = 3_000

every_game = pytest.mark.parametrize(
    ("game", "seats"),
    [pytest.param(game, seats, id=f"{game.name}-{seats}") for game in GAMES.values() for seats in game.seats],
)
chances = st.randoms(use_true_random=False)


def start_of(game: Game, seats: int) -> State:
    return State.of(game, f"seats={seats}" if len(game.seats) > 1 else "")


def random_move(state: State, chance: random.Random) -> int:
    """Return a legal move; now and then one of the fewest clicks, such as a pass, by which some games end."""
    if chance.random() < 0.2:
        return min(state.legal_moves, key=lambda move: len(state.game.clicks(state.start.board, move)))
    return chance.choice(state.legal_moves)


def random_line(game: Game, seats: int, chance: random.Random, plies: int) -> list[State]:
    """Return the states of random play of at most so many plies."""
    states = [start_of(game, seats)]
    while states[-1].outcome is None and len(states) <= plies:
        states.append(states[-1].play(random_move(states[-1], chance)))
    return states


def leaves_of(tree: MoveTree) -> int:
    return sum(1 if branch is None else leaves_of(branch) for branch in tree.values())


@every_game
@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_moves_are_distinct_bounded_and_as_many_as_counted(game: Game, seats: int, chance: random.Random) -> None:
    for state in random_line(game, seats, chance, 60):
        moves = state.generated_moves
        assert len(set(moves)) == len(moves) <= game.kernels.max_moves
        assert all(0 < move < MOVE_LIMIT for move in moves)
        assert game.kernels.count_moves(state.start.board, game.position_type(*state.words)) == len(moves)


@every_game
@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_moves_round_trip_as_texts_and_as_clicks(game: Game, seats: int, chance: random.Random) -> None:
    for state in random_line(game, seats, chance, 60)[::PLIES_BETWEEN_CLOSE_LOOKS]:
        board = state.start.board
        texts = [game.format_move(board, move) for move in state.legal_moves]
        assert [game.parse_move(board, text) for text in texts] == list(state.legal_moves)
        clicks = [game.clicks(board, move) for move in state.legal_moves]
        assert len(set(clicks)) == len(clicks)
        if state.outcome is None:
            assert leaves_of(state.move_tree()) == len(clicks), "no move's clicks begin another's"
            assert state.parse_move(" ".join(clicks[-1])) == state.legal_moves[-1] or len(clicks[-1]) == 1


@every_game
@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_a_position_text_brings_back_the_position(game: Game, seats: int, chance: random.Random) -> None:
    for state in random_line(game, seats, chance, 80)[::PLIES_BETWEEN_CLOSE_LOOKS]:
        again = State.of(game, state.position_text)
        assert again.words.tolist() == state.words.tolist()
        assert (again.seat, again.start.seats) == (state.seat, seats)
        assert again.quiet_plies == state.quiet_plies or game.quiet_limit is None
        assert again.key == state.key
        assert again.generated_moves == state.generated_moves
        assert again.position_text == state.position_text
        assert again.drawing == state.drawing
        assert game.geometry(again.start.board) == game.geometry(state.start.board)


@every_game
@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_random_play_ends_and_only_then_is_there_no_move(game: Game, seats: int, chance: random.Random) -> None:
    *line, last = random_line(game, seats, chance, LONGEST_PLAY)
    assert all(state.legal_moves for state in line)
    assert last.outcome is not None
    assert last.outcome.reason in {*game.endings, "repetition", "quiet_limit"}
    assert (last.outcome.reason in game.endings) == (not last.generated_moves)
    assert len(last.outcome.ranks) == seats
    assert min(last.outcome.ranks) == 1
    assert [state.seat for state in line[: 2 * seats]] == [ply % seats for ply in range(len(line[: 2 * seats]))]


@every_game
@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_worth_stays_within_its_range(game: Game, seats: int, chance: random.Random) -> None:
    for state in random_line(game, seats, chance, 60):
        assert -20000 <= rules_of(game).evaluate(state.start.board, state.words) <= 20000


@every_game
@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_what_cannot_be_undone_never_comes_back(game: Game, seats: int, chance: random.Random) -> None:
    line = random_line(game, seats, chance, 120)
    fresh = max(index for index, state in enumerate(line) if state.is_fresh)
    before = {state.words.tobytes() for state in line[:fresh]}
    assert all(state.words.tobytes() not in before for state in line[fresh::seats])


@every_game
def test_the_drawing_fits_the_geometry(game: Game, seats: int) -> None:
    state = start_of(game, seats)
    geometry = game.geometry(state.start.board)
    names = [cell.name for cell in geometry.cells]
    assert len(set(names)) == len(names) <= 64
    assert len(state.drawing.piles) == len(names)
    assert len(state.drawing.reserves) == seats
    assert all(pile is None or (pile.seat < seats and pile.size > 0) for pile in state.drawing.piles)
    assert all(0 <= end < len(names) for line in geometry.lines for end in line)
    assert len(game.seat_names) >= seats


@every_game
@settings(max_examples=60, deadline=None)
@given(text=st.one_of(st.text(max_size=12), st.from_regex(r"[a-h][1-8]([-x:][a-h0-9]{1,2}){0,3}", fullmatch=True)))
def test_any_text_is_a_move_or_is_refused(game: Game, seats: int, text: str) -> None:
    board = start_of(game, seats).start.board
    try:
        move = game.parse_move(board, text)
    except MoveSyntaxError:
        return
    assert game.parse_move(board, game.format_move(board, move)) == move


@every_game
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_position_text_is_refused_or_describes_a_position(
    game: Game, seats: int, data: st.DataObject
) -> None:
    text = list(start_of(game, seats).position_text)
    for _ in range(data.draw(st.integers(1, 3))):
        index = data.draw(st.integers(0, len(text) - 1))
        text[index] = data.draw(st.sampled_from([*"WBwbrgy.,/0123456789 =x-", "", "é", "٣"]))
    try:
        state = State.of(game, "".join(text))
    except SetupError:
        return
    assert State.of(game, state.position_text).position_text == state.position_text
