"""Stored reviews in every database."""

from millrace.protocol import JudgedPly, Judgement, MatchId, Score, Variation
from millrace.server.app.stores import Stores

MATCH = MatchId("m1")
PLY = JudgedPly(
    0,
    "d6",
    False,
    Variation(Score(0, 12, None, 0.52), ("f4", "d6")),
    Score(0, None, -4, 0.0),
    0.52,
    Judgement.BLUNDER,
    9,
)


async def test_a_stored_review_is_found(stores: Stores) -> None:
    assert await stores.analyses.find(MATCH, "1") is None
    await stores.analyses.keep(MATCH, "1", (PLY, PLY), 5)
    assert await stores.analyses.find(MATCH, "1") == (PLY, PLY)
    assert await stores.analyses.reviewed([MATCH, MatchId("m2")]) == [MATCH]


async def test_a_review_by_another_engine_version_replaces_the_old_one(stores: Stores) -> None:
    await stores.analyses.keep(MATCH, "1", (PLY,), 5)
    assert await stores.analyses.find(MATCH, "2") is None
    await stores.analyses.keep(MATCH, "2", (), 6)
    assert await stores.analyses.find(MATCH, "2") == ()
    assert await stores.analyses.find(MATCH, "1") is None
