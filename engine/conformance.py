"""The conformance tests that every game must pass, for every number of seats and from every opening.

A game with several numbers of seats accepts `seats=K` as a set-up. A line that starts with an opening continues into
the match proper, which may be another game.

    # tests/test_conformance.py of a package with a game
    from millrace.engine.conformance import *
    from millrace.server.app.conformance import *

The second line adds those of a game on a server. `millrace.pytest_plugin` calls each test for every installed game, or
only for those named by `--conformance NAME`. They need pytest and hypothesis.
"""

import json
import warnings
from collections.abc import Sequence
from importlib.resources import files
from itertools import combinations
from math import comb
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from .bindings import bindings_of, interpret_rules, use_compiled_rules
from .click_trees import MoveTree
from .game import MOVE_LIMIT, NOISY_MARK, Game, MoveSyntaxError, SetupError
from .game.drawing_kernels import CELL_COLUMNS, MOST_CELLS, MOST_TALLIES, NOBODY, clear_drawing
from .game.plain_rules import PLAIN
from .game.texts import texts_of_game
from .games import package_of
from .interpretation import interpreted, silently
from .kernel_cache import only_loading
from .levels.warm_up import warm_up_search, why_not_kept
from .perft import perft, read_tables
from .state import State

PLIES_BETWEEN_CLOSE_LOOKS = 7
LONGEST_PLAY = 3_000
MOST_LEAVES = 2_000_000
"""Counts of `positions.perft` that are larger are not checked here."""

_T = TypeVar("_T")


class Chance(Protocol):
    """A source of randomness, as hypothesis supplies it."""

    def random(self) -> float:
        """Return a number from 0 to less than 1."""

    def choice(self, seq: Sequence[_T], /) -> _T:
        """Return one of the elements."""


class Beginning(NamedTuple):
    """A way to start a game."""

    game: Game
    seats: int
    opening: str
    """One of `Rules.openings`, or nothing for the match proper."""

    @property
    def state(self) -> State:
        """The initial state."""
        seats = f"seats={self.seats}" if len(self.game.seats) > 1 else ""
        return State.of(self.game, f"{self.opening} {seats}".strip())


chances = st.randoms(use_true_random=False)


def random_move(state: State, chance: Chance) -> int:
    """Return a legal move; sometimes one with the fewest clicks, such as a pass, which ends some games."""
    if chance.random() < 0.2:
        return min(state.legal_moves, key=lambda move: len(state.clicks_of(move)))
    return chance.choice(state.legal_moves)


def written(state: State, move: int, clicks: Sequence[str]) -> str:
    """Return the text of a move as a browser writes it: the names of its clicks with the game's separators."""
    kernels = interpreted(state.game.rules.kernels)
    position = state.game.rules.position_type(*state.words)
    signs = (chr(kernels.separator(state.start.board, position, move, index)) for index in range(len(clicks) - 1))
    return clicks[0] + "".join(sign + name for sign, name in zip(signs, clicks[1:], strict=True))


def random_line(beginning: Beginning, chance: Chance, plies: int) -> list[State]:
    """Return the states of random play of at most this many plies."""
    states = [beginning.state]
    while states[-1].outcome is None and len(states) <= plies:
        states.append(states[-1].play(random_move(states[-1], chance)))
    return states


def contains_in_order(text: str, parts: Sequence[str]) -> bool:
    """Return whether a text contains these parts in order."""
    start = 0
    for part in parts:
        start = text.find(part, start) + len(part)
        if start < len(part):
            return False
    return True


def leaves_of(tree: MoveTree) -> int:
    return sum(1 if branch is None else leaves_of(branch) for branch in tree.values())


@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_moves_are_distinct_bounded_and_as_many_as_counted(beginning: Beginning, chance: Chance) -> None:
    for state in random_line(beginning, chance, 60):
        moves = state.generated_moves
        kernels = state.game.rules.kernels
        assert len(set(moves)) == len(moves), "no move is generated twice"
        assert len(moves) <= kernels.max_moves, "`Kernels.max_moves` is the largest number of moves"
        assert all(0 < move < MOVE_LIMIT for move in moves), "0 is no move, and a move fits 16 bits"
        position = state.game.rules.position_type(*state.words)
        counted = kernels.count_moves(state.start.board, position)
        assert counted == len(moves), "`Kernels.count_moves` counts what `generate_moves` writes"
        if kernels.is_over is not None:
            assert kernels.is_over(state.start.board, position) == (not moves)


