"""Which of their mistakes players have solved or missed, and when. The mistakes themselves are in the reviews."""

from typing import NamedTuple

from sqlalchemy import BigInteger, Boolean, Integer, Text, delete, select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import IdentityId, MatchId, Player

from ...journal.seats_store import seats_of
from ...storage.database import Step, Store
from ...storage.tables import define_table, required
from ..analysis.analysis_store import match_analyses
from .mistakes import Attempt, Place

mistakes = define_table(
    "mistakes",
    ["identity", "match", "ply"],
    *required(Text, "identity", "match"),
    *required(Integer, "ply"),
    *required(Boolean, "solved"),
    *required(BigInteger, "at_ms"),
)


class ReviewedMatch(NamedTuple):
    """A player's match that has been reviewed, and its review as it is stored."""

    match: MatchId
    seat: int
    body: str


class MistakeStore(Store):
    """What is stored about mistakes. Every method raises StorageError."""

    async def reviewed(self, identity: IdentityId, game: str, most: int) -> list[ReviewedMatch]:
        """Return a player's latest reviewed matches of a game, the latest first."""
        own, reviews = seats_of(identity).c, match_analyses.c
        found = (
            select(own.match, own.seat, reviews.body)
            .join(match_analyses, reviews.match == own.match)
            .where(own.game == game, own.archived_ms.is_not(None))
            .order_by(own.archived_ms.desc(), own.match.desc())
            .limit(most)
        )
        return await self._database.records(ReviewedMatch, found)

    async def attempts(self, identity: IdentityId) -> dict[Place, Attempt]:
        """Return a player's attempts."""
        columns = mistakes.c
        found = select(columns.match, columns.ply, columns.solved, columns.at_ms).where(columns.identity == identity)
        return dict(await self._database.pairs(Place, Attempt, found))

    async def put(self, identity: IdentityId, place: Place, attempt: Attempt, *further: Step) -> bool:
        """Store an attempt, and further steps, in one transaction; return False, with nothing stored, if one fails."""
        values = attempt._asdict()
        storing = insert(mistakes).values(identity=identity, **place._asdict(), **values)
        replacing = storing.on_conflict_do_update(index_elements=["identity", "match", "ply"], set_=values)
        return await self._database.transact([Step(replacing), *further])


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete a player's attempts."""
    return [Step(delete(mistakes).where(mistakes.c.identity == identity))]
