"""A match whose review is requested on two nodes is reviewed on one of them."""

import pytest

from millrace.server.learning.analysis import match_review
from tests.server.in_process_server import Visitor
from tests.server.learning.analysis.finished_matches import play_out
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import ask

MOVES = ("d6", "f4", "e3", "b4")


async def begin(cluster: Cluster) -> tuple[Visitor, Visitor, str]:
    """Return a visitor of each node and a match that is over; nothing is found for now."""
    ann, ben = await cluster.first.visitor(), await cluster.second.visitor()
    match = await play_out(ann, MOVES)
    for node in cluster.nodes.values():
        node.bots.may_analyse.clear()
    return ann, ben, match


async def ask_for_review(visitor: Visitor, match: str) -> None:
    await visitor.say("analyse_match", id="m", match=match)
    await visitor.hear_until("match_progress")


async def ask_for_one_review(cluster: Cluster, ann: Visitor, ben: Visitor, match: str) -> None:
    """Let the first node begin a review, for which the second is asked too."""
    await ask_for_review(ann, match)
    await cluster.network.settle(0.1)
    await ask_for_review(ben, match)


async def test_one_node_reviews_and_callers_on_both_see_its_progress(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster)
    await ask_for_one_review(cluster, ann, ben, match)
    for node in cluster.nodes.values():
        node.bots.may_analyse.set()
    reviews = [await visitor.hear_until("match_analysed") for visitor in (ann, ben)]
    assert reviews[0] == reviews[1]
    assert len(cluster.first.bots.analyses) >= len(MOVES)
    assert cluster.second.bots.analyses == []


async def test_if_the_reviewing_node_dies_another_starts_again(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster)
    await ask_for_one_review(cluster, ann, ben, match)
    bots = cluster.second.bots
    bots.may_analyse.set()
    await cluster.network.settle(0.1)
    assert bots.analyses == []
    await cluster.stop("first")
    assert len((await ben.hear_until("match_analysed"))["plies"]) == len(MOVES)
    assert len(bots.analyses) >= len(MOVES)


async def test_of_two_nodes_that_started_at_once_one_continues(cluster: Cluster) -> None:
    ann, ben, match = await begin(cluster)
    cluster.cut()
    await ask_for_review(ann, match)
    await ask_for_review(ben, match)
    cluster.restore()
    await cluster.network.settle(0.1)
    first, second = cluster.first.bots, cluster.second.bots
    second.may_analyse.set()
    # The second node stops after the search that it had begun.
    await cluster.network.settle(0.1)
    first.may_analyse.set()
    reviews = [await visitor.hear_until("match_analysed") for visitor in (ann, ben)]
    assert reviews[0] == reviews[1]
    assert len(first.analyses) >= len(MOVES)
    assert len(second.analyses) == 1


async def test_a_review_arrives_even_if_its_end_was_not_announced(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_review, "LOOK_SECONDS", 0.05)
    ann, ben, match = await begin(cluster)
    await ask_for_one_review(cluster, ann, ben, match)
    cluster.cut()
    cluster.first.bots.may_analyse.set()
    await ann.hear_until("match_analysed")
    assert len((await ben.hear_until("match_analysed"))["plies"]) == len(MOVES)
    assert cluster.second.bots.analyses == []
    assert (await ask(ben, "analyse_match", match=match))["type"] == "match_analysed"
