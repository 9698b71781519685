"""A game's WebAssembly module plays and searches exactly as the native engine does.

Modules are made by the process that a server starts for it, once for all tests on this machine; that takes minutes.
"""

import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import wasmtime

from benchmarks.positions import read_positions
from benchmarks.search import DEPTHS, positions_of
from millrace.engine import games
from millrace.engine.bindings import bindings_of
from millrace.engine.conformance import check_drawing
from millrace.engine.game import Game
from millrace.engine.game.skill import STRONGEST
from millrace.engine.games import SHIPPED, find_game
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.perft import read_tables
from millrace.engine.search import Handicap, Limits, analyse, no_clock
from millrace.engine.search.deepening_kernel import DEPTH, LENGTH
from millrace.engine.state import State
from millrace.engine.transposition_table import new_table
from millrace.engine.wasm.module import describe
from millrace.engine.wasm.module_files import digest_of, find_module
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.fold import replay
from tests.engine.wasm.wasm_host import WasmMatch
from tests.event_logs.recording import SCRIPTS, event_log

pytestmark = pytest.mark.slow

GAME_NAMES = [game.name for game in SHIPPED]
MOST_GZIPPED = 60_000
"""The promised size of a module, in bytes."""

FEW_POSITIONS, MANY_POSITIONS = 6, 100
MOST_RANDOM_PLIES = 30


