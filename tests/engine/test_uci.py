"""The engine's line protocol, spoken by a test in place of another program."""

import subprocess
import sys
from collections.abc import Sequence
from queue import Empty, Queue

import pytest

from engine.book.record import Book
from engine.games import GAMES, find_game
from engine.state import State
from engine.table import Table, new_table
from engine.uci import Inbox, serve_lines, session

MORRIS = find_game("morris")


def speak(*lines: str, game: str = "morris", seed: int = 1, book: Book | None = None) -> list[str]:
    """Return what the engine answers to lines that end without `quit`."""
    inbox: Inbox = Queue()
    for line in lines:
        inbox.put(line + "\n")
    inbox.put(None)
    answers: list[str] = []
    serve_lines(find_game(game), inbox, answers.append, lambda: 0.0, seed, book=book)
    return answers


class TickingClock:
    """A clock that goes on each time that it is read, so fast that the search looks at it after every few nodes."""

    def __init__(self) -> None:
        self.now_ms = 0

    def __call__(self) -> float:
        self.now_ms += 5
        return self.now_ms / 1000


class TimedInbox(Queue[str | None]):
    """Lines that come in at their time, or as soon as the engine has nothing to do but wait for them."""

    def __init__(self, clock: TickingClock, lines: Sequence[tuple[int, str | None]]) -> None:
        super().__init__()
        self.clock = clock
        self.lines = list(lines)

    def get_nowait(self) -> str | None:
        if self.clock.now_ms < self.lines[0][0]:
            raise Empty
        return self.get()

    def get(self, block: bool = True, timeout: float | None = None) -> str | None:
        at_ms, line = self.lines.pop(0)
        self.clock.now_ms = max(self.clock.now_ms, at_ms)
        return line


def converse(*lines: tuple[int, str | None], game: str = "morris") -> list[tuple[int, str]]:
    """Return what the engine answers to lines at their times, and when, both in milliseconds."""
    clock = TickingClock()
    answers: list[tuple[int, str]] = []
    inbox = TimedInbox(clock, [*lines, (10**9, None)])
    serve_lines(find_game(game), inbox, lambda line: answers.append((clock.now_ms, line)), clock, 1)
    return answers


def best_moves(answers: list[tuple[int, str]]) -> list[tuple[int, str]]:
    return [(at_ms, line) for at_ms, line in answers if line.startswith("bestmove ")]


def best_move(*lines: str, seed: int = 1) -> str:
    answers = [answer for answer in speak(*lines, seed=seed) if answer.startswith("bestmove ")]
    assert len(answers) == 1
    return answers[0].split()[1]


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
        "Ponder",
        "Book",
        "Setup",
    ]
    assert answers[-1] == "uciok"


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played(name: str) -> None:
    *_, last = speak("isready", "position startpos", "go depth 1", game=name)
    state = State.of(GAMES[name])
    assert state.parse_move(last.split()[1]) in state.legal_moves


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
    assert best == f"bestmove {infos[-1].split()[12]} ponder {infos[-1].split()[13]}"


def test_a_position_may_be_given_as_text_with_moves() -> None:
    assert best_move("position text ......B...W.......BW..W. b 6 7 moves a4", "go depth 2").startswith("d3x")
    assert best_move("position text WW............W..B.B.B.. w 0 0", "go depth 1").startswith("g4-g7x")


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
    chosen = "setoption name Setup value ......B...W.......BW..W. b 6 7"
    assert best_move(chosen, "position startpos moves a4", "go depth 2").startswith("d3x")
    assert best_move(chosen, "ucinewgame", "position startpos moves a4", "go depth 2").startswith("d3x")
    assert best_move(chosen, "setoption name Setup", "go depth 2") == best_move("go depth 2")


def test_with_more_than_two_seats_a_clock_is_that_of_the_seat_to_move() -> None:
    chosen = "setoption name Setup value seats=3"
    assert speak(chosen, "go wtime 10 btime 10", game="battlesheep")[0].startswith("info string error")
    answers = converse((0, chosen), (1_000, "isready"), (2_000, "go time 3000 inc 10"), game="battlesheep")
    assert best_moves(answers)[0][0] < 3_500


def test_nodes_bound_a_search() -> None:
    infos = speak("position startpos", "go nodes 5000")[:-1]
    assert int(infos[-1].split()[6]) <= 5000


def test_an_infinite_search_ends_with_stop_with_quit_or_with_the_input() -> None:
    state = State.of(MORRIS)
    for lines in (["stop"], ["quit"], []):
        assert state.parse_move(best_move("position startpos", "go infinite", *lines)) in state.legal_moves


