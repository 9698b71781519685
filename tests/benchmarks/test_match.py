"""Matches between engines, well-behaved and faulty."""

import asyncio
import json
import random
from itertools import islice
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from benchmarks.engines.elo import LEAST_PAIRS, SequentialTest
from benchmarks.engines.match_play import Played, play_match
from benchmarks.engines.openings import BALANCE, draw_openings, is_balanced
from benchmarks.engines.process import Answer, Engine, EngineFailure, Limit, program_of
from benchmarks.match import Score, Tournament, cost_of, limit_of, main, overshoot_of
from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State
from tests.benchmarks.engine_commands import command

MORRIS = find_game("morris")
PATIENT = Limit("nodes", 1, 60)
IMPATIENT = Limit("nodes", 1, 0.05)
"""For engines that never answer."""


def fake(manner: str) -> Engine:
    return Engine(program_of(manner, command(manner), "morris", None, ()))


async def match_of(first: Engine, second: Engine, limit: Limit = PATIENT, longest: int = 6) -> Played:
    try:
        return await play_match(MORRIS, "", (first, second), limit, longest)
    finally:
        await asyncio.gather(first.close(), second.close())


@pytest.mark.usefixtures("processes")
async def test_two_engines_play_by_the_rules_until_the_match_is_too_long() -> None:
    played = await match_of(fake("first"), fake("first"))
    assert State.from_moves(MORRIS, "", played.moves).ply == 6
    assert (played.scores, played.reason, played.has_failed) == ((0.5, 0.5), "too_long", False)
    assert [[answer.nodes for answer in answers] for answers in played.answers] == [[7] * 3, [7] * 3]


@pytest.mark.parametrize(
    ("manner", "limit", "reason"),
    [
        ("illegal", PATIENT, "illegal made no legal move"),
        ("dies", PATIENT, "dies ended with code 3"),
        ("silent", IMPATIENT, "silent was silent"),
    ],
)
@pytest.mark.usefixtures("processes")
async def test_an_engine_that_crashes_or_breaks_the_rules_loses(manner: str, limit: Limit, reason: str) -> None:
    played = await match_of(fake(manner), fake("illegal"), limit)
    assert (played.scores, played.moves, played.has_failed) == ((0.0, 1.0), [], True)
    assert played.reason.startswith(reason)


@pytest.mark.usefixtures("processes")
async def test_the_other_seat_may_fail_as_well() -> None:
    played = await match_of(fake("first"), fake("illegal"))
    assert (played.scores, len(played.moves), played.has_failed) == ((1.0, 0.0), 1, True)


@pytest.mark.usefixtures("processes")
async def test_a_crashed_engine_plays_the_next_match() -> None:
    broken = fake("dies")
    try:
        for _ in range(2):
            await broken.begin_match()
            with pytest.raises(EngineFailure, match="ended with code 3"):
                await broken.choose("", [], PATIENT)
            await broken.kill()
    finally:
        await broken.close()


@pytest.mark.usefixtures("processes")
async def test_a_refused_option_stops_the_run() -> None:
    refusing = program_of("R", command("refuses"), "morris", None, ["Level=99"])
    tournament = Tournament(MORRIS, (refusing, refusing), PATIENT, 1, iter([""]))
    with pytest.raises(ExceptionGroup) as caught:
        await tournament.play(1)
    assert "There is no such option" in str(caught.value.exceptions[0])


@pytest.mark.usefixtures("processes")
async def test_an_engine_that_cannot_begin_is_named() -> None:
    programs = (
        program_of("A", command("first"), "morris", None, ()),
        program_of("B", "/nowhere/engine", "morris", None, ()),
    )
    with pytest.raises(ExceptionGroup) as caught:
        await Tournament(MORRIS, programs, PATIENT, 1, iter([""])).play(1)
    assert str(caught.value.exceptions[0]).startswith("B could not be started")


