"""Planned moves in matches by correspondence: players' plans are kept, and the replies that are due are found.

What is left of a plan is decided in `server.matches.plans`, from the stored plan and the match's events. So nothing is
lost when the server is killed between an opponent's move and the planned reply: it is looked for again when the room is
loaded.
"""

from millrace.protocol import Code, GetPlan, Plan, Player, SetPlan
from millrace.protocol.refusal import Refusal

from ..journal.unavailable import refusing_failures
from ..matches.match import Match
from ..matches.plans import StoredPlan, plan_moves, planned_reply, rest_of_plan
from ..matches.referee import Decision
from .bot_moves import Decide
from .room import Room


async def store_plan(room: Room, command: SetPlan, player: Player) -> Plan:
    """Store a player's plan, or delete it, and return it. Raises: Refusal."""
    _require_seat(room, command.seat, player)
    plan, plans = plan_moves(room.log.match, command), room.services.plans
    with refusing_failures("plan not stored", match=room.id):
        if plan.lines:
            await plans.put(room.id, command.seat, plan)
        else:
            await plans.remove(room.id, command.seat)
    return _answer(room, command, plan)


async def read_plan(room: Room, command: GetPlan, player: Player) -> Plan:
    """Return what is left of a player's plan. Raises: Refusal."""
    _require_seat(room, command.seat, player)
    with refusing_failures("plan not read", "look this up", match=room.id):
        plan = await room.services.plans.find(room.id, command.seat)
    return _answer(room, command, plan)


async def find_reply(room: Room) -> Decide | None:
    """Return what decides the ply that the seat to move has planned; None if there is none. Raises: StorageError."""
    seat = room.log.match.to_move
    plan = None if seat is None else await room.services.plans.find(room.id, seat)
    if seat is None or plan is None or not planned_reply(room.log.match, seat, plan, 0).events:
        return None

    def decide_reply(match: Match, now_ms: int) -> Decision:
        return planned_reply(match, seat, plan, now_ms)

    return decide_reply


async def delete_plans(room: Room) -> None:
    """Delete the plans of a match that is over. Raises: StorageError."""
    await room.services.plans.remove(room.id)


def _answer(room: Room, command: SetPlan | GetPlan, plan: StoredPlan | None) -> Plan:
    match = room.log.match
    rest = () if plan is None else rest_of_plan(match, command.seat, plan)
    return Plan(command.id, match.id, command.seat, match.state.ply, rest)


def _require_seat(room: Room, seat: int, player: Player) -> None:
    if not room.log.match.is_held_by(seat, player.id):
        raise Refusal(Code.NOT_YOUR_SEAT, "That seat is not yours.")
