"""Engines as processes: requests, stops, restarts, ends, and thinking times."""

import asyncio
import json
import re
import sys
from pathlib import Path

import pytest

from millrace.client import ClockSettings, MatchId, MatchView, MyTurn, SeatPlan
from millrace.client.bots import engine_process
from millrace.client.bots.engine_pool import EnginePool
from millrace.client.bots.engine_process import EngineFailureError, EngineProcess
from millrace.client.bots.go_limits import GoLimits, limits_of
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.engine.uci.go_command import parse_go
from millrace.protocol import Board, Created
from tests.bots.line_engine import ENGINE, POINTS
from tests.docs.programs import read_blocks

MATCH = MatchId("m1")
SEATS = SeatPlan("me"), SeatPlan("open")
LIMITS = GoLimits("movetime 10", 10)


PERIODS = ClockSettings(60_000, periods=3, period_ms=5_000)


def view(clock: ClockSettings | None = None, clocks_ms: tuple[int, ...] | None = None, *moves: str) -> MatchView:
    periods = (clock.periods,) * len(SEATS) if clock is not None and clock.periods else ()
    return MatchView(created=Created("morris", "", SEATS, clock), clocks_ms=clocks_ms, periods=periods, moves=moves)


async def unplayed(_: str) -> object:
    raise AssertionError


TURN = MyTurn(3, 0, {}, Board("points", (), ()), unplayed)  # type: ignore[arg-type]  # nobody plays it


PAGE_ENGINE = """
import json, sys
answers, heard = json.loads(sys.argv[1]), open("heard", "w")
for line in sys.stdin:
    print(line, file=heard, end="", flush=True)
    if answer := answers.get(line.strip()):
        print(answer, flush=True)
"""
"""Answers as the page says, and writes down what it hears."""


@pytest.mark.usefixtures("processes")
async def test_an_engine_gets_the_lines_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (table,) = [block.text for block in read_blocks("docs/bots.md") if block.language == "text"]
    told = [re.split(r" {2,}", line) for line in table.splitlines()]
    answers = {words[0]: words[1] for words in told if len(words) == 2}
    monkeypatch.chdir(tmp_path)
    engine = await EngineProcess.start((sys.executable, "-c", PAGE_ENGINE, json.dumps(answers)), {})
    engine.begin_match()
    assert await engine.best_move("", ("d6", "f4"), GoLimits("movetime 1000", 1_000)) == "g1"
    await engine.close()
    assert (tmp_path / "heard").read_text().splitlines() == [line for line, *_ in told]


@pytest.mark.usefixtures("processes")
async def test_an_engine_gets_its_options_and_the_moves_and_answers() -> None:
    engine = await EngineProcess.start(ENGINE, {"First": "g7"})
    assert await engine.best_move("", (), LIMITS) == "g7"
    assert await engine.best_move("flying=off", ("g7", "a7"), LIMITS) == POINTS[1]
    await engine.close()
    assert not engine.is_running


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("length", [0, 65_530, 65_536, 65_537, 200_000])
async def test_lines_of_any_length_before_the_answer_are_skipped(length: int) -> None:
    engine = await EngineProcess.start(ENGINE, {"Length": str(length)})
    for moves in ((), POINTS[:1]):
        assert await engine.best_move("", moves, LIMITS) == POINTS[len(moves)]
    await engine.close()


@pytest.mark.usefixtures("processes")
async def test_the_answer_to_an_abandoned_search_is_not_used_for_the_next() -> None:
    engine = await EngineProcess.start((*ENGINE, "hang-once"), {})
    given_up = asyncio.create_task(engine.best_move("", (), LIMITS))
    await asyncio.sleep(0)
    given_up.cancel()
    assert await engine.best_move("", (), LIMITS) == POINTS[0]
    await engine.close()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("/nowhere/engine",), "cannot be started"),
        ((*ENGINE, "dumb"), "did not answer uciok"),
        ((sys.executable, "-c", "print('x' * 100_000)"), "ended with exit code 0"),
        ((sys.executable, "-c", "raise SystemExit(4)"), "ended with exit code 4"),
    ],
)
@pytest.mark.usefixtures("processes")
async def test_a_program_that_is_not_an_engine_is_reported(
    command: tuple[str, ...], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_process, "READY_S", 1.0)
    with pytest.raises(EngineFailureError, match=words):
        await EngineProcess.start(command, {})


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("failing", ["hang", "mute"])
@pytest.mark.parametrize("script", [(), ("sh", "-c", '"$@"; true', "script")], ids=["itself", "by a script"])
async def test_a_hanging_engine_is_abandoned_and_ended(
    failing: str, script: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_process, "GRACE_S", 0.05)
    engine = await EngineProcess.start((*script, *ENGINE, failing), {})
    with pytest.raises(EngineFailureError, match="did not answer bestmove"):
        await engine.best_move("", (), LIMITS)
    await engine.close()