@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_noisy_moves_are_those_of_all_moves_that_are_noisy(beginning: Beginning, chance: Chance) -> None:
    for state in random_line(beginning, chance, 60):
        kernels, board = state.game.rules.kernels, state.start.board
        position = state.game.rules.position_type(*state.words)
        noisy = [move for move in state.generated_moves if kernels.is_noisy(board, position, move)]
        if kernels.generate_noisy is not None:
            buffer = np.zeros(kernels.max_moves, dtype=np.int32)
            written = buffer[: kernels.generate_noisy(board, position, buffer)].tolist()
            assert sorted(written) == sorted(noisy)
        if kernels.mark_noisy is not None:
            buffer = np.array(state.generated_moves, dtype=np.int32)
            kernels.mark_noisy(board, position, buffer, len(buffer))
            assert buffer.tolist() == [move | NOISY_MARK * (move in noisy) for move in state.generated_moves]


@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_handing_on_the_turn_all_round_changes_nothing_that_stays(beginning: Beginning, chance: Chance) -> None:
    for state in random_line(beginning, chance, 40)[::PLIES_BETWEEN_CLOSE_LOOKS]:
        game = state.game
        if game.rules.kernels.pass_turn is None:
            return
        passed = game.rules.position_type(*state.words)
        for _ in range(beginning.seats):
            passed = game.rules.position_type(*map(np.uint64, game.rules.kernels.pass_turn(state.start.board, passed)))
        settled = game.rules.position_words - game.rules.transient_words
        assert tuple(map(int, passed))[:settled] == tuple(state.words.tolist())[:settled]


@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_moves_round_trip_as_texts_and_as_clicks(beginning: Beginning, chance: Chance) -> None:
    for state in random_line(beginning, chance, 60)[::PLIES_BETWEEN_CLOSE_LOOKS]:
        game, board = state.game, state.start.board
        texts = [game.texts.format_move(board, move) for move in state.legal_moves]
        parsed = [game.texts.parse_move(board, text) for text in texts]
        assert parsed == list(state.legal_moves), "`Texts.parse_move` reads what `format_move` writes"
        clicks = [state.clicks_of(move) for move in state.legal_moves]
        assert len(set(clicks)) == len(clicks), "no two moves have the same clicks"
        if state.outcome is None:
            assert leaves_of(state.move_tree()) == len(clicks), "no move's clicks begin another's"
        for move, text, clicked in zip(state.legal_moves, texts, clicks, strict=True):
            assert text == written(state, move, clicked), "a browser writes the same text (`Kernels.separator`)"
            assert len(clicked) == 1 or state.parse_move(" ".join(clicked)) == move
            assert contains_in_order(text, clicked), "a move's text names what is clicked, in the same order"


@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_a_browser_draws_the_same_without_the_server(beginning: Beginning, chance: Chance) -> None:
    for state in random_line(beginning, chance, 80)[::PLIES_BETWEEN_CLOSE_LOOKS]:
        kernels = interpreted(state.game.rules.kernels)
        if kernels.draw is None:
            continue
        cells = np.zeros((MOST_CELLS, CELL_COLUMNS), dtype=np.int16)
        counts = np.zeros((1 + MOST_TALLIES, max(state.game.seats)), dtype=np.int16)
        interpreted(clear_drawing)(cells, counts)
        position = state.game.rules.position_type(*state.words)
        silently(kernels.draw)(state.start.board, position, cells, counts)
        check_drawing(state, cells, counts)


def check_drawing(state: State, cells: NDArray[np.int16], counts: NDArray[np.int16]) -> None:
    """Check what `Kernels.draw` has written of a state."""
    seats = state.start.seats
    seat_of = {turn: (state.seat + turn) % seats for turn in range(seats)} | {NOBODY: None}
    rows = cells[: len(state.geometry.cells)].tolist()
    piles = [None if seat_of[turn] is None else (seat_of[turn], size) for turn, size, _ in rows]
    assert piles == list(state.drawing.piles)
    by_seat = [tuple(row[(seat - state.seat) % seats] for seat in range(seats)) for row in counts.tolist()]
    assert by_seat[0] == state.drawing.reserves
    assert by_seat[1 : 1 + len(state.tallies)] == [tally.counts for tally in state.tallies]
    assert state.territory in (None, tuple(seat_of[turn] for _, _, turn in rows))


