"""Removing the texts that the importer of a match wrote."""

from collections.abc import Sequence

from msgspec.structs import replace
from sqlalchemy import update

from millrace.protocol import Annotated, Ended, Event, MatchId, Seated, encode

from ..storage.database import Step
from .entries import Recorded
from .tables import events

CLEARED_EXPLANATION = "moderators have removed the explanation"
"""Explains the end of an imported match whose texts were removed."""


def import_clearing_steps(match: MatchId, recorded: Sequence[Recorded]) -> list[Step]:
    """Return the steps that replace the names in an imported match, and delete its comments; none if there are none."""
    steps = []
    for seq, entry in recorded:
        event = _cleared(entry.event)
        if event != entry.event:
            is_event = (events.c.match == match, events.c.seq == seq)
            steps.append(Step(update(events).where(*is_event).values(body=encode(event).decode())))
    return steps


def _cleared(event: Event) -> Event:
    """Return an event of an imported match without texts that its importer wrote."""
    match event:
        case Seated(seat=seat, player=player):
            return replace(event, player=replace(player, name=f"Player {seat + 1}"))
        case Annotated():
            return replace(event, comment="", variations=())
        case Ended():
            return replace(event, explanation=CLEARED_EXPLANATION)
        case _:
            return event
