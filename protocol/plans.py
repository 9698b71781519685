"""Plans: a player's conditional moves in a correspondence match, which the server plays."""

from typing import Annotated, TypeAlias

import msgspec

from .fields import CommandId, CommandIdField, CountField, MatchId, MatchIdField, Message, MoveTextField, SeatField

PlannedLine: TypeAlias = tuple[MoveTextField, ...]
"""Moves of all seats in turn from a position on, ending with one of the planner's."""


class SetPlan(Message, frozen=True):
    """Plan replies to the opponents' possible moves, replacing an earlier plan; answered by `Plan`.

    Only the player of the seat ever sees the plan. No lines: delete it.
    """

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    ply: CountField
    """The number of plies made so far; if there are more, nothing is planned."""
    lines: Annotated[tuple[PlannedLine, ...], msgspec.Meta(max_length=256)] = ()
    """Lines that begin alike branch where an opponent moves differently: they form a tree."""


class GetPlan(Message, frozen=True):
    """Get the rest of your plan; answered by `Plan`."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class Plan(Message, frozen=True):
    """Answers `SetPlan` and `GetPlan`."""

    id: CommandId
    match: MatchId
    seat: int
    ply: int
    """The number of plies made, after which the lines begin."""
    lines: tuple[tuple[str, ...], ...]
    """The rest of the lines; empty if there is no plan, or the match has left it."""


PlanCommand: TypeAlias = SetPlan | GetPlan
