"""Planned moves in one match by correspondence: keeps the plans of its players, and plays the replies that are due.

What is left of a plan is decided in `server.matches.plans`, from the stored plan and the match's events. So nothing is
lost when the server is killed between an opponent's move and the planned reply: the room looks again when it is loaded.
"""

from millrace.protocol import Code, GetPlan, Plan, Player, SetPlan
from millrace.protocol.refusal import Refusal

from ..journal.unavailable import refusing_failures
from ..matches.match import Match, Phase
from ..matches.plans import StoredPlan, is_by_correspondence, plan_moves, planned_reply, rest_of_plan
from ..matches.referee import Decision
from .background_tasks import ApplyDecision, BackgroundTasks
from .event_log import EventLog
from .plan_store import PlanStore


class PlannedMoves:
    """The plans of one match."""

    def __init__(self, store: PlanStore, log: EventLog, tasks: BackgroundTasks, apply: ApplyDecision) -> None:
        self._store = store
        self._log = log
        self._tasks = tasks
        self._apply = apply
        self._looked_at: int | None = None
        """The latest event after which a reply was looked for."""

    async def set(self, command: SetPlan, player: Player) -> Plan:
        """Store a player's plan, or delete it, and return it. Raises: Refusal."""
        self._require_seat(command.seat, player)
        match = self._log.match
        plan = plan_moves(match, command)
        with refusing_failures("plan not stored", match=match.id):
            if plan.lines:
                await self._store.put(match.id, command.seat, plan)
            else:
                await self._store.remove(match.id, command.seat)
        # An opponent may have moved while the plan was being stored.
        self._looked_at = None
        self.update()
        return self._answer(command, plan)

    async def get(self, command: GetPlan, player: Player) -> Plan:
        """Return what is left of a player's plan. Raises: Refusal."""
        self._require_seat(command.seat, player)
        with refusing_failures("plan not read", "look this up", match=self._log.match.id):
            plan = await self._store.find(self._log.match.id, command.seat)
        return self._answer(command, plan)

    def update(self) -> None:
        """Play a reply that is due, and delete the plans of a match that is over."""
        match = self._log.match
        if not is_by_correspondence(match) or self._looked_at == match.seq:
            return
        if match.phase is Phase.OVER and self._looked_at is not None:
            self._tasks.begin(self._remove_all)
        elif match.mover is not None and match.mover.level is None:
            self._tasks.begin(self._play)
        self._looked_at = match.seq

    async def _play(self) -> None:
        """Make the ply that the seat to move has planned, if there is one. Raises: Refusal, StorageError."""
        seat = self._log.match.to_move
        plan = None if seat is None else await self._store.find(self._log.match.id, seat)
        if seat is None or plan is None or not planned_reply(self._log.match, seat, plan, 0).events:
            return

        def decide_reply(match: Match, now_ms: int) -> Decision:
            return planned_reply(match, seat, plan, now_ms)

        await self._apply(decide_reply)

    async def _remove_all(self) -> None:
        """Delete the plans of a match that is over. Raises: StorageError."""
        await self._store.remove(self._log.match.id)

    def _answer(self, command: SetPlan | GetPlan, plan: StoredPlan | None) -> Plan:
        match = self._log.match
        rest = () if plan is None else rest_of_plan(match, command.seat, plan)
        return Plan(command.id, match.id, command.seat, match.state.ply, rest)

    def _require_seat(self, seat: int, player: Player) -> None:
        if seat not in self._log.match.seats_of(player.id):
            raise Refusal(Code.NOT_YOUR_SEAT, "That seat is not yours.")