def test_to_be_told_no_limit_is_to_search_until_stop() -> None:
    ((at_ms, _),) = best_moves(converse((1_000, "isready"), (2_000, "go"), (9_000, "stop")))
    assert 9_000 <= at_ms <= 9_020


def test_an_endless_search_that_was_put_off_past_the_end_of_the_input_ends_at_once() -> None:
    assert len([answer for answer in speak("go nodes 20000", "go infinite") if answer.startswith("bestmove ")]) == 2


def test_during_a_search_it_still_answers_isready_and_puts_other_lines_off() -> None:
    other = "WW............W..B.B.B.. w 0 0"
    answers = speak("go infinite", "isready", f"position text {other}", "stop", "go depth 1")
    assert "readyok" in answers
    first, second = (index for index, answer in enumerate(answers) if answer.startswith("bestmove"))
    assert answers.index("readyok") < first
    for index, state in ((first, State.of(MORRIS)), (second, State.of(MORRIS, other))):
        assert state.parse_move(answers[index].split()[1]) in state.legal_moves, "men are placed first, and then moved"


def test_a_finished_position_has_no_best_move() -> None:
    assert best_move("position text WW.................BBB.. w 0 0", "go depth 3") == "(none)"


def test_levels_and_personalities_are_chosen_by_name() -> None:
    def depths(level: str) -> list[int]:
        infos = speak(f"setoption name Level value {level}", "position startpos moves d6", "go depth 3")[:-1]
        return [int(info.split()[2]) for info in infos]

    assert depths("easy") == depths("1")
    assert set(depths("easy")) == {1}
    assert depths("medium") == depths("6") == [1, 2, 3]
    assert depths("hunter")[:12] == [1, 2, 3] * 4, "it looks at its best four moves, none of which takes"


@pytest.mark.parametrize("game", GAMES)
def test_the_level_named_medium_sees_six_plies_of_each_game(game: str) -> None:
    infos = speak("setoption name Level value medium", "position startpos", "go depth 9", game=game)[:-1]
    assert [int(info.split()[2]) for info in infos] == [1, 2, 3, 4, 5, 6]


def test_a_lower_level_plays_within_its_own_bounds() -> None:
    infos = speak("setoption name Level value 2", "position startpos", "go depth 9")[:-1]
    assert [info.split()[2] for info in infos] == ["1", "2"]
    chosen = {best_move("setoption name Level value 2", "position startpos", "go depth 9", seed=s) for s in range(9)}
    assert len(chosen) > 1


def nodes_told(answers: list[str]) -> list[int]:
    """Return how many nodes each of the `info` lines tells."""
    told = [answer.split() for answer in answers if answer.startswith("info depth ")]
    return [int(words[words.index("nodes") + 1]) for words in told]


@pytest.mark.parametrize("level", ["hunter", "warden", "1"])
@pytest.mark.parametrize("nodes", [500, 5000])
def test_nodes_bound_all_searches_for_an_answer_together(level: str, nodes: int) -> None:
    answers = speak(f"setoption name Level value {level}", "position startpos moves d6 f4", f"go nodes {nodes}")
    told = nodes_told(answers)
    assert told == sorted(told)
    assert told[-1] <= nodes


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", ["1", "hunter", "gambler", "8"])
@pytest.mark.parametrize("limits", ["depth 4", "nodes 3000"])
def test_the_last_thing_told_is_the_move_that_is_played(game: str, level: str, limits: str) -> None:
    state = State.of(find_game(game))
    for ply in range(8):
        position = f"position startpos moves {' '.join(state.move_texts)}" if ply else "position startpos"
        *_, told, answer = speak(f"setoption name Level value {level}", position, f"go {limits}", game=game, seed=ply)
        variation = told.split()[told.split().index("pv") + 1 :]
        assert answer.split()[1::2] == variation[:2]
        state = state.play_text(variation[0])


def test_a_table_is_laid_out_when_its_size_is_set_and_not_when_time_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[int] = []

    def lay_out(megabytes: int) -> Table:
        laid_out.append(megabytes)
        return new_table(megabytes)

    monkeypatch.setattr(session, "new_table", lay_out)
    speak("setoption name Hash value 8")
    assert laid_out == [8]
    speak("setoption name Hash value 8", "go depth 1", "go depth 1")
    assert laid_out.count(8) == 2


def test_what_a_clock_has_left_bounds_the_time_taken() -> None:
    took_ms = {
        left: best_moves(converse((1_000, "isready"), (2_000, f"go time {left}")))[0][0] - 2_000
        for left in (0, 300, 3_000, 12_000)
    }
    assert took_ms[0] <= 40
    assert took_ms[0] <= took_ms[300] <= took_ms[3_000] < took_ms[12_000]
    assert all(took <= left / 2 for left, took in took_ms.items() if left)


