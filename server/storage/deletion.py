"""What the deletion of an account does to everything that is stored about its owner, in one transaction.

The account itself, its seats and its ratings are in `server.storage.accounts`.
"""

from sqlalchemy import Text, cast, delete, null, or_, update

from millrace.protocol import IdentityId, Player

from .database import Step
from .tables import (
    blocks,
    chat_lines,
    email_addresses,
    follows,
    mutes,
    notifications,
    pairings,
    profiles,
    push_subscriptions,
    puzzle_attempts,
    puzzle_solvers,
    reports,
    restrictions,
    searches,
    studies,
)


def forgetting_steps(identity: IdentityId, replacement: Player) -> list[Step]:
    """Return the steps that delete what a player has, and put `replacement` into what others have of the player.

    The log of moderation is kept.
    """
    is_about = or_(notifications.c.identity == identity, notifications.c.player == identity)
    return [
        Step(delete(profiles).where(profiles.c.identity == identity)),
        Step(delete(email_addresses).where(email_addresses.c.identity == identity)),
        Step(delete(follows).where(or_(follows.c.by == identity, follows.c.whom == identity))),
        Step(delete(blocks).where(or_(blocks.c.by == identity, blocks.c.whom == identity))),
        Step(delete(mutes).where(or_(mutes.c.by == identity, mutes.c.whom == identity))),
        Step(delete(notifications).where(is_about)),
        Step(delete(restrictions).where(restrictions.c.identity == identity)),
        Step(delete(pairings).where(pairings.c.identity == identity)),
        Step(delete(searches).where(searches.c.identity == identity)),
        Step(delete(push_subscriptions).where(push_subscriptions.c.identity == identity)),
        Step(delete(puzzle_solvers).where(puzzle_solvers.c.identity == identity)),
        Step(delete(studies).where(studies.c.identity == identity)),
        Step(delete(puzzle_attempts).where(puzzle_attempts.c.identity == identity)),
        _disowning_of_lines(identity, replacement),
        *_forgetting_in_reports(identity, replacement),
    ]


def _disowning_of_lines(identity: IdentityId, replacement: Player) -> Step:
    # All deleted players become the same `replacement`, whose commands must differ all the same.
    place = chat_lines.c.match + "/" + cast(chat_lines.c.number, Text)
    disowning = update(chat_lines).where(chat_lines.c.identity == identity)
    return Step(
        disowning.values(
            identity=replacement.id,
            name=replacement.name,
            registered=replacement.registered,
            bot=replacement.bot,
            command_id=place,
        )
    )


def _forgetting_in_reports(identity: IdentityId, replacement: Player) -> list[Step]:
    by, about = (update(reports).where(column == identity) for column in (reports.c.reporter, reports.c.player))
    freeing = update(reports).where(reports.c.outcome.is_(None), reports.c.taken_by == identity)
    return [
        Step(by.values(reporter=replacement.id, reporter_name=replacement.name)),
        Step(about.values(player=replacement.id, player_name=replacement.name)),
        Step(freeing.values(taken_by=null())),
    ]
