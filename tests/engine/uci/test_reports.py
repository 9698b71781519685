"""The engine's reports of searches and positions: several lines, chances, distances, shares, leaves."""

from itertools import count

import pytest

from millrace.engine.games import GAMES, find_game
from millrace.engine.perft import perft
from millrace.engine.state import State
from millrace.engine.uci.evaluation_text import term_shares
from millrace.engine.weights import evaluated_by, evaluation_terms_of
from tests.engine.uci.conversation import converse, speak

MORRIS = find_game("morris")
WON = "position text WW............W..B.B.B.. w 0 0"


def fields(line: str) -> dict[str, str]:
    """Return the fields of an `info` line that have one value."""
    words = line.partition(" pv ")[0].split()[1:]
    if "wdl" in words:
        del words[words.index("wdl") : words.index("wdl") + 4]
    if "score" in words:
        words.remove("score")
    return dict(zip(words[::2], words[1::2], strict=True))


def infos(*lines: str, game: str = "morris") -> list[str]:
    return [line for line in speak(*lines, game=game) if line.startswith("info depth")]


def test_several_lines_are_deepened_together_and_ranked() -> None:
    told = infos("setoption name MultiPV value 4", "position startpos moves d6 f4", "go depth 4")
    assert [(fields(line)["depth"], fields(line)["multipv"]) for line in told] == [
        (str(depth), str(rank)) for depth in range(1, 5) for rank in range(1, 5)
    ]
    for depth in range(4):
        of_depth = told[4 * depth : 4 * depth + 4]
        values = [int(fields(line)["cp"]) for line in of_depth]
        assert values == sorted(values, reverse=True)
        assert len({line.partition(" pv ")[2].split()[0] for line in of_depth}) == 4


@pytest.mark.parametrize("limit", ["nodes 3000", "depth 3"])
def test_several_lines_respect_every_limit(limit: str) -> None:
    answers = speak("setoption name MultiPV value 3", "position startpos moves d6", f"go {limit}")
    assert answers[-1].startswith("bestmove ")
    if limit.startswith("nodes"):
        assert int(fields(answers[-2])["nodes"]) <= 3_100


def test_no_more_lines_are_reported_than_there_are_moves() -> None:
    told = infos("setoption name MultiPV value 64", WON, "go searchmoves g4-g7xe3 a7-g7 depth 1")
    assert [fields(line)["multipv"] for line in told] == ["1", "2"]


def test_only_the_named_moves_are_searched() -> None:
    answers = speak(WON, "go searchmoves a7-g7 a7-g1 depth 3")
    assert answers[-1].split()[1] in {"a7-g7", "a7-g1"}
    assert "is not allowed here" in speak(WON, "go searchmoves a7-d7 depth 1")[0]
    assert "needs moves" in speak(WON, "go searchmoves depth 1")[0]


def test_a_proven_end_is_a_distance_in_moves_of_the_mover() -> None:
    assert fields(infos(WON, "go depth 3")[-1])["mate"] == "1"
    lost = "position text WWW.....W.........BB.B.. b 0 0"
    assert fields(infos(lost, "go mate 3")[-1]).get("mate", "-")[0] == "-"


def test_a_search_for_a_win_looks_no_deeper() -> None:
    depths = [int(fields(line)["depth"]) for line in infos("position startpos", "go mate 2")]
    assert depths == [1, 2, 3]
    three = infos("setoption name Setup value seats=3", "go mate 2", game="battlesheep")
    assert int(fields(three[-1])["depth"]) == 4


def test_chances_add_up_to_a_thousand_and_follow_the_value() -> None:
    option = "setoption name UCI_ShowWDL value true"
    for lines in ((option, "position startpos moves d6 f4", "go depth 3"), (option, WON, "go depth 1")):
        for line in infos(*lines):
            words = line.split()
            win, draw, loss = map(int, words[words.index("wdl") + 1 :][:3])
            assert win + draw + loss == 1000
            assert (win > loss) == (fields(line).get("cp", "1")[0] != "-")
    assert "wdl" not in infos("go depth 1")[0]