@pytest.mark.usefixtures("processes")
async def test_an_engine_that_crashes_is_restarted_once_for_a_move() -> None:
    engines = EnginePool((*ENGINE, "crash"), {}, 100, 1)
    with pytest.raises(EngineFailureError, match="exit code 3"):
        await engines.choose(MATCH, TURN, view())
    await engines.close()


@pytest.mark.usefixtures("processes")
async def test_engines_that_have_ended_between_moves_are_started_again() -> None:
    engines = EnginePool(ENGINE, {}, 100, 2)
    await engines.prepare("morris")
    for engine in engines._idle["morris"]:
        await engine.close()
    assert await engines.choose(MATCH, TURN, view()) == POINTS[0]
    await engines.close()


@pytest.mark.usefixtures("processes")
async def test_matches_share_engines_and_wait_for_them() -> None:
    engines = EnginePool(ENGINE, {}, 100, 2)
    await engines.prepare("morris")
    boards = [view(), view(None, None, POINTS[0]), view(None, None, *POINTS[:2])]
    chosen = [engines.choose(MatchId(f"m{number}"), TURN, board) for number, board in enumerate(boards)]
    assert await asyncio.gather(*chosen) == list(POINTS[:3])
    await engines.close()


def test_waiting_time_is_subtracted_from_the_clock_and_the_delay() -> None:
    increment, delay = ClockSettings(60_000, 500), ClockSettings(60_000, delay_ms=300)
    assert limits_of(view(increment, (2_000,) * 2), 0, 0, 100).arguments == "wtime 1840 btime 1940 winc 500 binc 500"
    assert limits_of(view(delay, (2_000,) * 2), 0, 0, 100).arguments == "time 1940 inc 0 delay 200"
    assert limits_of(view(delay, (2_000,) * 2), 0, 0, 400).arguments == "time 1840 inc 0 delay 0"


def test_within_a_period_an_engine_has_its_remaining_time() -> None:
    in_period = view(PERIODS, (9_000, 75_000))._replace(periods=(2, 3))
    assert limits_of(in_period, 0, 0).arguments == "wtime 3940 btime 64940 winc 5000 binc 5000"
    assert limits_of(in_period, 0, 0, 4_500).arguments == "wtime 4440 btime 64940 winc 5000 binc 5000"


@pytest.mark.parametrize(
    ("clock", "clocks_ms", "words", "most_ms"),
    [
        (None, None, "movetime 1000", 1_000),
        (ClockSettings(86_400_000, renews=True), (86_400_000,) * 2, "movetime 1000", 1_000),
        (ClockSettings(600_000), None, "wtime 599940 btime 599940 winc 0 binc 0", 600_000),
        (ClockSettings(60_000, 500), (2_000, 30), "wtime 1940 btime 0 winc 500 binc 500", 2_000),
        (ClockSettings(60_000, delay_ms=300), (2_000, 60_000), "time 1940 inc 0 delay 300", 2_300),
        (
            ClockSettings(60_000, periods=3, period_ms=5_000),
            None,
            "wtime 64940 btime 64940 winc 5000 binc 5000",
            65_000,
        ),
        (ClockSettings(60_000, 500), (2_000, 3_000, 4_000), "time 1940 inc 500 delay 0", 2_000),
    ],
)
def test_limits_are_the_clock_or_a_fixed_time(
    clock: ClockSettings | None, clocks_ms: tuple[int, ...] | None, words: str, most_ms: int
) -> None:
    assert limits_of(view(clock, clocks_ms), 0, 1_000) == (words, most_ms)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("clock", [ClockSettings(60_000, 500), ClockSettings(60_000, delay_ms=300)])
def test_millrace_engine_parses_the_limits(clock: ClockSettings, seats: int) -> None:
    state = State.of(find_game("battlesheep"), f"seats={seats}")
    words = limits_of(view(clock, (1_000,) * seats), 0, 1_000).arguments
    assert parse_go(words.split(), state).limits.movetime_ms is not None