def test_pairs_are_counted_from_the_view_of_a() -> None:
    score = Score(("A", "B"))
    first, second, third = (Answer("d6", number, 10 * number, 2.0 * number) for number in (1, 2, 3))
    won_as_first = Played("", ("A", "B"), ["d6"], (1.0, 0.0), "blocked", ([first], []))
    lost_as_second = Played("", ("B", "A"), ["d6", "f4"], (1.0, 0.0), "blocked", ([second], [third]))
    score.add(won_as_first, lost_as_second)
    assert (score.wins, score.draws, score.losses, score.pairs) == (1, 0, 1, [0, 0, 1, 0, 0])
    assert score.answers == ([first, third], [second])
    assert cost_of(score.answers[0]) == {"nodes": 20, "processor_ms": 4}
    assert (score.matches, score.plies, score.reasons) == (2, 3, {"blocked": 2})


@pytest.mark.usefixtures("processes")
async def test_a_sequential_test_stops_as_soon_as_it_knows() -> None:
    programs = (
        program_of("A", command("first"), "morris", None, ()),
        program_of("B", command("illegal"), "morris", None, ()),
    )
    # An engine that loses every match is found out long before the thousandth pair.
    tournament = Tournament(MORRIS, programs, PATIENT, 1000, iter([""] * 1000), test=SequentialTest(0, 400))
    score = await tournament.play(1)
    assert score.matches == 2 * LEAST_PAIRS
    assert score.losses == 0


@pytest.mark.usefixtures("processes")
def test_the_command_prints_its_result_as_json_on_the_last_line_and_records_matches(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(main)
    record = tmp_path / "matches.jsonl"
    options = f"--games 2 --movetime 30000 --openings 0 --concurrency 1 --record {record}".split()
    done = CliRunner().invoke(app, [command("first"), command("illegal"), *options], catch_exceptions=False)
    assert done.exit_code == 0
    result = json.loads(done.stdout.splitlines()[-1])
    assert (result["wins"], result["draws"], result["losses"]) == (2, 0, 0)
    assert (result["elo"], result["failures"]) == (None, 2)
    assert [json.loads(line)["names"] for line in record.read_text().splitlines()] == [["A", "B"], ["B", "A"]]


def test_only_one_limit_is_accepted() -> None:
    assert limit_of(None, None, 3, 1)[:2] == ("depth", 3)
    with pytest.raises(typer.BadParameter):
        limit_of(100, 5, None, 1)


def test_overshoot_is_the_time_beyond_the_limit() -> None:
    assert overshoot_of([100.0, 100.0, 103.5], Limit("movetime", 100, 1)) == {"p50": 0, "p99": 3.4, "max": 3.5}
    assert overshoot_of([1.0, 2.0], PATIENT) is None


def test_a_command_names_the_game_and_this_projects_own_engine() -> None:
    program = program_of("A", "millrace engine {game}", "mingmang", "older", ["Hash=8", "Setup=seats=2 seed=1"])
    assert program.command[1:] == ["-m", "millrace.server.app.cli", "engine", "mingmang"]
    assert program.options == {"Hash": "8", "Setup": "seats=2 seed=1"}
    for bad in (("", ()), ("x", ("Hash",))):
        with pytest.raises(ValueError, match=r"needs a command|NAME=VALUE"):
            program_of("A", bad[0], "morris", None, bad[1])


@pytest.mark.parametrize(
    "name", ["morris", *(pytest.param(name, marks=pytest.mark.slow) for name in GAMES if name != "morris")]
)
def test_openings_differ_are_balanced_and_depend_on_the_seed(name: str) -> None:
    game = GAMES[name]
    texts = list(islice(draw_openings(game, random.Random(3), 4), 6))
    assert len(set(texts)) == 6
    assert texts == list(islice(draw_openings(game, random.Random(3), 4), 6))
    for text in texts:
        state = State.of(game, text)
        assert state.outcome is None
        assert state.position_text == text
        assert is_balanced(state, 4 * BALANCE)


def test_without_plies_matches_begin_at_the_set_ups() -> None:
    assert list(islice(draw_openings(MORRIS, random.Random(1), 0), 3)) == ["", "", ""]
    setups = list(islice(draw_openings(find_game("battlesheep"), random.Random(1), 0, ["seed={seed} seats=2"]), 3))
    assert len(set(setups)) == 3
    assert all(State.of(find_game("battlesheep"), setup).ply == 0 for setup in setups)
