"""Verdicts on states and moves: those without distances agree with the full tables."""

from itertools import islice

from millrace.engine.game import TableBytes
from millrace.engine.state import State
from millrace.engine.tablebase.morris_results import MorrisResults, answers_of
from millrace.engine.tablebase.opening_answers import OpeningAnswers
from millrace.engine.tablebase.placing_proof import new_search, position_in, proved_with, reaches
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.tablebase.results import DRAW, WIN
from millrace.engine.tablebase.small_edition import open_endings
from millrace.engine.tablebase.verdicts import NO_VERDICTS, Verdict, verdicts_on
from millrace.engine.tablebase.verification import FLYING
from tests.engine.tablebase.small_tables import MORRIS, compress_all, placements

LONGEST_WIN = "WWB.......B....B..B...W. w 0 0"
"""Won in 33 plies by only one move."""
DRAWN_WITH_MEN_IN_HAND = "W..B.....W.......B....W. b 1 1"


def test_verdicts_without_distances_agree_with_the_full_tables(full: Tablebase, small_edition: Tablebase) -> None:
    results = set()
    for state in islice(placements(seed=1), 200):
        expected, found = verdicts_on(full, state), verdicts_on(small_edition, state)
        assert expected.state is not None
        assert found.state == Verdict(expected.state.result, None)
        assert found.moves.keys() == expected.moves.keys() == set(state.legal_moves)
        for move, verdict in found.moves.items():
            assert verdict.result == expected.moves[move].result
            ends_play = state.after(move).outcome is not None
            assert verdict.plies == (0 if ends_play else None)
        assert found.state.result == max(verdict.result for verdict in found.moves.values())
        results.add(found.state.result)
    assert results == {1, 0, -1}


def test_moves_into_full_tables_have_distances_where_the_state_itself_has_none(
    tables: dict[str, TableBytes], full: Tablebase
) -> None:
    below = {"3-3": tables["3-3"]}
    mixed = Tablebase(MORRIS, below, MorrisResults(below, compress_all(tables)))
    state = State.of(MORRIS, "WW.....W......B.B.....BB w 0 0")
    assert state.outcome is None
    expected, found = verdicts_on(full, state), verdicts_on(mixed, state)
    assert found.state is not None
    assert found.state.plies is None
    plies = {verdict.plies for verdict in found.moves.values()}
    assert None in plies
    assert any(verdict == expected.moves[move] and verdict.plies for move, verdict in found.moves.items())


def test_a_known_distance_is_given_unless_the_win_may_come_too_late(
    tables: dict[str, TableBytes],
) -> None:
    both = Tablebase(MORRIS, tables, MorrisResults(tables, compress_all(tables)))
    assert verdicts_on(both, State.of(MORRIS, LONGEST_WIN)).state == Verdict(1, 33)
    assert verdicts_on(both, State.of(MORRIS, f"{LONGEST_WIN} 68")) == NO_VERDICTS


def test_a_short_proof_decides_where_few_men_are_in_hand(small_edition: Tablebase) -> None:
    state = State.of(MORRIS, DRAWN_WITH_MEN_IN_HAND)
    verdicts = verdicts_on(small_edition, state)
    assert verdicts.state == Verdict(0, None)
    assert Verdict(0, None) in verdicts.moves.values()


def test_proved_opening_positions_are_known_without_tables(tables: dict[str, TableBytes]) -> None:
    state = State.of(MORRIS, DRAWN_WITH_MEN_IN_HAND)
    known = Tablebase(MORRIS, {}, MorrisResults({}, {}, answers_about(state, tables)))
    assert verdicts_on(known, state).state == Verdict(0, None)
    assert verdicts_on(known, State.of(MORRIS, LONGEST_WIN)) == NO_VERDICTS


def test_nothing_is_known_without_tables_or_without_flying(small_edition: Tablebase) -> None:
    nothing = Tablebase(MORRIS, {}, MorrisResults({}, {}))
    for text in (LONGEST_WIN, DRAWN_WITH_MEN_IN_HAND, ""):
        assert verdicts_on(nothing, State.of(MORRIS, text)) == NO_VERDICTS
    assert verdicts_on(small_edition, State.of(MORRIS)) == NO_VERDICTS
    assert verdicts_on(small_edition, State.of(MORRIS, f"{LONGEST_WIN} flying=off")) == NO_VERDICTS


def answers_about(state: State, tables: dict[str, TableBytes]) -> OpeningAnswers:
    """Return the answers of a proof of a state."""
    endings, position = open_endings(tables, {}), position_in(state.words)
    searches = {least: new_search(1) for least in (DRAW, WIN)}
    for least, search in searches.items():
        reaches(endings, FLYING, search, position, least)
    return {answers_of(position, least): proved_with(search, 2) for least, search in searches.items()}
