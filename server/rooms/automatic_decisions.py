"""The decisions of one match that no player's command asks for: a flag falls, a bot moves, the clocks stand still.

Each waits for its turn, and the automatic events that are due come before it. What a player's command leads to is
`server.rooms.player_commands`.
"""

from collections.abc import Callable

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from ..journal.entries import Entry
from ..matches.match import Match
from ..matches.referee import Decision, decide_after_interruption, decide_due, decide_resume
from ..runtime.system_clock import NowMs
from ..runtime.turns import Turn
from .event_log import AddedEvents, EventLog
from .event_writer import EventWriter
from .match_lag import MatchLag
from .match_timer import MatchTimer

STANDSTILL_MS = 10_000
"""Time without a spectator after which it is stored that the clocks of bots stood still; a page reload is shorter."""


class AutomaticDecisions:
    """Decides, stores and publishes what happens in one match without a command."""

    def __init__(
        self,
        log: EventLog,
        turn: Turn,
        writer: EventWriter,
        timer: MatchTimer,
        lag: MatchLag,
        now_ms: NowMs,
        publish: Callable[[AddedEvents | None], None],
        start: Callable[[], None],
        is_suspended: Callable[[], bool],
    ) -> None:
        self._log = log
        self._turn = turn
        self._writer = writer
        self._timer = timer
        self._lag = lag
        self._now_ms = now_ms
        self._publish = publish
        self._start = start
        """Starts again what happens without a command, after a standstill."""
        self._is_suspended = is_suspended
        """Returns whether the match stands still because only bots play and nobody watches."""
        self.is_interrupted = False
        """Whether nothing can be stored at present."""
        self._interrupted_ms: int | None = None
        """Since when the clocks have stood still by an interruption that the match does not know of yet."""

    async def apply(self, decide: Callable[[Match, int], Decision]) -> None:
        """Decide something about the match as it stands, store it and send it to the audience. Raises: Refusal."""
        async with self._turn:
            await self.bring_up_to_date()
            now_ms = self._now_ms()
            await self._store(decide(self._log.match, now_ms), now_ms)

    async def store_due(self) -> None:
        """Store the automatic events that are due, and the end of an interruption. Raises: Refusal."""
        async with self._turn:
            await self.bring_up_to_date()

    async def bring_up_to_date(self) -> None:
        """Read what a failure has left open, and store the automatic events that are due. The caller must have the
        turn. Raises: Refusal.
        """
        if self.is_interrupted:
            raise interrupted()
        self._publish(await self._writer.catch_up())
        now_ms = self._now_ms()
        if self._interrupted_ms is not None:
            # The clocks of bots whom nobody watches stand still for longer.
            if not self._is_suspended():
                decision = Decision(decide_after_interruption(self._log.match, self._interrupted_ms, now_ms))
                await self._store(decision, now_ms)
            if self.is_interrupted:
                # Again, while this was being stored.
                self._interrupted_ms = now_ms
            else:
                self._interrupted_ms = None
                self._timer.release()
                self._start()
        if self._timer.is_due(now_ms):
            allowance_ms = self._lag.compensation.compensation_ms(self._log.match.to_move)
            await self._store(Decision(decide_due(self._log.match, now_ms, allowance_ms)), now_ms)

    def interrupt(self, since_ms: int) -> None:
        """Let the match stand still since a moment, because nothing can be stored."""
        self.is_interrupted = True
        if self._interrupted_ms is None:
            self._interrupted_ms = since_ms
        self._timer.hold()

    def end_interruption(self) -> None:
        """Let the match go on with the next `store_due`, at which a running clock gets a grace period."""
        self.is_interrupted = False

    async def resume(self, last_sign_of_life_ms: int) -> None:
        """Store that the server stood still until now: a running clock gets a grace period. Raises: Refusal."""
        async with self._turn:
            now_ms = self._now_ms()
            await self._store(Decision(decide_resume(self._log.match, last_sign_of_life_ms, now_ms)), now_ms)

    async def resume_bots(self) -> None:
        """Go on with a match of bots that stood still, clocks too, while nobody watched. Raises: Refusal."""
        async with self._turn:
            now_ms, since_ms = self._now_ms(), self._log.match.turn_at_ms
            if self._is_suspended() and now_ms - since_ms >= STANDSTILL_MS:
                await self._store(Decision(decide_resume(self._log.match, since_ms, now_ms)), now_ms)
        self._start()

    async def _store(self, decision: Decision, now_ms: int) -> None:
        """Store a decision's events; after a conflict, read what was stored instead. Raises: Refusal."""
        if decision.events:
            added = await self._writer.append([Entry(event, now_ms) for event in decision.events], decision.played)
            self._publish(added if added is not None else await self._writer.read_new())


def interrupted() -> Refusal:
    """Return the refusal of what cannot be stored during an interruption."""
    return Refusal(
        Code.UNAVAILABLE, "The server cannot store moves right now. The clocks are stopped; please try again later."
    )