@pytest.fixture(scope="session")
def modules(processes: None) -> dict[str, bytes]:
    command = [sys.executable, "-m", "millrace.server.bots.module_process"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "", done.stdout
    return {name: found_module(name) for name in GAME_NAMES}


def found_module(name: str) -> bytes:
    module = find_module(find_game(name), State.of(find_game(name)).start)
    assert module is not None
    return module


@pytest.fixture(params=GAME_NAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return find_game(request.param)


@pytest.fixture
def match(modules: dict[str, bytes], game: Game) -> WasmMatch:
    return WasmMatch(modules[game.name])


def states_of(game: Game, number: int) -> Iterator[tuple[int, State]]:
    """Yield seeds and states: the game's positions, each after random plies."""
    positions = ["", *read_positions(game.name)]
    for seed in range(number):
        state, random = State.of(game, positions[seed % len(positions)]), Random(seed)
        for _ in range(random.randrange(MOST_RANDOM_PLIES)):
            if state.outcome is None:
                state = state.play(random.choice(state.legal_moves))
        yield seed, state


def check_rules(match: WasmMatch, state: State) -> None:
    """Check what the module knows of a position that it has taken up."""
    outcome = state.outcome
    assert match.outcome == (None if outcome is None else (outcome.ranks, outcome.reason))
    assert match.legal_moves == list(state.legal_moves)
    board, words = state.start.board, state.words
    assert match.call("evaluate") == bindings_of(state.game).evaluate(board, words)
    match.call("draw")
    check_drawing(state, match.arrays["cells"], match.arrays["counts"])
    for move in state.legal_moves[:3]:
        clicks = match.arrays["clicks"][: match.call("write_clicks", move)].tolist()
        names = state.clicks_of(move)
        assert tuple(map(state.geometry.click_names.__getitem__, clicks)) == names
        signs = [chr(match.call("separator", move, index)) for index in range(len(names) - 1)]
        assert "".join(map(str.__add__, ["", *signs], names)) == state.format_move(move)


def test_a_module_needs_nothing_and_is_small(modules: dict[str, bytes], game: Game) -> None:
    module = modules[game.name]
    assert wasmtime.Module(wasmtime.Engine(), module).imports == []
    assert len(zlib.compress(module, 9)) <= MOST_GZIPPED


def test_a_module_carries_the_digest_of_its_sources(modules: dict[str, bytes], game: Game) -> None:
    described = describe(modules[game.name])
    assert (described.game, described.sources) == (game.name, digest_of(game))


def test_the_signature_is_that_of_the_native_search(match: WasmMatch, game: Game) -> None:
    for position in positions_of(game.name):
        state = State.of(game, position)
        match.set_up(state)
        match.call("forget")
        native = analyse(state, Limits(depth=DEPTHS[game.name]), no_clock)
        depth, value, nodes, line = match.analyse(DEPTHS[game.name])
        assert (depth, value, nodes) == (native.depth, native.value, native.nodes)
        assert tuple(map(state.format_move, line)) == native.principal_variation


def test_a_search_pauses_after_each_iteration_with_its_line(match: WasmMatch, game: Game) -> None:
    state = State.of(game)
    match.set_up(state)
    match.call("forget")
    match.ask()
    match.call("begin_search", 0)
    for depth in range(1, 6):
        match.call("search", 100_000_000)
        facts = match.arrays["run.facts"]
        assert facts[DEPTH] == depth
        line = match.arrays["run.variation"][: facts[LENGTH]].tolist()
        assert tuple(map(state.format_move, line)) == analyse(state, Limits(depth=depth), no_clock).principal_variation


def test_searches_that_follow_each_other_pass_on_what_they_learned(match: WasmMatch, game: Game) -> None:
    state, table = State.of(game), new_table(1)
    for ply in range(6):
        match.set_up(state)
        native = analyse(state, Limits(nodes=3_000), no_clock, table=table)
        assert match.analyse(nodes=3_000, slice_nodes=70)[:3] == (native.depth, native.value, native.nodes)
        if ply == 2:
            others = state.legal_moves[1:4]
            match["candidates"] = len(others)
            match.arrays["candidates"][: len(others)] = others
            aside = analyse(state, Limits(nodes=2_000), no_clock, table=table, candidates=others)
            found = match.analyse(nodes=2_000, candidates=len(others))
            assert found[:3] == (aside.depth, aside.value, aside.nodes)
        state = state.play_text(native.principal_variation[0])


def test_handicaps_are_those_of_the_native_search(match: WasmMatch, game: Game) -> None:
    for seed, state in states_of(game, FEW_POSITIONS):
        match.set_up(state)
        match.call("forget")
        handicap = Handicap(noise=20, seed=seed, quiescence=2, oversights=200)
        native = analyse(state, Limits(nodes=2_000), no_clock, handicap=handicap)
        found = match.analyse(nodes=2_000, noise=20, seed=seed, quiescence=2, oversights=200)
        assert found[:3] == (native.depth, native.value, native.nodes)


def test_levels_choose_the_same_moves(modules: dict[str, bytes], game: Game) -> None:
    """Check the moves of levels 1 to 7."""
    skills = [skill for skill in game.strength.skills if skill != STRONGEST]
    matches = {size: WasmMatch(modules[game.name], size) for size in {skill.table_megabytes for skill in skills}}
    for seed, state in states_of(game, MANY_POSITIONS):
        for level, skill in enumerate(skills, 1):
            match = matches[skill.table_megabytes]
            match.set_up(state)
            match.call("forget")
            native = analyse_at_level(state, level, seed, no_clock).best_move
            chosen = match.choose(level, seed)
            assert (state.format_move(chosen) if chosen else None) == native, (state.position_text, level, seed)


def fits(match: WasmMatch, state: State) -> bool:
    """Return whether the module is for the board of a state: the opening of Battle Sheep is a game of its own."""
    board = state.start.board._asdict()
    shapes = {name.removeprefix("board."): array.shape for name, array in match.arrays.items() if "board." in name}
    return state.game.name == match.description.game and shapes == {name: each.shape for name, each in board.items()}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_rules_are_the_same_in_an_event_log(modules: dict[str, bytes], name: str) -> None:
    log = event_log(name)
    recorded = [Recorded(step.sent.seq, Entry(step.sent.event, step.sent.at_ms)) for step in log.steps]
    match = WasmMatch(modules[log.game])
    for state in replay(log.steps[0].sent.match, recorded).state.line:
        if fits(match, state):
            match.set_up(state)
            check_rules(match, state)


def test_the_rules_are_the_same_after_random_moves(match: WasmMatch, game: Game) -> None:
    for _, state in states_of(game, MANY_POSITIONS):
        match.set_up(state)
        check_rules(match, state)
        assert match.call("undo") == int(state.ply > 0)
        if state.previous is not None:
            check_rules(match, state.previous)


def test_a_move_that_is_not_legal_is_refused(match: WasmMatch, game: Game) -> None:
    state = State.of(game)
    match.set_up(state)
    legal = set(state.legal_moves)
    assert not any(match.call("push", move) for move in range(1, 2_000) if move not in legal)
    check_rules(match, state)


def tables() -> list[object]:
    found = list[object]()
    for name in GAME_NAMES:
        for number, table in enumerate(read_tables(Path(games.__file__).parent / name / "positions.perft")):
            for depth, leaves in table.leaves.items():
                values = name, table.position, depth, leaves
                found.append(pytest.param(*values, id=f"{name}-{number}-depth-{depth}"))
    return found


@pytest.mark.parametrize(("name", "position", "depth", "leaves"), tables())
def test_leaves_agree_with_the_tables(
    modules: dict[str, bytes], name: str, position: str, depth: int, leaves: int
) -> None:
    state, match = State.of(find_game(name), position), WasmMatch(modules[name])
    if not fits(match, state):
        pytest.skip("The module is for other boards.")
    match.set_up(state)
    assert (match.perft(depth) if depth > 1 else match.call("legal_moves")) == leaves
