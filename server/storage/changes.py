"""The steps by which moderation actions change what other stores keep: accounts, restrictions, chat, matches, ratings.

The log of actions is in `server.storage.moderation`.
"""

from sqlalchemy import Executable, and_, case, delete, insert, null, update

from millrace.protocol import MatchId, encode

from ..moderation.moderation_store import (
    FOREVER_MS,
    AddRestriction,
    Change,
    ClearBio,
    RemoveLine,
    RemoveRestriction,
    RenamePlayer,
    RestoredRating,
    SetRole,
    VoidMatch,
)
from ..players.accounts.restriction_store import RestrictionKind
from .accounts import DatabaseAccounts
from .database import Step
from .tables import (
    accounts,
    chat_lines,
    events,
    match_players,
    matches,
    profiles,
    rating_history,
    ratings,
    restrictions,
)


async def change_steps(change: Change, at_ms: int, accounts: DatabaseAccounts) -> list[Step]:  # noqa: PLR0911  # one return for each kind
    """Return the steps of a change. Raises: StorageError."""
    match change:
        case SetRole():
            return [_set_role(change)]
        case AddRestriction():
            return _add_restriction(change, accounts)
        case RemoveRestriction(identity, kind):
            return [Step(_remove_restriction(identity, kind), must_change=True)]
        case RenamePlayer():
            return await _rename(change, at_ms, accounts)
        case ClearBio(identity):
            has_bio = (profiles.c.identity == identity, profiles.c.bio.is_not(None))
            return [Step(update(profiles).where(*has_bio).values(bio=null()), must_change=True)]
        case RemoveLine(match, number):
            is_line = (chat_lines.c.match == match, chat_lines.c.number == number, chat_lines.c.text != "")
            return [Step(update(chat_lines).where(*is_line).values(text=""), must_change=True)]
        case VoidMatch():
            return _void(change)


def _set_role(change: SetRole) -> Step:
    had_role = accounts.c.role.is_(None) if change.before is None else accounts.c.role == change.before.value
    giving = update(accounts).where(accounts.c.id == change.identity, had_role)
    return Step(giving.values(role=None if change.after is None else change.after.value), must_change=True)


def _add_restriction(change: AddRestriction, accounts: DatabaseAccounts) -> list[Step]:
    restriction = change.restriction
    row = {
        "identity": change.identity,
        "kind": change.kind.value,
        "reason": restriction.reason,
        "until_ms": restriction.until_ms,
    }
    imposing = Step(insert(restrictions).values(row))
    if change.kind is RestrictionKind.MUTE:
        return [Step(_remove_restriction(change.identity, change.kind)), imposing]
    return [imposing, accounts.revoking_step(change.identity)]


def _remove_restriction(identity: str, kind: RestrictionKind) -> Executable:
    return delete(restrictions).where(restrictions.c.identity == identity, restrictions.c.kind == kind.value)


async def _rename(change: RenamePlayer, at_ms: int, store: DatabaseAccounts) -> list[Step]:
    player = change.player
    renaming = update(accounts).where(accounts.c.id == player.id, accounts.c.skeleton == change.before)
    lines = update(chat_lines).where(chat_lines.c.identity == player.id).values(name=player.name)
    steps = [Step(renaming.values(name=player.name, skeleton=change.skeleton), must_change=True)]
    if change.reserved is not None:
        nobody = {"id": change.reserved, "skeleton": change.before, "name": "", "password_hash": ""}
        steps.append(Step(insert(accounts).values(**nobody, created_ms=at_ms, deleted_ms=FOREVER_MS)))
    return [*steps, Step(lines), *await store.renaming_steps(player.id, player)]


def _void(change: VoidMatch) -> list[Step]:
    match, entry = change.match, change.entry
    event = {"match": match, "seq": change.seq, "at_ms": entry.at_ms, "seat": entry.seat}
    body = encode(entry.event).decode()
    return [
        Step(insert(events).values(**event, command_id=entry.command_id, body=body)),
        Step(delete(rating_history).where(rating_history.c.match == match)),
        *_forget_result(match),
        *(step for restored in change.restored for step in _restore(restored)),
    ]


def _forget_result(match: MatchId) -> list[Step]:
    """Return the steps by which neither the match nor a player in it has a result in the archive.

    The openings that count the match are due to be changed, unless they do not count it yet.
    """
    had_result = and_(match_players.c.match == match, match_players.c.result.is_not(None))
    is_counted = and_(matches.c.archived_ms.is_not(None), matches.c.result != "none", matches.c.openings_due == 0)
    openings_due = case((is_counted, -1), else_=0)
    return [
        Step(update(matches).where(matches.c.id == match).values(result="none", openings_due=openings_due)),
        Step(update(match_players).where(had_result).values(result="none", rank=null())),
    ]


def _restore(restored: RestoredRating) -> list[Step]:
    """Return the steps that set a rating and shift the player's later history."""
    made, current, after = restored
    kind, history = made.kind, rating_history.c
    is_rating = and_(
        ratings.c.identity == made.identity,
        ratings.c.game == kind.game,
        ratings.c.seats == kind.seats,
        ratings.c.speed == kind.speed.value,
    )
    is_current = and_(ratings.c.mu == current.mu, ratings.c.matches == current.matches)
    is_later = and_(
        history.identity == made.identity,
        history.game == kind.game,
        history.seats == kind.seats,
        history.speed == kind.speed.value,
        history.at_ms > made.at_ms,
    )
    shift = made.before.mu - made.after.mu
    shifted = {"mu_before": history.mu_before + shift, "mu_after": history.mu_after + shift}
    return [
        Step(update(ratings).where(is_rating, is_current).values(after._asdict()), must_change=True),
        Step(update(rating_history).where(is_later).values(shifted)),
    ]
