"""Endings to practise: what is drawn is true, and the defence is the most stubborn one, against the tables."""

import random
from itertools import islice

from millrace.engine.state import State
from millrace.engine.tablebase.codes import DRAWN, is_lost, is_won, plies_of
from millrace.engine.tablebase.endings import DRAW, WIN, draw_endings, judge_move, stubborn_reply
from millrace.engine.tablebase.probing import Tablebase
from tests.engine.tablebase.small_tables import MORRIS
from tests.server.bots.tablebases.longest_win import LONGEST_WIN, LONGEST_WIN_MOVE


def test_drawn_endings_are_what_they_say(tablebase: Tablebase) -> None:
    found = [each for each in islice(draw_endings(tablebase, random.Random(1).randrange), 300) if each is not None]
    assert {ending.result for ending in found} == {WIN, DRAW}
    for ending in found:
        state = State.of(MORRIS, ending.position)
        code = tablebase.unlimited_code_of(state)
        assert code is not None
        assert (code == DRAWN) == (ending.result == DRAW)
        if ending.result == WIN:
            assert is_won(code)
            assert ending.moves == (plies_of(code) + 1) // 2 > 1
        codes = [tablebase.code_after(state.after(move)) for move in state.legal_moves]
        kept = [each for each in codes if each == DRAWN or (each is not None and is_lost(each))]
        keeping = [each for each in kept if each != DRAWN] if ending.result == WIN else kept
        assert ending.mistakes == (len(codes) - len(keeping)) / len(codes)


def test_the_defence_lasts_as_long_as_the_tables_say(tablebase: Tablebase) -> None:
    state, plies = State.of(MORRIS, LONGEST_WIN), 33
    while state.outcome is None:
        after = state.after(tablebase.solve(state).moves[0])  # type: ignore[union-attr]
        judged = judge_move(tablebase, after)
        assert judged is not None
        assert (judged.result, judged.reached) == (WIN, WIN)
        plies -= 2
        assert judged.moves == ((plies + 1) // 2 if plies > 0 else None)
        state = after if judged.reply is None else after.after(judged.reply)
    assert (plies, state.outcome.winner) == (-1, 0)


def test_a_mistake_is_judged_with_what_would_have_kept_the_result(tablebase: Tablebase) -> None:
    state = State.of(MORRIS, LONGEST_WIN)
    wrong = next(move for move in state.legal_moves if state.format_move(move) != LONGEST_WIN_MOVE)
    judged = judge_move(tablebase, state.after(wrong))
    assert judged is not None
    assert judged.result == WIN > judged.reached
    assert [state.format_move(move) for move in judged.keeping] == [LONGEST_WIN_MOVE]


def test_a_winning_defence_wins_as_soon_as_it_can(tablebase: Tablebase) -> None:
    state = State.of(MORRIS, "WW.....B......B..B...W.. w 0 0")
    code = tablebase.unlimited_code_of(state)
    reply = stubborn_reply(tablebase, state)
    assert code is not None
    assert is_won(code)
    assert reply is not None
    left = tablebase.code_after(state.after(reply))
    assert left is not None
    assert plies_of(left) == plies_of(code) - 1
