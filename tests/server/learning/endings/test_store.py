"""Endings in every database."""

from millrace.protocol import EndingGoal, IdentityId, Player
from millrace.server.app.stores import Stores
from millrace.server.learning.endings.ending_store import GradeChange, Training
from millrace.server.learning.endings.training import Ending, Trainee
from millrace.server.ratings.rating import Rating
from tests.server.players.profiles.stored_accounts import make_account

ANN, BEN = IdentityId("ann"), IdentityId("ben")
ENDING = Ending("x", EndingGoal.WIN, 3, 0.8, "a1-a4 d6-d7", True, False)
AFTER = Training(Trainee(Rating(26.0, 7.0, 1), 1, 1), ENDING)
GRADE = Rating(24.0, 3.9, 1)


async def test_an_ending_is_stored_with_both_ratings(stores: Stores) -> None:
    endings = stores.endings
    assert await endings.training(ANN, "morris") == Training()
    assert await endings.put(ANN, "morris", Training(), AFTER, GradeChange(ENDING.grade, None, GRADE))
    assert await endings.training(ANN, "morris") == AFTER._replace(version=1)
    assert await endings.training(ANN, "mingmang") == Training()
    assert await endings.ratings_of("morris") == {ENDING.grade: GRADE}


async def test_what_has_changed_meanwhile_is_not_overwritten(stores: Stores) -> None:
    endings = stores.endings
    assert await endings.put(ANN, "morris", Training(), AFTER, GradeChange(ENDING.grade, None, GRADE))
    assert not await endings.put(ANN, "morris", Training(), Training(Trainee(), ENDING), None)
    # Ben read the grade's rating before Ann's result was stored.
    assert not await endings.put(BEN, "morris", Training(), AFTER, GradeChange(ENDING.grade, None, GRADE))
    assert await endings.training(BEN, "morris") == Training()
    lower = Rating(23.0, 3.8, 2)
    assert await endings.put(BEN, "morris", Training(), AFTER, GradeChange(ENDING.grade, GRADE, lower))
    assert await endings.ratings_of("morris") == {ENDING.grade: lower}


async def test_a_deleted_account_leaves_the_ratings_of_grades_only(stores: Stores) -> None:
    ann = await make_account(stores, "ann")
    assert await stores.endings.put(ann, "morris", Training(), AFTER, GradeChange(ENDING.grade, None, GRADE))
    await stores.accounts.delete(ann, Player(IdentityId("nobody"), "Deleted player"), IdentityId("scrubbed"), 5)
    assert await stores.endings.training(ann, "morris") == Training()
    assert await stores.endings.ratings_of("morris") == {ENDING.grade: GRADE}
