"""The checks after the chaos detect violations, and the seed determines the faults."""

import asyncio
from contextlib import nullcontext
from itertools import islice
from pathlib import Path

import pytest

from millrace.protocol import Created, MatchEvent, MatchId, Moved, Rated, RatingChange
from millrace.server.storage.migrate import migrate
from tests.chaos.faults import KINDS_BY_PART, LANES, plan_faults, plan_one_of_each
from tests.chaos.promises import Journal, check_acknowledged, check_ratings, check_seen
from tests.chaos.witness import Witness
from tests.server.databases import run_statement

MATCH = MatchId("match")
JOURNAL: Journal = {
    MATCH: [Created("morris", "", (), None), Moved(0, "d6", None), Moved(1, "f4", None), Moved(0, "b4", None)]
}


def witness(*acknowledged: int, seen: tuple[int, ...] = (1, 2, 3, 4)) -> Witness:
    told = Witness(between_people={MATCH})
    for seq in acknowledged:
        told.acknowledge(MATCH, seq)
    told.seen[MATCH].append([MatchEvent(MATCH, seq, 0, JOURNAL[MATCH][seq - 1], None) for seq in seen])
    return told


@pytest.mark.parametrize(
    ("acknowledged", "seen", "is_right"),
    [
        ((2, 3, 4), (1, 2, 3, 4), True),
        ((2, 3), (1, 2, 3, 4), False),
        ((2, 3, 4, 5), (1, 2, 3, 4), False),
        ((1, 2, 3, 4), (1, 2, 3, 4), False),
        ((2, 3, 4), (1, 3, 4), False),
        ((2, 3, 4), (1, 2, 2, 3, 4), False),
        ((2, 3, 4), (1, 3, 2, 4), False),
    ],
    ids=["right", "played twice", "lost", "acknowledged without a ply", "not seen", "seen twice", "out of order"],
)
def test_lost_repeated_and_disordered_plies_are_detected(
    acknowledged: tuple[int, ...], seen: tuple[int, ...], is_right: bool
) -> None:
    with nullcontext() if is_right else pytest.raises(AssertionError):
        check_acknowledged(JOURNAL, witness(*acknowledged, seen=seen))
        check_seen(JOURNAL, witness(*acknowledged, seen=seen))


def test_an_answer_with_the_event_of_another_command_is_detected() -> None:
    with pytest.raises(AssertionError, match="two plies"):
        witness(2, 2)


@pytest.mark.parametrize(
    ("befores", "matches", "is_right"),
    [((25, 26), 2, True), ((25, 25), 2, False), ((25, 26), 3, False), ((25, 27), 2, False)],
    ids=["right", "two of one rating", "counted twice", "one lost"],
)
def test_concurrent_rating_changes_are_detected(
    tmp_path: Path, befores: tuple[int, ...], matches: int, is_right: bool
) -> None:
    url = f"sqlite:///{tmp_path / 'ratings.sqlite3'}"
    asyncio.run(migrate(url))
    for number, before in enumerate(befores):
        run_statement(
            url,
            "INSERT INTO rating_history (match, seat, identity, game, seats, speed, rank, plies, at_ms, "
            "mu_before, sigma_before, mu_after, sigma_after) "
            f"VALUES ('{number}', 0, 'ann', 'morris', 2, 'rapid', 1, 9, 0, {before}, 1, {before + 1}, 1)",
        )
    run_statement(url, f"INSERT INTO ratings VALUES ('ann', 'morris', 2, 'rapid', {befores[-1] + 1}, 1, {matches}, 0)")
    counted: Journal = {MatchId(str(number)): [Rated((RatingChange(0, 1), None))] for number in range(len(befores))}
    with nullcontext() if is_right else pytest.raises(AssertionError):
        asyncio.run(check_ratings(url, counted))


def test_the_seed_determines_the_faults() -> None:
    for lane in LANES:
        planned = list(islice(plan_faults(3, lane), 50))
        assert planned == list(islice(plan_faults(3, lane), 50)) != list(islice(plan_faults(4, lane), 50))
        assert {fault.part for fault in planned} == set(lane)


def test_the_short_plan_has_every_kind_of_fault() -> None:
    planned = [fault for lane in LANES for fault in plan_one_of_each(3, lane)]
    kinds = {f"{part} {kind}" for part, kinds in KINDS_BY_PART.items() for kind in kinds} | {"nodes killed"}
    assert sorted(fault.name for fault in planned) == sorted(kinds)