@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_a_position_text_brings_back_the_position(beginning: Beginning, chance: Chance) -> None:
    for state in random_line(beginning, chance, 80)[::PLIES_BETWEEN_CLOSE_LOOKS]:
        again = State.of(beginning.game, state.position_text)
        assert again.game is state.game
        assert again.words.tolist() == state.words.tolist(), "`Texts.parse_setup` reads what `format_position` writes"
        assert (again.seat, again.start.seats) == (state.seat, beginning.seats)
        if state.game.rules.quiet_limit is not None:
            assert again.quiet_plies == state.quiet_plies, "with a `quiet_limit`, position texts hold the quiet plies"
        assert again.key == state.key
        assert again.generated_moves == state.generated_moves
        assert again.position_text == state.position_text
        assert again.drawing == state.drawing
        assert state.game.drawing.geometry(again.start.board) == state.geometry


@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_a_position_that_is_composed_of_its_pieces_is_the_same(beginning: Beginning, chance: Chance) -> None:
    for state in random_line(beginning, chance, 80)[::PLIES_BETWEEN_CLOSE_LOOKS]:
        editor = state.game.drawing.editor
        if editor is not None:
            again = State.of(beginning.game, editor.compose(state.start, state.drawing, state.seat))
            assert again.drawing == state.drawing
            assert (again.seat, again.start.seats) == (state.seat, state.start.seats)
            sizes = [0 if pile is None else pile.size for pile in state.drawing.piles]
            assert max(sizes) <= editor.largest_pile
            assert editor.largest_reserve == 0 or max(state.drawing.reserves) <= editor.largest_reserve


@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_random_play_ends_and_only_then_is_there_no_move(beginning: Beginning, chance: Chance) -> None:
    seats = beginning.seats
    *line, last = random_line(beginning, chance, LONGEST_PLAY)
    assert all(state.legal_moves for state in line)
    assert last.outcome is not None, "play ends: by its own rules, by `Rules.repetition` or by `Rules.quiet_limit`"
    assert last.outcome.reason in {*last.game.rules.end_reasons, "repetition", "quiet_limit"}
    assert (last.outcome.reason in last.game.rules.end_reasons) == (not last.generated_moves)
    assert len(last.outcome.ranks) == seats
    assert min(last.outcome.ranks) == 1
    assert [state.seat for state in line[: 2 * seats]] == [ply % seats for ply in range(len(line[: 2 * seats]))]


@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_an_opening_leads_into_the_match_proper(opening: Beginning, chance: Chance) -> None:
    line = random_line(opening, chance, LONGEST_PLAY)
    played = [state.game for state in line]
    assert played[0] is not opening.game
    assert played[-1] is opening.game
    assert played == sorted(played, key=lambda game: game is opening.game), "what has ended does not come back"
    assert State.from_moves(opening.game, line[0].position_text, line[-1].move_texts).words.tolist() == (
        line[-1].words.tolist()
    )


@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_evaluation_stays_within_its_range(beginning: Beginning, chance: Chance) -> None:
    for state in random_line(beginning, chance, 60):
        assert -20000 <= bindings_of(state.game).evaluate(state.start.board, state.words) <= 20000


@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_what_cannot_be_undone_never_comes_back(beginning: Beginning, chance: Chance) -> None:
    line = random_line(beginning, chance, 120)
    fresh = max(index for index, state in enumerate(line) if state.is_fresh)
    before = {state.words.tobytes() for state in line[:fresh]}
    assert all(state.words.tobytes() not in before for state in line[fresh :: beginning.seats]), (
        "`Kernels.is_irreversible` holds only for moves after which no earlier position can occur"
    )


def test_the_drawing_fits_the_geometry(beginning: Beginning) -> None:
    state = beginning.state
    geometry = state.geometry
    names = [cell.name for cell in geometry.cells]
    assert len(set(geometry.click_names)) == len(geometry.click_names)
    ground = state.drawing.ground
    assert len(set(names)) == len(names)
    assert len(names) <= 64 if ground is None else len(ground) == len(names)
    assert len(state.drawing.piles) == len(names)
    assert len(state.drawing.reserves) == beginning.seats
    assert all(pile is None or (pile.seat < beginning.seats and pile.size > 0) for pile in state.drawing.piles)
    assert all(0 <= end < len(names) for line in geometry.lines for end in line)
    assert len(state.game.seat_names) >= beginning.seats


@settings(max_examples=5, deadline=None)
@given(chance=chances)
def test_what_is_highlighted_and_counted_fits_the_board_and_the_seats(beginning: Beginning, chance: Chance) -> None:
    for state in random_line(beginning, chance, 60):
        cells = len(state.geometry.cells)
        assert all(0 <= cell < cells for highlight in state.highlights for cell in highlight.cells)
        assert all(len(tally.counts) == beginning.seats for tally in state.tallies)


