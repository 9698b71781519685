"""Puzzle attempts in every database."""

from millrace.protocol import IdentityId, Player, PuzzleMode
from millrace.server.app.stores import Stores
from millrace.server.learning.puzzles.puzzle_store import FirstAttempt, Solver
from millrace.server.ratings.rating import Rating
from tests.server.players.profiles.stored_accounts import make_account

ANN, BEN = IdentityId("ann"), IdentityId("ben")
AFTER = Solver(Rating(26.0, 7.0, 1), 1, 1, 0, 0)
PUZZLE = Rating(24.0, 3.9, 1)


def attempt(identity: IdentityId, puzzle: str, before: Solver, after: Solver, at_ms: int = 1) -> FirstAttempt:
    return FirstAttempt(identity, "morris", puzzle, PuzzleMode.RATED, True, at_ms, before, after, None, PUZZLE)


async def test_a_first_attempt_is_stored_with_both_ratings(stores: Stores) -> None:
    puzzles = stores.puzzles
    assert await puzzles.solver(ANN, "morris") == Solver()
    assert await puzzles.add(attempt(ANN, "p1", Solver(), AFTER))
    assert await puzzles.solver(ANN, "morris") == AFTER
    assert await puzzles.solver(ANN, "mingmang") == Solver()
    assert await puzzles.ratings_of("morris") == {"p1": PUZZLE}
    assert await puzzles.tried(ANN, "morris") == {"p1"}
    (kept,) = await puzzles.history(ANN, "morris", 10)
    assert (kept.puzzle, kept.solved, kept.rating) == ("p1", True, AFTER.rating.points)


async def test_only_the_first_attempt_is_stored(stores: Stores) -> None:
    puzzles = stores.puzzles
    assert await puzzles.add(attempt(ANN, "p1", Solver(), AFTER))
    assert not await puzzles.add(attempt(ANN, "p1", AFTER, AFTER._replace(attempts=2)))
    assert await puzzles.solver(ANN, "morris") == AFTER


async def test_a_rating_that_has_changed_meanwhile_is_not_overwritten(stores: Stores) -> None:
    puzzles = stores.puzzles
    assert await puzzles.add(attempt(ANN, "p1", Solver(), AFTER))
    # Ben read the puzzle's rating before Ann's attempt was stored.
    assert not await puzzles.add(attempt(BEN, "p1", Solver(), AFTER))
    assert await puzzles.tried(BEN, "morris") == frozenset()
    again = attempt(BEN, "p1", Solver(), AFTER)._replace(puzzle_before=PUZZLE, puzzle_after=Rating(23.0, 3.8, 2))
    assert await puzzles.add(again)
    assert await puzzles.ratings_of("morris") == {"p1": Rating(23.0, 3.8, 2)}


async def test_the_latest_attempts_come_first(stores: Stores) -> None:
    puzzles = stores.puzzles
    before = Solver()
    for number in (1, 2, 3):
        after = AFTER._replace(attempts=number)
        assert await puzzles.add(attempt(ANN, f"p{number}", before, after, at_ms=number))
        before = after
    assert [each.puzzle for each in await puzzles.history(ANN, "morris", 2)] == ["p3", "p2"]


async def test_a_deleted_account_leaves_the_rating_of_its_puzzles_only(stores: Stores) -> None:
    ann = await make_account(stores, "ann")
    assert await stores.puzzles.add(attempt(ann, "p1", Solver(), AFTER))
    await stores.accounts.delete(ann, Player(IdentityId("nobody"), "Deleted player"), IdentityId("scrubbed"), 5)
    assert await stores.puzzles.solver(ann, "morris") == Solver()
    assert await stores.puzzles.history(ann, "morris", 5) == []
    assert await stores.puzzles.ratings_of("morris") == {"p1": PUZZLE}
