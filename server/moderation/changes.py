"""What moderation actions change besides the log, and the steps that store each change.

The statements are those of the features that own what is changed.
"""

from typing import NamedTuple, TypeAlias

from millrace.protocol import IdentityId, MatchId, Player, Role

from ..callers.restriction_store import Restriction, RestrictionKind, imposing_steps, lifting_step
from ..chat.chat_store import line_removing_step, naming_step
from ..journal.entries import Entry
from ..journal.journal_store import renaming_steps, voiding_steps
from ..players.accounts.account_store import name_step, reserving_step, revoking_step, role_step
from ..players.profiles.profile_store import bio_clearing_step
from ..ratings.rating import Rating
from ..ratings.rating_store import StoredChange, restoring_steps, reverting_step
from ..storage.database import Database, Step

FOREVER_MS = 253_402_300_799_000
"""The end of the year 9999. Removed names stay reserved at least until then."""


class SetRole(NamedTuple):
    """A player gets or loses a role."""

    identity: IdentityId
    before: Role | None
    after: Role | None


class AddRestriction(NamedTuple):
    """A player is muted or banned. A mute replaces an earlier one."""

    identity: IdentityId
    kind: RestrictionKind
    restriction: Restriction


class RemoveRestriction(NamedTuple):
    """A restriction is lifted."""

    identity: IdentityId
    kind: RestrictionKind


class RenamePlayer(NamedTuple):
    """An account gets another name."""

    player: Player
    """The player with the new name."""
    skeleton: str
    before: str
    """The skeleton of the old name."""
    reserved: IdentityId | None
    """The identity that keeps the old name reserved. None if others may take it."""


class ClearBio(NamedTuple):
    """The text on a player's profile is deleted."""

    identity: IdentityId


class RemoveLine(NamedTuple):
    """The text of a chat line is deleted."""

    match: MatchId
    number: int


class VoidMatch(NamedTuple):
    """A match gets an event that voids it, and its rating changes are reverted."""

    match: MatchId
    seq: int
    """The number of the event."""
    entry: Entry
    restored: tuple["RestoredRating", ...]


class RestoredRating(NamedTuple):
    """The rating of a player without the change that a match made to it."""

    change: StoredChange
    current: Rating
    """The rating that must be stored now; otherwise nothing is changed."""
    after: Rating


Change: TypeAlias = SetRole | AddRestriction | RemoveRestriction | RenamePlayer | ClearBio | RemoveLine | VoidMatch


async def change_steps(database: Database, change: Change, at_ms: int) -> list[Step]:  # noqa: PLR0911  # one return for each kind
    """Return the steps of a change. Raises: StorageError."""
    match change:
        case SetRole(identity, before, after):
            return [role_step(identity, before, after)]
        case AddRestriction(identity, kind, restriction):
            steps = imposing_steps(identity, kind, restriction)
            return [*steps, revoking_step(identity)] if kind is RestrictionKind.BAN else steps
        case RemoveRestriction(identity, kind):
            return [lifting_step(identity, kind)]
        case RenamePlayer():
            return await _rename(database, change, at_ms)
        case ClearBio(identity):
            return [bio_clearing_step(identity)]
        case RemoveLine(match, number):
            return [line_removing_step(match, number)]
        case VoidMatch(match, seq, entry, restored):
            restoring = (step for rating in restored for step in restoring_steps(*rating))
            return [*voiding_steps(match, seq, entry), reverting_step(match), *restoring]


async def _rename(database: Database, change: RenamePlayer, at_ms: int) -> list[Step]:
    player = change.player
    steps = [name_step(player, change.skeleton, change.before)]
    if change.reserved is not None:
        steps.append(reserving_step(change.before, change.reserved, at_ms, FOREVER_MS))
    return [*steps, naming_step(player), *await renaming_steps(database, player.id, player)]
