"""The engine's line protocol: commands, answers, deferred and refused lines."""

import subprocess
import sys
from queue import Queue

import pytest

from millrace.engine.games import GAMES, find_game
from millrace.engine.search import no_clock
from millrace.engine.state import State
from millrace.engine.uci import Inbox, serve_lines
from tests.engine.uci.conversation import best_move, best_moves, converse, speak

MORRIS = find_game("morris")


def errors(*lines: str) -> list[str]:
    return [answer for answer in speak(*lines) if answer.startswith("info string error ")]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played(name: str) -> None:
    *_, last = speak("isready", "position startpos", "go depth 1", game=name)
    state = State.of(GAMES[name])
    assert state.parse_move(last.split()[1]) in state.legal_moves


def test_it_says_when_it_is_ready_and_stops_at_quit() -> None:
    assert speak("isready") == ["readyok"]
    assert speak("quit", "isready") == []


def test_each_iteration_is_reported_in_order() -> None:
    *infos, best = speak("position startpos moves d6 f4", "go depth 4")
    for depth, info in enumerate(infos, start=1):
        words = info.split()
        assert words[0:3] == ["info", "depth", str(depth)]
        names = ["seldepth", "score", "cp", "nodes", "nps", "hashfull", "time", "pv"]
        assert [words[index] for index in (3, 5, 6, 8, 10, 12, 14, 16)] == names
        assert int(words[4]) >= depth
        assert State.from_moves(MORRIS, "", ["d6", "f4", *words[17:]]).ply >= 3
    assert len(infos) == 4
    assert best == f"bestmove {infos[-1].split()[17]} ponder {infos[-1].split()[18]}"


def test_a_position_may_be_given_as_text_with_moves() -> None:
    assert best_move("position text ......B...W.......BW..W. b 6 7 moves a4", "go depth 2").startswith("d3x")
    assert best_move("position text WW............W..B.B.B.. w 0 0", "go depth 1").startswith("g4-g7x")


def test_a_position_may_be_given_as_fen_with_captures_as_words() -> None:
    fen = "********/**@****@/O******O w p p 2 7 2 7 0 0 0 0 0 0 0 0 3"
    assert best_move(f"position fen {fen} moves g7 xf4 d2", "go depth 2") == best_move(
        "position text WW.B.........B.......... w 7 7 moves g7xf4 d2", "go depth 2"
    )
    assert "Ming Mang knows text, not 'fen'" in speak(f"position fen {fen}", game="mingmang")[0]


@pytest.mark.parametrize("name", ["packed", "letters"])
def test_a_position_may_be_given_in_every_notation_of_the_game(name: str) -> None:
    position = State.of(MORRIS, "WW.B.........B.......... w 7 7")
    lines = speak(f"position {name} {position.write_position(name)} moves g7xf4", "d")
    assert f"Position: {position.play_text('g7xf4').position_text}" in lines
    assert "no position in the notation" in speak(f"position {name} {position.position_text}")[0]


@pytest.mark.parametrize("setup", ["seats=3", "seats=4 seed=1", "r5,0,0,g3/0,b4,0,0/.,0,y2,0 r 4"])
def test_three_and_four_seats_play_from_the_chosen_set_up(setup: str) -> None:
    for lines in (
        [f"setoption name Setup value {setup}", "position startpos"],
        [f"setoption name Setup value {setup}"],
        [f"position text {setup}"],
    ):
        infos = speak(*lines, "go depth 3", game="battlesheep")[:-1]
        line = infos[-1].split()
        state = State.from_moves(find_game("battlesheep"), setup, line[line.index("pv") + 1 :])
        assert state.start.seats == State.of(find_game("battlesheep"), setup).start.seats >= 3


def test_moves_follow_the_chosen_set_up() -> None:
    chosen = "setoption name Setup value ......B...W.......BW..W. b 6 7"
    assert best_move(chosen, "position startpos moves a4", "go depth 2").startswith("d3x")
    assert best_move(chosen, "ucinewgame", "position startpos moves a4", "go depth 2").startswith("d3x")
    assert best_move(chosen, "setoption name Setup", "go depth 2") == best_move("go depth 2")


def test_nodes_bound_a_search() -> None:
    infos = speak("position startpos", "go nodes 5000")[:-1]
    words = infos[-1].split()
    assert int(words[words.index("nodes") + 1]) <= 5000


