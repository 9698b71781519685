"""The ratings that two nodes hold in memory."""

from millrace.protocol import IdentityId, RatingKind, Speed
from millrace.server.ratings.rating import Rating
from millrace.server.ratings.rating_store import StoredRating
from millrace.server.ratings.ratings import Ratings, RatingsChanged
from tests.server.cluster.loopback import LoopbackNetwork
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import register_all
from tests.server.ratings.rated_play import play, rated
from tests.server.web.two_players import create

ANN = IdentityId("ann")
KIND = RatingKind("morris", 2, Speed.BLITZ)


class NoRatings:
    """A store without ratings."""

    async def stored_since(self, since_ms: int, after: StoredRating | None, most: int) -> tuple[()]:
        return ()


async def test_the_rating_after_more_matches_wins_in_any_order_of_arrival() -> None:
    network = LoopbackNetwork()
    here, elsewhere = network.connect("here"), network.connect("elsewhere")
    ratings = Ratings(NoRatings(), here, lambda: 0)  # type: ignore[arg-type]  # what it asks of it
    for rating in (Rating(26.0, 7.0, 1), Rating(28.0, 6.0, 3), Rating(27.0, 6.5, 2)):
        elsewhere.publish(RatingsChanged(KIND, ((ANN, rating),)))
    await network.settle()
    assert ratings.find(ANN, KIND) == Rating(28.0, 6.0, 3)
    await ratings.load()
    assert ratings.find(ANN, KIND) == Rating(28.0, 6.0, 3)


async def test_a_match_that_ends_on_one_node_changes_the_ratings_on_the_other(cluster: Cluster) -> None:
    ann, ben = await register_all(cluster.first, "Annabel", "Benjamin")
    await play([ann, ben])
    points = [change["after"] for change in (await rated(ben))["changes"]]
    elsewhere = await cluster.second.visitor(ben.token)
    await elsewhere.say("watch", match=await create(elsewhere))
    assert (await elsewhere.hear_event("seated"))["event"]["rating"]["rating"] == points[1]
