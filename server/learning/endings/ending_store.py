"""Stored endings: each player's present one and results, and how hard the grades are."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Boolean, Double, Integer, Text, delete, select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import EndingGoal, IdentityId, Player

from ...ratings.rating import Rating
from ...storage.database import Step, Store
from ...storage.tables import define_table, required
from .training import Ending, Trainee

trainees = define_table(
    "ending_trainees",
    ["identity", "game"],
    *required(Text, "identity", "game"),
    *required(Double, "mu", "sigma"),
    *required(Integer, "matches", "attempts", "solved", "version"),
    *required(Text, "position", "goal"),
    *required(Integer, "length"),
    *required(Double, "mistakes"),
    *required(Text, "moves"),
    *required(Boolean, "is_counted", "is_over"),
)
"""Each player's results with the endings of a game, and the present ending. `version` counts the changes."""

grades = define_table(
    "ending_grades",
    ["game", "grade"],
    *required(Text, "game", "grade"),
    *required(Double, "mu", "sigma"),
    *required(Integer, "matches"),
)
"""How hard the grades are that have been played."""


class _Stored(NamedTuple):
    mu: float
    sigma: float
    matches: int
    attempts: int
    solved: int
    version: int
    position: str
    goal: EndingGoal
    length: int
    mistakes: float
    moves: str
    is_counted: bool
    is_over: bool


class _Grade(NamedTuple):
    name: str


class Training(NamedTuple):
    """A player's stored results in a game and present ending."""

    trainee: Trainee = Trainee()
    ending: Ending | None = None
    version: int = 0


class GradeChange(NamedTuple):
    """A grade's rating before and after; nothing is stored if another has changed it meanwhile."""

    grade: str
    before: Rating | None
    after: Rating


class EndingStore(Store):
    """What is stored about endings. Every method raises StorageError."""

    async def training(self, identity: IdentityId, game: str) -> Training:
        """Return a player's results and present ending."""
        columns = trainees.c
        found = select(*(columns[name] for name in _Stored._fields))
        own = found.where(columns.identity == identity, columns.game == game)
        stored = await self._database.record(_Stored, own)
        if stored is None:
            return Training()
        trainee = Trainee(Rating(*stored[:3]), stored.attempts, stored.solved)
        return Training(trainee, Ending(*stored[6:]), stored.version)

    async def ratings_of(self, game: str) -> Mapping[str, Rating]:
        """Return the ratings of the grades of a game that have been played."""
        columns = grades.c
        found = select(columns.grade, *(columns[name] for name in Rating._fields)).where(columns.game == game)
        return {grade.name: rating for grade, rating in await self._database.pairs(_Grade, Rating, found)}

    async def put(
        self,
        identity: IdentityId,
        game: str,
        before: Training,
        after: Training,
        change: GradeChange | None,
        *further: Step,
    ) -> bool:
        """Store a player's results and ending, the rating of its grade, and further steps, in one transaction.

        Returns False, with nothing stored, if something of it has changed since it was read, or if a step fails.
        """
        assert after.ending is not None
        values = {
            **after.trainee.rating._asdict(),
            "attempts": after.trainee.attempts,
            "solved": after.trainee.solved,
            "version": before.version + 1,
            **after.ending._asdict(),
            "goal": after.ending.goal.value,
        }
        storing = insert(trainees).values(identity=identity, game=game, **values)
        replacing = storing.on_conflict_do_update(
            index_elements=["identity", "game"], set_=values, where=trainees.c.version == before.version
        )
        steps = [Step(replacing, must_change=True)]
        if change is not None:
            known = 0 if change.before is None else change.before.matches
            rating = change.after._asdict()
            rated = insert(grades).values(game=game, grade=change.grade, **rating)
            replacing = rated.on_conflict_do_update(
                index_elements=["game", "grade"], set_=rating, where=grades.c.matches == known
            )
            steps.append(Step(replacing, must_change=True))
        return await self._database.transact([*steps, *further])


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete a player's endings and results."""
    return [Step(delete(trainees).where(trainees.c.identity == identity))]
