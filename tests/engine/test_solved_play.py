"""The strongest level with a known result: it keeps the result, and makes draws hard to hold."""

from dataclasses import replace

import pytest

from millrace.engine.game import TableBytes
from millrace.engine.games import find_game
from millrace.engine.levels.hard_bargain import Bargainer
from millrace.engine.levels.solved_play import search_solved
from millrace.engine.search import Analysis, Limits, no_clock
from millrace.engine.state import State
from millrace.engine.tablebase.morris_results import MorrisResults
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.tablebase.results import WIN, ProofBudget, value_of_state
from tests.engine.made_up_results import MadeUpResults
from tests.engine.tablebase.small_tables import compress_all

MORRIS = find_game("morris")
AMPLE = ProofBudget(1_000_000_000, lambda: False)
LIMITS = Limits(nodes=100)

DRAWN_WITH_MEN_IN_HAND = "W..B.....W.......B....W. b 1 1"
WON_WITH_MEN_IN_HAND = "WW.......B.B............ w 1 2"


@pytest.fixture(scope="module")
def results(tables: dict[str, TableBytes]) -> MorrisResults:
    return MorrisResults(tables, {})


class Searches:
    """Replaces the level's search: plays the first candidate, and records its requests."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.asked: list[tuple[int, ...]] = []
        self.depths: list[int | None] = []

    def __call__(self, limits: Limits, candidates: tuple[int, ...], probed: Tablebase | None = None) -> Analysis:
        self.asked.append(candidates)
        self.depths.append(limits.depth)
        move = (candidates or self.state.legal_moves)[0]
        return Analysis(1, 0, 1, 0.0, (self.state.format_move(move),))


class SafeMove(MadeUpResults):
    """Results of which only one is known: that the side to move does not win in a position."""

    def __init__(self, known: State) -> None:
        super().__init__()
        self.known = known.position_text

    def reaches(self, state: State, least: int, _budget: ProofBudget) -> bool | None:
        return False if state.position_text == self.known and least == WIN else None


@pytest.mark.parametrize("text", [DRAWN_WITH_MEN_IN_HAND, WON_WITH_MEN_IN_HAND])
def test_a_search_chooses_only_among_moves_that_keep_the_result(results: MorrisResults, text: str) -> None:
    state = State.of(MORRIS, text)
    value = value_of_state(results, state, AMPLE)
    values = {move: value_of_state(results, state.after(move), AMPLE) for move in state.legal_moves}
    keeping = {move for move, after in values.items() if after is not None and value is not None and -after >= value}
    assert keeping
    searches = Searches(state)
    search_solved(state, Tablebase(MORRIS, {}, results), LIMITS, no_clock, searches)
    (candidates,) = searches.asked
    assert candidates
    assert set(candidates) <= keeping


def test_some_moves_would_throw_the_result_away(results: MorrisResults) -> None:
    state = State.of(MORRIS, WON_WITH_MEN_IN_HAND)
    assert {value_of_state(results, state.after(move), AMPLE) for move in state.legal_moves} > {-1}


@pytest.mark.parametrize("text", ["W..W.....B.............. b 2 3", WON_WITH_MEN_IN_HAND])
def test_a_proof_of_one_position_does_not_change_another_result(tables: dict[str, TableBytes], text: str) -> None:
    state, together = State.of(MORRIS, text), MorrisResults(tables, {})
    states = [state, *(state.after(move) for move in state.legal_moves[:6])]
    states += [after.after(reply) for after in states[1:] for reply in after.legal_moves[:6]]
    for each in states:
        assert value_of_state(together, each, AMPLE) == value_of_state(MorrisResults(tables, {}), each, AMPLE)


def test_moves_of_a_won_ending_without_distances_keep_the_win(tables: dict[str, TableBytes]) -> None:
    state = State.of(MORRIS, "WWB.......B....B..B...W. w 0 0")
    small = MorrisResults({}, compress_all(tables))
    searches = Searches(state)
    search_solved(state, Tablebase(MORRIS, {}, small), LIMITS, no_clock, searches)
    assert [[state.format_move(move) for move in candidates] for candidates in searches.asked] == [["a7-d6"]]


def test_the_only_move_that_keeps_the_result_is_played_at_once_by_a_search_that_may_end_early(
    tables: dict[str, TableBytes],
) -> None:
    state = State.of(MORRIS, "WWB.......B....B..B...W. w 0 0")
    tablebase = Tablebase(MORRIS, {}, MorrisResults({}, compress_all(tables)))
    for ends_when_settled, depth in ((True, 1), (False, None)):
        searches = Searches(state)
        limits = replace(LIMITS, ends_when_settled=ends_when_settled)
        search_solved(state, tablebase, limits, no_clock, searches)
        assert searches.depths == [depth]


def test_a_long_proof_is_interrupted_and_continued(tables: dict[str, TableBytes], results: MorrisResults) -> None:
    state = State.of(MORRIS, "W....................... b 3 4")
    fresh = MorrisResults(tables, {})
    assert fresh.reaches(state, WIN, ProofBudget(0, lambda: False)) is None
    assert fresh.reaches(state, WIN, ProofBudget(1_000_000, lambda: True)) is None
    assert fresh.reaches(state, WIN, AMPLE) == results.reaches(state, WIN, AMPLE)


def test_a_move_proved_to_lose_is_not_played() -> None:
    state = State.of(MORRIS)
    losing = state.legal_moves[0]
    answers = MadeUpResults([state.after(losing).position_text], unproved=[state.position_text])
    searches = Searches(state)
    found = search_solved(state, Tablebase(MORRIS, {}, answers), LIMITS, no_clock, searches)
    assert found.best_move == state.format_move(state.legal_moves[1])
    assert searches.asked == [(), state.legal_moves[1:]]


def test_the_move_that_an_opponent_most_likely_answers_wrongly_is_preferred() -> None:
    state = State.of(MORRIS, "W...................B... w 8 8")
    trap = state.legal_moves[7]
    after = state.after(trap)
    wrong = [after.after(reply).position_text for reply in after.legal_moves[:-1]]
    bargainer = Bargainer(MadeUpResults(wrong), ProofBudget(1_000, lambda: False), no_clock)
    assert bargainer.best_of(state, state.legal_moves) == (trap,)


def test_if_no_mistake_is_likely_the_search_chooses_among_all_drawing_moves() -> None:
    state = State.of(MORRIS, "W...................B... w 8 8")
    bargainer = Bargainer(MadeUpResults(), ProofBudget(1_000, lambda: False), no_clock)
    assert bargainer.best_of(state, state.legal_moves) == state.legal_moves


def test_a_move_not_checked_in_time_gives_way_to_one_known_to_keep_the_result() -> None:
    state = State.of(MORRIS, DRAWN_WITH_MEN_IN_HAND)
    safe = state.legal_moves[-1]
    searches = Searches(state)
    tablebase = Tablebase(MORRIS, {}, SafeMove(state.after(safe)))
    found = search_solved(state, tablebase, LIMITS, no_clock, searches)
    assert found.best_move == state.format_move(safe)
    assert searches.asked == [(), (safe,)], "the search preferred another one"


class AllotsTime:
    """Replaces the level's search: takes all of its time, and records it in milliseconds."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.now_ms = 0.0
        self.allotted_ms: list[float] = []

    def clock(self) -> float:
        return self.now_ms / 1000

    def __call__(self, limits: Limits, candidates: tuple[int, ...], probed: Tablebase | None = None) -> Analysis:
        assert limits.movetime_ms is not None
        self.allotted_ms.append(round(limits.movetime_ms, 6))
        self.now_ms += limits.movetime_ms
        return Analysis(1, 0, 1, 0.0, (self.state.format_move((candidates or self.state.legal_moves)[0]),))


class FailingProof(MadeUpResults):
    """Results that are searched for until the budget is spent, and never found."""

    def __init__(self, search: AllotsTime, nodes: int) -> None:
        super().__init__()
        self.search = search
        self.nodes = nodes

    def proof_nodes(self, _state: State) -> int:
        return self.nodes

    def reaches(self, _state: State, _least: int, budget: ProofBudget) -> bool | None:
        while budget.allows_more():
            self.search.now_ms += 1
        return None


@pytest.mark.parametrize(
    ("proof_nodes", "search_ms"), [(0, 360), (1_000_000_000, 600)], ids=["a proof failed", "none was tried"]
)
def test_the_search_has_three_fifths_of_the_time_that_proofs_leave(proof_nodes: int, search_ms: int) -> None:
    search = AllotsTime(State.of(MORRIS))
    tablebase = Tablebase(MORRIS, {}, FailingProof(search, proof_nodes))
    found = search_solved(search.state, tablebase, Limits(movetime_ms=1_000), search.clock, search)
    assert found.best_move is not None
    assert search.allotted_ms == [search_ms]
    assert search.now_ms == pytest.approx(1_000, abs=2)
