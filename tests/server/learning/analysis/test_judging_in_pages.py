"""The page judges the moves of a match as the server does: both are given the same ones."""

import json
import random
import shutil
import subprocess

import msgspec
import pytest

from millrace.protocol import JudgedPly, Score, Variation
from millrace.server.learning.analysis.accuracy import accuracies, turning_point
from millrace.server.learning.analysis.judgement import judgement_of
from tests.project.repository import ROOT

PROGRAM = f"""
import {{ readFileSync }} from "node:fs";
import {{ accuracyOf, judgementOf, turningPoint }} from "{(ROOT / "client/web/engine/judging.js").as_uri()}";
const {{ losses, reviews }} = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify({{
  judgements: losses.map((loss) => judgementOf(loss, false)),
  reviews: reviews.map(([plies, ranks, seats]) => [
    Array.from({{ length: seats }}, (_, seat) => accuracyOf(plies, seat)),
    turningPoint(plies, ranks),
  ]),
}}));
"""
LOSSES = (0.0, 0.02, 0.049, 0.05, 0.07, 0.1, 0.12, 0.15, 0.3, 1.0)
RANKS = {2: ((1, 2), (2, 1), (1, 1), None), 3: ((1, 2, 3), (2, 3, 1), (1, 1, 3), None)}


def some_plies(chance: random.Random, seats: int) -> list[JudgedPly]:
    plies = []
    for ply in range(chance.randrange(30)):
        seat, loss = ply % seats, chance.choice(LOSSES)
        score = Score(0 if seats == 2 else seat, 0, None, round(chance.random(), 4))
        is_forced = chance.random() < 0.2
        plies.append(JudgedPly(seat, "a1", is_forced, Variation(score, ()), score, loss, judgement_of(loss), 9))
    return plies


@pytest.mark.usefixtures("processes")
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_losses_accuracies_and_turning_points_are_the_same() -> None:
    chance = random.Random(7)
    reviews = [(some_plies(chance, seats), chance.choice(RANKS[seats]), seats) for seats in (2, 3) for _ in range(50)]
    asked = msgspec.json.encode({"losses": LOSSES, "reviews": reviews})
    arguments = ["node", "--input-type=module", "--eval", PROGRAM]
    told = json.loads(subprocess.run(arguments, check=True, capture_output=True, input=asked).stdout)
    assert told["judgements"] == [judgement_of(loss).value for loss in LOSSES]
    for (plies, ranks, seats), (own, turning) in zip(reviews, told["reviews"], strict=True):
        assert own == pytest.approx(accuracies(plies, seats), abs=0.11)
        assert turning == turning_point(plies, ranks, seats)
