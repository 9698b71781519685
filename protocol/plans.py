"""Plans: conditional moves of a player in a match by correspondence, which the server plays for them."""

from typing import Annotated, TypeAlias

import msgspec

from .fields import CommandId, CommandIdField, CountField, MatchId, MatchIdField, Message, MoveTextField, SeatField

PlannedLine: TypeAlias = tuple[MoveTextField, ...]
"""Moves of all seats in turn from a position on, of which the last is the planner's own."""


class SetPlan(Message, frozen=True):
    """Plan replies to what the opponents may do, in place of an earlier plan; answered by `Plan`.

    Only the player of the seat ever sees the plan. No lines: delete it.
    """

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    ply: CountField
    """The number of plies that have been made; if there are more by now, nothing is planned."""
    lines: Annotated[tuple[PlannedLine, ...], msgspec.Meta(max_length=256)] = ()
    """Lines that begin alike branch where an opponent moves differently: they form a tree."""


class GetPlan(Message, frozen=True):
    """Get what is left of your plan; answered by `Plan`."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class Plan(Message, frozen=True):
    """Answers `SetPlan` and `GetPlan`."""

    id: CommandId
    match: MatchId
    seat: int
    ply: int
    """The number of plies after which the lines begin: those that have been made."""
    lines: tuple[tuple[str, ...], ...]
    """What is left of the lines; empty if there is no plan, or the match has left it."""


PlanCommand: TypeAlias = SetPlan | GetPlan