def test_a_long_search_reports_its_current_move() -> None:
    answers = [line for _, line in converse((1_000, "isready"), (2_000, "go infinite"), (60_000, "stop"))]
    current = [line.split() for line in answers if "currmove" in line]
    assert current
    legal = {MORRIS.texts.format_move(State.of(MORRIS).start.board, move) for move in State.of(MORRIS).legal_moves}
    for words in current:
        assert words[3] == "currmove"
        assert words[4] in legal
        assert 1 <= int(words[6]) <= 24


def test_the_longest_line_and_the_fill_of_the_table_are_reported() -> None:
    told = infos("setoption name Hash value 1", "position startpos moves d6 f4", "go depth 8")
    assert all(int(fields(line)["seldepth"]) >= int(fields(line)["depth"]) for line in told)
    assert int(fields(told[-1])["hashfull"]) > int(fields(told[0])["hashfull"])


@pytest.mark.parametrize("game", GAMES)
def test_leaves_are_counted_by_move(game: str) -> None:
    for command in ("perft 2", "go perft 2"):
        *moves, total = speak(command, game=game)
        state = State.of(GAMES[game])
        assert total == f"Nodes searched: {perft(state, 2)}"
        assert sum(int(line.rpartition(": ")[2]) for line in moves) == perft(state, 2)
        assert len(moves) == len(state.legal_moves)


@pytest.mark.parametrize("game", GAMES)
def test_a_line_stops_counting_even_below_one_move(game: str) -> None:
    answers = speak("perft 30", "stop", "isready", game=game)
    assert answers == ["readyok"]


def test_an_option_that_does_not_exist_is_named() -> None:
    (answer,) = speak("setoption name Clear Hash value on")
    assert "There is no option 'Clear Hash';" in answer


def test_a_long_count_ends_with_the_input_and_a_short_one_is_finished() -> None:
    assert speak("perft 30", clock=count(0.0, 0.1).__next__) == []
    assert speak("perft 3")[-1] == "Nodes searched: 12144"


@pytest.mark.parametrize("game", GAMES)
def test_the_shares_add_up_to_the_evaluation(game: str) -> None:
    state = State.of(GAMES[game])
    while state.ply < 9 and state.outcome is None:
        state = state.play(state.legal_moves[state.ply % len(state.legal_moves)])
    moves = " ".join(state.move_texts)
    answers = speak(f"position startpos moves {moves}", "eval", game=game)
    *shares, total = [int(line.split()[1]) for line in answers]
    assert sum(shares) == total
    weighted, weights = evaluated_by(GAMES[game], "weights")
    named = {line.split()[0] for line in answers[:-1]} - {"patterns", "bounds"}
    terms = evaluation_terms_of(weighted)
    assert named == {name for name, share in term_shares(state, terms, weights).items() if share}


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_drawn_with_its_text(game: str) -> None:
    state = State.of(GAMES[game])
    lines = speak("d", game=game)
    assert f"Position: {state.position_text}" in lines
    assert lines[-1] == f"To move: {GAMES[game].seat_names[0]}, {len(state.legal_moves)} moves"
    assert any(
        line.startswith("Over: too_few_men, ranks 2 1")
        for line in speak("position text WW.................BBB.. w 0 0", "d")
    )


def test_another_game_is_chosen_and_played() -> None:
    answers = speak("setoption name Game value battlesheep", "position startpos", "go depth 1", "uci")
    state = State.of(find_game("battlesheep"))
    best = next(line for line in answers if line.startswith("bestmove")).split()[1]
    assert state.parse_move(best) in state.legal_moves
    assert any(line.startswith("option name Game type combo default battlesheep ") for line in answers)
    assert speak("setoption name Game value chess")[0].startswith("info string error There is no game")


def test_named_weights_evaluate() -> None:
    tuned, published = (
        infos(f"setoption name Weights value {name}", "position startpos moves d6 f4", "go depth 3")
        for name in ("weights", "published")
    )
    assert [line.partition("score")[2] for line in tuned] != [line.partition("score")[2] for line in published]
    assert "has no weights 'best'" in speak("setoption name Weights value best")[0]