def test_a_settled_move_ends_a_search_only_if_asked() -> None:
    position = "position text W.BB.W...W.BB.WBW..BWB.W w 0 0"
    *_, whole, _best = speak(position, "go nodes 100000")
    *_, early, _best = speak("setoption name StopWhenSettled value true", position, "go nodes 100000")
    nodes = [int(info.partition(" nodes ")[2].split()[0]) for info in (early, whole)]
    assert nodes[0] < nodes[1]


@pytest.mark.parametrize("order", ["go infinite", "go ponder movetime 50"])
def test_a_search_without_an_end_of_its_own_ends_with_stop_with_quit_or_with_the_input(order: str) -> None:
    state = State.of(MORRIS)
    for lines in (["stop"], ["quit"], []):
        assert state.parse_move(best_move("position startpos", order, *lines)) in state.legal_moves


def test_a_search_without_limits_runs_until_stop() -> None:
    ((at_ms, _),) = best_moves(converse((1_000, "isready"), (2_000, "go"), (9_000, "stop")))
    assert 9_000 <= at_ms <= 9_020


def test_an_infinite_search_queued_before_the_end_of_input_ends_at_once() -> None:
    assert len([answer for answer in speak("go nodes 20000", "go infinite") if answer.startswith("bestmove ")]) == 2


def test_during_a_search_it_answers_isready_and_defers_other_lines() -> None:
    other = "WW............W..B.B.B.. w 0 0"
    answers = speak("go infinite", "isready", f"position text {other}", "stop", "go depth 1")
    assert "readyok" in answers
    first, second = (index for index, answer in enumerate(answers) if answer.startswith("bestmove"))
    assert answers.index("readyok") < first
    for index, state in ((first, State.of(MORRIS)), (second, State.of(MORRIS, other))):
        assert state.parse_move(answers[index].split()[1]) in state.legal_moves, "men are placed first, and then moved"


def test_a_finished_position_has_no_best_move() -> None:
    assert best_move("position text WW.................BBB.. w 0 0", "go depth 3") == "(none)"


@pytest.mark.parametrize(
    ("lines", "faults", "answered"),
    [
        (["ponderhit"], 1, 0),
        (["go depth 1", "ponderhit"], 1, 1),
        (["go ponder depth 1", "ponderhit", "ponderhit"], 1, 1),
        (["go ponder depth 1", "stop", "stop", "ponderhit"], 1, 1),
        (["go ponder depth 1", "position startpos moves d6", "stop", "go depth 1"], 0, 2),
        (["go ponder depth 1", "go depth 1", "ponderhit"], 0, 2),
        (["go infinite", "ponderhit", "stop"], 1, 1),
    ],
)
def test_unexpected_lines_never_hang_it(lines: list[str], faults: int, answered: int) -> None:
    answers = speak(*lines, "isready")
    assert sum(answer.startswith("info string error") for answer in answers) == faults
    assert sum(answer.startswith("bestmove ") for answer in answers) == answered
    assert "readyok" in answers


def test_histories_of_a_match_are_used_until_ucinewgame() -> None:
    def nodes(*lines: str) -> list[int]:
        infos = [answer.split() for answer in speak(*lines) if answer.startswith("info depth 7 ")]
        return [int(info[info.index("nodes") + 1]) for info in infos]

    search = ["position startpos moves d6 f4", "go depth 7"]
    first, again = nodes(*search, *search)
    assert again < first
    first, later = nodes(*search, "position startpos moves d6 f4 b4 d2", "go depth 7")
    assert later < nodes("position startpos moves d6 f4 b4 d2", "go depth 7")[0]
    for forgetting in ("ucinewgame", "setoption name Hash value 8", "setoption name Setup value flying=off"):
        assert nodes(*search, forgetting, *search) == nodes(*search) * 2


@pytest.mark.parametrize(
    "option",
    [
        "Weights value published",
        "Setup value flying=off",
        "Hash value 8",
        "Level value 2",
        "MultiPV value 2",
        "Book value false",
        "Game value battlesheep",
    ],
)
def test_an_option_keeps_the_position_or_says_that_it_does_not(option: str) -> None:
    position = "position startpos moves d6 f4 b4"
    before = speak(position, "d")
    after = speak(position, f"setoption name {option}", "setoption name Weights value published", "d")
    is_kept = [line for line in after if not line.startswith("info string")] == before
    assert is_kept or any("is now the start of" in line for line in after)