@pytest.mark.parametrize(("moves", "own"), [("", "wtime"), (" moves d6", "btime")])
def test_of_two_clocks_the_one_of_the_seat_to_move_counts(moves: str, own: str) -> None:
    other = {"wtime": "btime", "btime": "wtime"}[own]

    def took_ms(order: str) -> int:
        position = f"position startpos{moves}"
        return best_moves(converse((1_000, position), (1_001, "isready"), (2_000, order)))[0][0] - 2_000

    assert took_ms(f"go {own} 1000 {other} 900000") == took_ms("go time 1000")
    assert (
        took_ms(f"go {own} 1000 {other} 0 {own[0]}inc 500") == took_ms("go time 1000 inc 500") > took_ms("go time 1000")
    )
    assert took_ms(f"go {own} -30 {other} 900000") == took_ms("go time 0")


def test_the_time_of_an_answer_counts_from_ponderhit() -> None:
    answers = converse((1_000, "isready"), (2_000, "go ponder movetime 100"), (3_000, "ponderhit"))
    ((at_ms, _),) = best_moves(answers)
    assert 3_100 <= at_ms <= 3_125
    assert any(2_100 < at_ms < 3_000 for at_ms, _ in answers), "it thought meanwhile"


def test_on_a_clock_as_well() -> None:
    ((at_ms, _),) = best_moves(converse((1_000, "isready"), (2_000, "go ponder time 3000"), (5_000, "ponderhit")))
    assert 5_000 < at_ms <= 5_000 + 1_500


def test_what_was_found_before_ponderhit_is_kept() -> None:
    answers = converse((1_000, "isready"), (2_000, "go ponder depth 6"), (90_000, "ponderhit"))
    depths = [line.split()[2] for _, line in answers if line.startswith("info depth")]
    assert depths == ["1", "2", "3", "4", "5", "6"]
    ((at_ms, _),) = best_moves(answers)
    assert 90_000 <= at_ms <= 90_020, "it was done long before, and said nothing"


def test_pondering_ends_with_stop_with_quit_or_with_the_input() -> None:
    state = State.of(MORRIS)
    for lines in (["stop"], ["quit"], []):
        assert state.parse_move(best_move("go ponder movetime 50", *lines)) in state.legal_moves


def test_a_forced_move_is_answered_at_ponderhit_and_not_before() -> None:
    forced = "position text WWWWWBWBW.BBBBB.BW...... w 0 0"
    answers = converse((1_000, forced), (1_001, "isready"), (2_000, "go ponder movetime 500"), (4_000, "ponderhit"))
    ((at_ms, line),) = best_moves(answers)
    assert line.split()[1] == "a7-a4"
    assert 4_000 <= at_ms <= 4_020


def test_the_expected_answer_is_told_where_two_play() -> None:
    *infos, best = speak("position startpos moves d6", "go depth 3")
    assert best.split()[2:] == ["ponder", infos[-1].split()[13]]
    assert len(speak("setoption name Setup value seats=3", "go depth 3", game="battlesheep")[-1].split()) == 2


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
def test_lines_out_of_turn_never_hang_it(lines: list[str], faults: int, answered: int) -> None:
    answers = speak(*lines, "isready")
    assert sum(answer.startswith("info string error") for answer in answers) == faults
    assert sum(answer.startswith("bestmove ") for answer in answers) == answered
    assert "readyok" in answers


def test_what_a_match_has_taught_is_used_until_ucinewgame() -> None:
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


@pytest.fixture
def book() -> Book:
    """A book that knows nothing but a corner of the middle ring for the first move."""
    book = Book(MORRIS)
    for _ in range(3):
        book.add(("b6",), 2)
    return book


MIDDLE_CORNERS = {"b2", "b6", "f2", "f6"}


def test_a_move_of_the_book_is_played_at_once_and_not_always_the_same(book: Book) -> None:
    answers = [speak("position startpos", "go movetime 1000", seed=seed, book=book) for seed in range(40)]
    assert {answer[0] for answer in answers} == {"info string from the opening book"}
    assert {answer[1] for answer in answers} == {f"bestmove {corner}" for corner in MIDDLE_CORNERS}


@pytest.mark.parametrize(
    "lines",
    [
        ["go depth 3"],
        ["go nodes 1000"],
        ["go depth 3 movetime 1000"],
        ["go infinite", "stop"],
        ["go ponder movetime 50", "stop"],
        ["setoption name Book value false", "go movetime 1000", "stop"],
        ["setoption name Level value 2", "go movetime 1000"],
        ["position startpos moves d6", "go depth 3"],
    ],
)
def test_who_wants_a_search_or_no_book_gets_none(book: Book, lines: list[str]) -> None:
    answers = speak(*lines, book=book)
    assert answers[0].startswith("info depth 1 ")


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
        "go ponder",
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
def test_a_search_that_is_refused_is_answered_by_no_move_so_that_nobody_waits_for_one(line: str) -> None:
    error, answer = speak("position startpos moves d6", line)
    assert error.startswith("info string error ")
    assert answer == "bestmove (none)"


