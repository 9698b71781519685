"""The handler of messages about plans: the conditional moves of players in matches by correspondence."""

from millrace.protocol import GetPlan, Plan, SetPlan

from ..callers.caller import Caller
from ..callers.feature import Feature, Route
from .automation import look_for_planned_move
from .planned_moves import read_plan, store_plan
from .rooms import Rooms

PLANNING_COST = 5
"""Messages that setting a plan counts for: every move of it is checked by the rules."""


class PlanHandler(Feature):
    """Stores plans, and shows each to the player who made it."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self.routes = (Route(SetPlan, self.set_plan, cost=PLANNING_COST), Route(GetPlan, self.get_plan))

    async def set_plan(self, command: SetPlan, caller: Caller) -> Plan:
        """Store the caller's plan. Raises: Refusal."""
        room = await self._rooms.find(command.match)
        plan = await store_plan(room, command, caller.player)
        # An opponent may have moved while the plan was being stored.
        room.planned_at_seq = None
        look_for_planned_move(room)
        return plan

    async def get_plan(self, command: GetPlan, caller: Caller) -> Plan:
        """Return what is left of the caller's plan. Raises: Refusal."""
        room = await self._rooms.find(command.match)
        return await read_plan(room, command, caller.player)