@pytest.mark.parametrize(
    "line",
    [
        "castle",
        "ponderhit",
        "setoption name Ponder value perhaps",
        "setoption name Level value 9",
        "setoption name Level value many",
        "setoption name Threads value 2",
        "setoption name Colour value red",
        "setoption name Book value perhaps",
        "setoption name Parallel value often",
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


@pytest.mark.parametrize(
    "line",
    [
        "go ponder infinite",
        "go inc 100",
        "go winc 1000",
        "go time 100 wtime 100 btime 100",
        "go time soon",
        "go time --5",
        "go movestogo 0 time 100",
        "go depth",
        "go depth x",
        "go depth 0",
        "go depth 99999999999999999999",
        "go sideways 3",
    ],
)
def test_a_refused_search_is_answered_by_bestmove_none(line: str) -> None:
    error, answer = speak("position startpos moves d6", line)
    assert error.startswith("info string error ")
    assert answer == "bestmove (none)"


@pytest.mark.parametrize(
    "line",
    [
        "position",
        "position text",
        "position text nonsense",
        "position fen",
        "position fen nonsense",
        "position startpos moves z9",
        "position startpos moves d6 d6",
    ],
)
def test_after_a_refused_position_nothing_is_searched(line: str) -> None:
    refusal, reason, answer = speak("position startpos moves d6", line, "go depth 1")
    assert refusal.startswith("info string error ")
    assert reason.startswith("info string error go needs a position")
    assert answer == "bestmove (none)"
    for another in ("position startpos moves d6", "ucinewgame", "setoption name Setup value flying=off"):
        assert speak(line, another, "go depth 1")[-1] != "bestmove (none)"


@pytest.mark.parametrize("ways", [[], ["setoption name Parallel value ybw"]])
def test_the_requested_number_of_threads_search(ways: list[str]) -> None:
    inbox: Inbox = Queue()
    for line in ("uci", "setoption name Threads value 3", "setoption name Threads value 2", *ways, "go depth 5", None):
        inbox.put(line)
    answers: list[str] = []
    serve_lines(MORRIS, inbox, answers.append, no_clock, 1, most_threads=2)
    assert "option name Threads type spin default 1 min 1 max 2" in answers
    errors = [answer for answer in answers if answer.startswith("info string error ")]
    assert errors == ["info string error Threads must be a number from 1 to 2, not '3'."]
    assert answers[-2].startswith("info depth 5 ")


def test_ucinewgame_starts_another_match() -> None:
    assert best_move("position text WW.......B.B............ w 7 7", "ucinewgame", "go depth 1") == best_move(
        "go depth 1"
    )


@pytest.mark.usefixtures("processes")
def test_the_command_speaks_over_real_streams() -> None:
    said = "uci\nposition startpos moves d6\ngo depth 3\nwhat\nquit\n"
    command = [sys.executable, "-c", "from millrace.server.app.cli import main; main()", "engine", "morris"]
    done = subprocess.run(command, input=said, capture_output=True, text=True, timeout=120, check=True)
    answers = done.stdout.splitlines()
    assert answers.count("uciok") == 1
    state = State.from_moves(MORRIS, "", ["d6"])
    assert state.parse_move(answers[-2].split()[1]) in state.legal_moves
    assert answers[-1] == "info string error Unknown command: 'what'."
    assert done.stderr == ""


def test_techniques_of_another_program_change_the_nodes_but_not_the_table_of_the_next_search() -> None:
    def nodes_of(*options: str) -> list[str]:
        infos = speak(*options, "position startpos moves d6 f4", "go depth 4", "go depth 4")
        return [line.split()[line.split().index("nodes") + 1] for line in infos if line.startswith("info depth 4 ")]

    published = nodes_of("setoption name Techniques value published")
    assert published[0] == published[1]  # its table is emptied before each search
    assert nodes_of() != published
    assert nodes_of("setoption name Techniques value published -two_level_table")[1] != published[1]
    assert "Techniques begin with" in speak("setoption name Techniques value all")[0]
    assert "not '+magic'" in speak("setoption name Techniques value usual +magic")[0]


@pytest.mark.parametrize("variations", [1, 2])
@pytest.mark.parametrize(("limit", "depths"), [(6, [2, 4, 6]), (5, [2, 4, 5]), (1, [1])])
def test_depths_are_searched_in_steps_of_two_up_to_the_limit(variations: int, limit: int, depths: list[int]) -> None:
    options = f"setoption name MultiPV value {variations}", "setoption name DepthStep value 2"
    infos = speak(*options, "position startpos moves d6 f4", f"go depth {limit}")[:-1]
    assert [int(line.split()[2]) for line in infos] == [depth for depth in depths for _ in range(variations)]
