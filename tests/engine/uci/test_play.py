"""The engine's line protocol: its opponents, the book, levels, and decided matches."""

from queue import Queue

import pytest

from millrace.engine.book.book import Book
from millrace.engine.book.position_scoring import ScoredPosition, add_scored
from millrace.engine.games import GAMES, find_game
from millrace.engine.search import no_clock
from millrace.engine.state import State
from millrace.engine.uci import GameFiles, Inbox, serve_lines
from tests.engine.mingmang.positions import WALLED_IN_BLACK_LEADS
from tests.engine.uci.conversation import best_move, speak

MORRIS = find_game("morris")
WALLED_IN = WALLED_IN_BLACK_LEADS.format(seat="b")
MIDDLE_CORNERS = {"b2", "b6", "f2", "f6"}
AFTER_A_PASS = f"position text {WALLED_IN} moves pass c6-b6"


def test_levels_and_personalities_are_chosen_by_name() -> None:
    def depths(level: str) -> list[int]:
        infos = speak(f"setoption name Level value {level}", "position startpos moves d6", "go depth 3")[:-1]
        return [int(info.split()[2]) for info in infos]

    assert depths("easy") == depths("1")
    assert set(depths("easy")) == {1}
    assert depths("medium") == depths("6") == [1, 2, 3]
    assert depths("hunter")[:12] == [1, 2, 3] * 4, "it looks at its best four moves, none of which takes"


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
def test_the_last_report_is_for_the_played_move(game: str, level: str, limits: str) -> None:
    state = State.of(find_game(game))
    for ply in range(8):
        position = f"position startpos moves {' '.join(state.move_texts)}" if ply else "position startpos"
        *_, told, answer = speak(f"setoption name Level value {level}", position, f"go {limits}", game=game, seed=ply)
        variation = told.split()[told.split().index("pv") + 1 :]
        assert answer.split()[1::2] == variation[:2]
        state = state.play_text(variation[0])


@pytest.fixture
def book() -> Book:
    """A book that knows nothing but a corner of the middle ring for the first move."""
    book = Book(MORRIS)
    for _ in range(3):
        book.add(("b6",), 2)
    add_scored(book, ScoredPosition((), (("b6", 0.5),)))
    return book


def test_a_move_of_the_book_is_played_at_once_and_not_always_the_same(book: Book) -> None:
    answers = [speak("position startpos", "go movetime 1000", seed=seed, book=book) for seed in range(40)]
    assert {answer[0] for answer in answers} == {"info string from the opening book"}
    assert {answer[1] for answer in answers} == {f"bestmove {corner}" for corner in MIDDLE_CORNERS}


def test_files_that_become_usable_later_are_used(book: Book) -> None:
    inbox: Inbox = Queue()
    for line in ("go depth 1", "go movetime 1000", None):
        inbox.put(line)
    answers: list[str] = []
    files = iter([GameFiles(), GameFiles(), GameFiles(None, book)])
    serve_lines(MORRIS, inbox, answers.append, no_clock, seed=1, files_of=lambda _game: next(files))
    assert answers[0].startswith("info depth 1 ")
    assert answers[-2] == "info string from the opening book"


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
def test_the_book_is_not_used_for_analysis_or_when_switched_off(book: Book, lines: list[str]) -> None:
    answers = speak(*lines, book=book)
    assert answers[0].startswith("info depth 1 ")


@pytest.mark.parametrize("orders", [["go nodes 2000"], ["go ponder nodes 2000", "ponderhit"]])
def test_a_pass_is_played_in_a_decided_match_despite_better_moves(orders: list[str]) -> None:
    assert speak(AFTER_A_PASS, *orders, game="mingmang")[-1].split()[1] == "pass"
    assert speak(AFTER_A_PASS, "go infinite", "stop", game="mingmang")[-1].split()[1] != "pass", "that is to analyse"


@pytest.mark.parametrize("variations", [1, 2])
@pytest.mark.parametrize("level", [1, 2])
def test_a_weak_level_answers_no_pass_while_anything_is_left_to_play_for(level: int, variations: int) -> None:
    options = (f"setoption name Level value {level}", f"setoption name MultiPV value {variations}")
    for seed in range(4):
        state = State.of(find_game("mingmang"))
        while state.ply < 12:
            position = " ".join(["position startpos", *(["moves"] if state.ply else []), *state.move_texts])
            best = speak(*options, position, "go depth 2", game="mingmang", seed=seed)[-1].split()[1]
            assert best != "pass"
            state = state.play_text(best)


@pytest.mark.parametrize("level", ["classic-6", "classic-8", "random", "hunter"])
def test_a_bot_with_its_own_way_of_choosing_a_move_plays_alike_with_several_variations(level: str) -> None:
    def answers(variations: int, go: str) -> list[str]:
        options = f"setoption name Level value {level}", f"setoption name MultiPV value {variations}"
        lines = speak(*options, "position startpos moves d6 f4", go)
        return [line.partition(" nps ")[0] for line in lines]

    said, *played = answers(3, "go depth 4")
    assert said.startswith("info string MultiPV does not apply")
    assert played == answers(1, "go depth 4")
    assert {"multipv 3"} <= {" ".join(line.split()[5:7]) for line in answers(3, "go searchmoves b4 d2 f2 depth 1")}


def test_the_random_bot_plays_any_move() -> None:
    answers = {speak("setoption name Level value random", "go depth 3", seed=seed)[-1] for seed in range(12)}
    assert len(answers) > 6