def test_its_kernels_are_kept_for_the_next_start(game: Game) -> None:
    """Rules may also be plain Python, but not in parts."""
    assert game.rules.why_interpreted in ("", PLAIN)
    warm_up_search(game)
    assert why_not_kept(game) == ""


@settings(max_examples=2, deadline=None)
@given(chance=chances)
def test_a_server_that_has_just_started_plays_by_the_same_rules(beginning: Beginning, chance: Chance) -> None:
    """Until the rules are compiled they are interpreted, and nothing is compiled meanwhile."""
    state = random_line(beginning, chance, 60)[-1]
    setup, games = state.line[0].position_text, {each.game for each in state.line}
    compiled = facts_along(beginning.game, setup, state.move_texts)
    for game in games:
        interpret_rules(game)
    try:
        with only_loading(), warnings.catch_warnings():
            warnings.simplefilter("error")
            assert facts_along(beginning.game, setup, state.move_texts) == compiled
    finally:
        for game in games:
            use_compiled_rules(game)


def facts_along(game: Game, setup: str, moves: Sequence[str]) -> list[object]:
    """Return all results of the rules along a line of play."""
    line = State.from_moves(game, setup, moves).line
    return [
        (state.key, state.move_tree(), state.refused_tree(), state.outcome, state.territory, state.is_settled)
        for state in line
    ]


def test_its_texts_are_there_in_every_language_that_it_brings(game: Game) -> None:
    texts = {each.message for each in texts_of_game(game)}
    assert {game.title, *game.seat_names, *game.rules.end_reasons.values()} <= texts, "none of them is empty"
    assert all(text.isprintable() for text in texts), "each of them is a line without control characters"
    assert len(set(game.seat_names)) == len(game.seat_names), "seats are told apart by their names"
    for file in Path(str(files(package_of(game)) / "languages")).glob("*.json"):
        translated = json.loads(file.read_text("utf-8"))
        parts = translated.values() if isinstance(next(iter(translated.values())), dict) else [translated]
        missing = texts - {message for part in parts for message, text in part.items() if text}
        assert not missing, f"{file.name} lacks {sorted(missing)}"


def test_positions_that_differ_in_few_bits_have_keys_of_their_own(game: Game) -> None:
    key_of = bindings_of(game).key
    words = np.zeros(game.rules.position_words, dtype=np.uint64)
    bits = [(word, np.uint64(1 << bit)) for word in range(len(words)) for bit in range(64)]
    keys = {key_of(words)}
    for number in (1, 2):
        for chosen in combinations(bits, number):
            words[:] = 0
            for word, bit in chosen:
                words[word] |= bit
            keys.add(key_of(words))
    assert len(keys) == 1 + len(bits) + comb(len(bits), 2)


@settings(max_examples=60, deadline=None)
@given(text=st.one_of(st.text(max_size=12), st.from_regex(r"[a-h][1-8]([-x:][a-h0-9]{1,2}){0,3}", fullmatch=True)))
def test_any_text_is_a_move_or_is_refused(beginning: Beginning, text: str) -> None:
    game, board = beginning.state.game, beginning.state.start.board
    try:
        move = game.texts.parse_move(board, text)
    except MoveSyntaxError as error:
        assert str(error), "a refusal says why"  # noqa: PT017
        return
    assert game.texts.parse_move(board, game.texts.format_move(board, move)) == move


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_position_text_is_refused_or_describes_a_position(beginning: Beginning, data: st.DataObject) -> None:
    text = list(beginning.state.position_text)
    for _ in range(data.draw(st.integers(1, 3))):
        index = data.draw(st.integers(0, len(text) - 1))
        text[index] = data.draw(st.sampled_from([*"WBwbrgy.,/0123456789 =x-", "", "é", "٣"]))
    try:
        state = State.of(beginning.game, "".join(text))
    except SetupError as error:
        assert str(error), "a refusal says why"  # noqa: PT017
        return
    assert State.of(beginning.game, state.position_text).position_text == state.position_text


def test_leaves_are_those_of_its_tables(game: Game) -> None:
    tables = list(read_tables(Path(str(files(package_of(game)) / "positions.perft"))))
    assert tables, "positions.perft holds counts of its positions"
    for table in tables:
        state = State.of(game, table.position)
        for depth, leaves in table.leaves.items():
            if leaves <= MOST_LEAVES:
                assert perft(state, depth) == leaves, (table.position, depth)


__all__ = [name for name in dir() if name.startswith("test_")]
