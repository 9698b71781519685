"""A room: what this process knows of one match that is being played, with its audience.

A room decides nothing. Functions of other modules take it as their first argument:

    player_commands.py      a player's command, from its arrival to the answer
    automation.py           what happens without a command, and what every stored event leads to
    storing.py              events on their way into the journal and the log
    resuming.py             going on after a restart, an interruption, or the end of another node
    watching.py             who comes to watch and who leaves, here and on other nodes
    sending.py              what players and spectators are sent

A match may have a room on several nodes. Each tells the others what it has stored; what happens without a command,
happens on the node that owns the match.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from millrace.protocol import Code, Describe, Described, IdentityId, MatchId, MatchSummary
from millrace.protocol.refusal import Refusal

from ..bots.requests import Bots
from ..cluster.bus import Bus
from ..cluster.membership import Membership
from ..journal.entries import Entry
from ..journal.journal_store import Journal
from ..matches.lag_compensation import LagCompensation
from ..matches.match import Match, Phase
from ..matches.views import summary_of
from ..ratings.ratings import Ratings
from ..runtime.system_clock import NowMs
from ..runtime.turns import Turn
from .audience import Audience
from .background_tasks import BackgroundTasks
from .bot_searches import BotSearches
from .event_log import EventLog
from .match_presence import MatchPresence
from .notifier_interface import InboxChanges, MatchNotifier
from .plan_store import PlanStore
from .spectator_sending import count_spectators

OpenRematch = Callable[[Match], Awaitable[MatchId]]
"""Creates the next match once; repeated calls return the same match."""


@dataclass(frozen=True)
class RoomServices:
    """The services of the server that every room uses."""

    journal: Journal
    plans: PlanStore
    bots: Bots
    now_ms: NowMs
    open_rematch: OpenRematch
    ratings: Ratings
    notifier: MatchNotifier
    bus: Bus
    membership: Membership
    patience: float
    """Factor for the waits before absence can be claimed."""
    bot_pace_seconds: float
    """Minimum time for a bot's ply against people or before spectators."""


class MatchTimer:
    """When the next automatic event of a match is due, such as a fallen flag, and the timer that waits for it.

    Most moves only make the next event due later. The timer then stays as it is, and waits again when it wakes too
    early: setting and cancelling one for each move costs more.
    """

    def __init__(self) -> None:
        self.due_at_ms: int | None = None
        self.wake_at_ms: int | None = None
        """When the room is to be woken: later than `due_at_ms` by the lag of the seat to move; None if it is not, as
        when another node is woken."""
        self.wakes_at_ms = 0
        """When the timer wakes, if it runs; it may be too early."""
        self.handle: asyncio.TimerHandle | None = None
        self.is_held = False
        """Whether it must not wake; meanwhile something counts as due."""

    def hold(self) -> None:
        """Wake no more until `is_held` is reset and the timer set."""
        self.is_held = True
        self.close()

    def is_due(self, now_ms: int) -> bool:
        """Return whether the time for an automatic event has come, apart from lag."""
        return self.is_held or (self.due_at_ms is not None and now_ms >= self.due_at_ms)

    def clear(self) -> None:
        """Wait for nothing."""
        self.due_at_ms = self.wake_at_ms = None
        self.close()

    def close(self) -> None:
        """Stop the timer."""
        if self.handle is not None:
            self.handle.cancel()
            self.handle = None


class Room:
    """One match that is being played. `server.rooms.rooms` makes at most one for each match of a process."""

    __slots__ = (
        "__weakref__",
        "audience",
        "begun",
        "begun_inbox",
        "bot_searches",
        "id",
        "interrupted_ms",
        "is_interrupted",
        "is_shared",
        "is_uncertain",
        "lag",
        "log",
        "loop",
        "planned_at_seq",
        "presence",
        "rematch_timer",
        "services",
        "tasks",
        "timer",
        "turn",
    )

    def __init__(self, match_id: MatchId, log: EventLog, services: RoomServices) -> None:
        self.id = match_id
        self.services = services
        self.loop = asyncio.get_running_loop()
        self.turn = Turn()
        """Whose holder alone changes the match."""
        self.log = log
        match = log.match
        self.lag = LagCompensation.of(match.created.clock, len(match.players))
        """The lag quotas of the seats, for the next decision. They last as long as the room."""
        self.presence = MatchPresence(services.now_ms(), services.patience)
        self.audience = Audience()
        self.tasks = BackgroundTasks(match_id)
        self.timer = MatchTimer()
        """Wakes the room for the next automatic event."""
        self.is_shared = not services.bus.is_alone
        """Whether other nodes may have a room of this match."""
        self.begun: tuple[Entry, ...] = ()
        """The entries that were last to be stored."""
        self.begun_inbox: InboxChanges | None = None
        """The notifications that were to be stored with them."""
        self.is_uncertain = False
        """Whether a failure has left open what is stored: `storing.catch_up` must come before the next decision."""
        self.is_interrupted = False
        """Whether nothing can be stored at present."""
        self.interrupted_ms: int | None = None
        """Since when the clocks have stood still by an interruption that the match does not know of yet."""
        self.bot_searches = BotSearches()
        self.planned_at_seq: int | None = None
        """The latest event after which a planned reply was looked for."""
        self.rematch_timer: asyncio.TimerHandle | None = None
        """Ends the wait for absent players to answer the offer of a rematch."""

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self.log.match

    @property
    def is_owned(self) -> bool:
        """Whether this node does what happens in the match without a command; while disconnected, every node does."""
        services = self.services
        return not self.is_shared or services.membership.owns(self.id) or not services.bus.is_connected

    @property
    def is_idle(self) -> bool:
        """Whether nothing would be missed if the room were closed: it can be loaded from the journal again."""
        match, searches = self.log.match, self.bot_searches
        is_timed = (match.phase is Phase.PLAYING and match.clock is not None) or match.due_at_ms is not None
        is_standing = searches.are_suspended or (match.is_between_bots and match.pause is not None)
        is_busy = self.turn.is_taken or searches.move is not None or self.tasks.is_busy
        is_needed = (is_timed and not is_standing) or match.is_rating_due or self.presence.is_watched_elsewhere
        return not (self.audience or is_busy or (is_needed and self.is_owned))

    def watchers_on(self, node: str) -> frozenset[IdentityId]:
        """Return who watches the match on another node."""
        return self.presence.identities_on(node)

    @property
    def spectator_count(self) -> int:
        """The number of spectators on all nodes."""
        return count_spectators(self.presence.identities, self.log.match)

    @property
    def last_at_ms(self) -> int:
        """When the latest event of the match was stored."""
        return self.log.last_at_ms

    def summary(self) -> MatchSummary:
        """Return the room's line in the list of live matches."""
        return summary_of(self.log.shown, self.spectator_count)

    def describe(self, command: Describe, reader: IdentityId) -> Described:
        """Return the position after a ply, as far as the reader may see it. Raises: Refusal."""
        line = self.log.match_for(reader).state.line
        if command.ply >= len(line):
            raise Refusal(Code.UNKNOWN_PLY, f"The match has reached ply {len(line) - 1}.")
        state = line[command.ply]
        return Described(command.id, self.id, command.ply, state.position_text, state.written_positions)