@pytest.mark.parametrize(
    "line",
    [
        "position",
        "position text",
        "position text nonsense",
        "position startpos moves z9",
        "position startpos moves d6 d6",
    ],
)
def test_a_position_that_is_refused_is_not_searched_and_neither_is_the_one_before(line: str) -> None:
    refusal, reason, answer = speak("position startpos moves d6", line, "go depth 1")
    assert refusal.startswith("info string error ")
    assert reason.startswith("info string error go needs a position")
    assert answer == "bestmove (none)"
    for another in ("position startpos moves d6", "ucinewgame", "setoption name Setup value flying=off"):
        assert speak(line, another, "go depth 1")[-1] != "bestmove (none)"


def test_as_many_threads_search_as_there_may_be() -> None:
    inbox: Inbox = Queue()
    for line in ("uci", "setoption name Threads value 3", "setoption name Threads value 2", "go depth 5", None):
        inbox.put(line)
    answers: list[str] = []
    serve_lines(MORRIS, inbox, answers.append, lambda: 0.0, 1, most_threads=2)
    assert "option name Threads type spin default 1 min 1 max 2" in answers
    errors = [answer for answer in answers if answer.startswith("info string error ")]
    assert errors == ["info string error Threads must be 1 to 2, not 3."]
    assert answers[-2].startswith("info depth 5 ")


WALLED_IN_BLACK_LEADS = "8/4wwww/2wwwbbb/1wwbb1bb/2wb3b/1wb4b/wb6/b2bbb2 b 0"
AFTER_A_PASS = f"position text {WALLED_IN_BLACK_LEADS} moves pass c6-b6"


def play_out(level: str, limits: str, plies: int) -> State:
    """Return how the engine plays on against itself where Black has walled in most of a board of Ming Mang."""
    inbox: Inbox = Queue()
    states = [State.of(find_game("mingmang"), WALLED_IN_BLACK_LEADS)]

    def take(answer: str) -> None:
        if not answer.startswith("bestmove "):
            return
        states.append(states[-1].play_text(answer.split()[1]))
        if states[-1].outcome is not None or states[-1].ply >= plies:
            inbox.put(None)
        else:
            ask()

    def ask() -> None:
        inbox.put(f"position text {WALLED_IN_BLACK_LEADS} moves {' '.join(states[-1].move_texts)}")
        inbox.put(f"go {limits}")

    inbox.put(f"setoption name Level value {level}")
    ask()
    serve_lines(find_game("mingmang"), inbox, take, lambda: 0.0, 1)
    return states[-1]


@pytest.mark.parametrize(
    ("level", "limits"), [("8", "nodes 5000"), ("7", "depth 20"), ("5", "depth 20"), ("hunter", "depth 20")]
)
def test_a_decided_match_is_ended(level: str, limits: str) -> None:
    state = play_out(level, limits, 12)
    assert state.outcome is not None
    assert (state.outcome.reason, state.outcome.winner) == ("territory", 0)


@pytest.mark.parametrize("orders", [["go nodes 2000"], ["go ponder nodes 2000", "ponderhit"]])
def test_where_it_is_time_to_rest_a_move_to_play_is_a_pass_though_another_is_worth_more(orders: list[str]) -> None:
    assert speak(AFTER_A_PASS, *orders, game="mingmang")[-1].split()[1] == "pass"
    assert speak(AFTER_A_PASS, "go infinite", "stop", game="mingmang")[-1].split()[1] != "pass", "that is to analyse"


def test_another_match_is_begun_by_ucinewgame() -> None:
    assert best_move("position text WW.......B.B............ w 7 7", "ucinewgame", "go depth 1") == best_move(
        "go depth 1"
    )


def test_the_command_speaks_over_real_streams() -> None:
    said = "uci\nposition startpos moves d6\ngo depth 3\nwhat\nquit\n"
    command = [sys.executable, "-c", "from server.cli import main; main()", "engine", "morris"]
    done = subprocess.run(command, input=said, capture_output=True, text=True, timeout=120, check=True)
    answers = done.stdout.splitlines()
    assert answers.count("uciok") == 1
    state = State.from_moves(MORRIS, "", ["d6"])
    assert state.parse_move(answers[-2].split()[1]) in state.legal_moves
    assert answers[-1] == "info string error There is no command 'what'."
    assert done.stderr == ""
