"""The engine's line protocol, spoken by a test in place of another program."""

import subprocess
import sys
from queue import Queue

import pytest

from engine.games import GAMES, find_game
from engine.state import State
from engine.uci import Inbox, serve_lines

MORRIS = find_game("morris")


def speak(*lines: str, game: str = "morris", seed: int = 1) -> list[str]:
    """Return what the engine answers to lines that end without `quit`."""
    inbox: Inbox = Queue()
    for line in lines:
        inbox.put(line + "\n")
    inbox.put(None)
    answers: list[str] = []
    serve_lines(find_game(game), inbox, answers.append, lambda: 0.0, seed)
    return answers


def best_move(*lines: str, seed: int = 1) -> str:
    answers = [answer for answer in speak(*lines, seed=seed) if answer.startswith("bestmove ")]
    assert len(answers) == 1
    return answers[0].removeprefix("bestmove ")


def errors(*lines: str) -> list[str]:
    return [answer for answer in speak(*lines) if answer.startswith("info string error ")]


def test_the_engine_introduces_itself_with_its_options() -> None:
    answers = speak("uci")
    assert answers[0].startswith("id name Millrace ")
    assert answers[1].startswith("id author ")
    assert [answer.split()[2] for answer in answers if answer.startswith("option")] == [
        "Level",
        "Hash",
        "Threads",
        "Setup",
    ]
    assert answers[-1] == "uciok"


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played(name: str) -> None:
    *_, last = speak("isready", "position startpos", "go depth 1", game=name)
    state = State.of(GAMES[name])
    assert state.parse_move(last.removeprefix("bestmove ")) in state.legal_moves


def test_it_says_when_it_is_ready_and_stops_at_quit() -> None:
    assert speak("isready") == ["readyok"]
    assert speak("quit", "isready") == []


def test_each_iteration_is_told_in_order() -> None:
    *infos, best = speak("position startpos moves d6 f4", "go depth 4")
    for depth, info in enumerate(infos, start=1):
        words = info.split()
        assert words[0:3] == ["info", "depth", str(depth)]
        assert [words[index] for index in (3, 5, 7, 9, 11)] == ["score", "nodes", "nps", "time", "pv"]
        assert State.from_moves(MORRIS, "", ["d6", "f4", *words[12:]]).ply >= 3
    assert len(infos) == 4
    assert best == f"bestmove {infos[-1].split()[12]}"


def test_a_position_may_be_given_as_text_with_moves() -> None:
    assert best_move("position text WW.......B.B............ b 7 7 moves b6", "go depth 2").startswith("g7x")
    assert best_move("position text WW.......B.B............ w 7 7", "go depth 1").startswith("g7x")


@pytest.mark.parametrize("setup", ["seats=3", "seats=4 seed=1", "r5,0,0,g3/0,b4,0,0/.,0,y2,0 r 4"])
def test_three_and_four_seats_play_from_the_set_up_that_was_chosen(setup: str) -> None:
    for lines in (
        [f"setoption name Setup value {setup}", "position startpos"],
        [f"setoption name Setup value {setup}"],
        [f"position text {setup}"],
    ):
        infos = speak(*lines, "go depth 3", game="battlesheep")[:-1]
        line = infos[-1].split()
        state = State.from_moves(find_game("battlesheep"), setup, line[line.index("pv") + 1 :])
        assert state.start.seats == State.of(find_game("battlesheep"), setup).start.seats >= 3


def test_moves_follow_the_set_up_that_was_chosen() -> None:
    chosen = "setoption name Setup value WW.......B.B............ b 7 7"
    assert best_move(chosen, "position startpos moves b6", "go depth 2").startswith("g7x")
    assert best_move(chosen, "ucinewgame", "position startpos moves b6", "go depth 2").startswith("g7x")
    assert best_move(chosen, "setoption name Setup", "go depth 2") == best_move("go depth 2")


def test_nodes_bound_a_search() -> None:
    infos = speak("position startpos", "go nodes 5000")[:-1]
    assert int(infos[-1].split()[6]) <= 5000


def test_an_infinite_search_ends_with_stop_with_quit_or_with_the_input() -> None:
    state = State.of(MORRIS)
    for lines in (["stop"], ["quit"], []):
        assert state.parse_move(best_move("position startpos", "go infinite", *lines)) in state.legal_moves


def test_during_a_search_it_still_answers_isready_and_puts_other_lines_off() -> None:
    answers = speak("go infinite", "isready", "position startpos moves b4", "stop", "go depth 1")
    assert "readyok" in answers
    first = next(index for index, answer in enumerate(answers) if answer.startswith("bestmove"))
    assert answers.index("readyok") < first
    assert answers[first] == "bestmove b4"
    assert answers[-1] != answers[first], "the second search had a man there"


def test_a_finished_position_has_no_best_move() -> None:
    assert best_move("position text WW.................BBB.. w 0 0", "go depth 3") == "(none)"


def test_a_lower_level_plays_within_its_own_bounds() -> None:
    infos = speak("setoption name Level value 2", "position startpos", "go depth 9")[:-1]
    assert [info.split()[2] for info in infos] == ["1", "2"]
    chosen = {best_move("setoption name Level value 2", "position startpos", "go depth 9", seed=s) for s in range(9)}
    assert len(chosen) > 1


@pytest.mark.parametrize(
    "line",
    [
        "castle",
        "go",
        "go depth",
        "go depth x",
        "go depth 0",
        "go depth 99999999999999999999",
        "go sideways 3",
        "position",
        "position text",
        "position text nonsense",
        "position startpos moves z9",
        "position startpos moves d6 d6",
        "setoption name Level value 9",
        "setoption name Level value many",
        "setoption name Threads value 2",
        "setoption name Colour value red",
        "setoption name Setup value seats=9",
        "setoption",
        "\x00\udcff",
    ],
)
def test_bad_input_is_answered_by_one_line_and_changes_nothing(line: str) -> None:
    assert len(errors(line)) == 1
    assert best_move("position startpos moves d6", line, "go depth 1") == best_move(
        "position startpos moves d6", "go depth 1"
    ), "the position that was set before stands"


def test_another_match_is_begun_by_ucinewgame() -> None:
    assert best_move("position text WW.......B.B............ w 7 7", "ucinewgame", "go depth 1") == best_move(
        "go depth 1"
    )


def test_the_command_speaks_over_real_streams() -> None:
    said = "uci\nposition startpos moves d6\ngo depth 3\nwhat\nquit\n"
    command = [sys.executable, "-c", "from server.cli import main; main()", "engine", "morris"]
    done = subprocess.run(command, input=said, capture_output=True, text=True, timeout=120, check=True)
    answers = done.stdout.splitlines()
    assert "uciok" in answers
    assert answers[-2].startswith("bestmove ")
    assert answers[-1].startswith("info string error ")
    assert done.stderr == ""
