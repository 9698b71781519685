"""Creating matches: seeks, challenges and matches that start at once, within their creator's limits.

`server.lobby.seeks` handles waiting matches. A repeated command gets the same answer regardless of limits.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from millrace.protocol import Accepted, Code, Create, IdentityId, MatchId, Player
from millrace.protocol.refusal import Refusal

from ..bots.requests import Bots
from ..callers.caller import Caller, FindPlayer
from ..callers.limit import HOUR_MS, Limit
from ..callers.limits import Hold, Limits, Present
from ..cluster.bus import Bus
from ..cluster.events import MatchChanged
from ..journal.entries import Origin
from ..matches.fair_play import require_fair_bot
from ..matches.match import Phase
from ..matches.named_games import require_start
from ..rooms.bot_availability import require_bots
from ..rooms.rooms import Rooms
from ..runtime.fair_turns import FairTurns
from .online_bots import OnlineBotList
from .search_store import pairing_insertions
from .seeks import SeekList

MATCHES_CREATED = Limit(
    name="matches_created",
    counts="matches created, and searches for a quick pairing",
    refusal="You have created many matches.",
    code=Code.RATE_LIMITED,
    window_ms=HOUR_MS,
    account=600,
    guest=300,
    address=3_000,
)
WAITING_MATCHES = Limit(
    name="waiting_matches",
    counts="matches waiting for players, by creator",
    refusal="You already have {bound} matches waiting for players; withdraw one first.",
    account=20,
    guest=5,
    address=40,
)
WAITING_CHALLENGES = Limit(
    name="waiting_challenges",
    counts="challenges waiting for one player's answer, by sender",
    refusal="This player already has {bound} unanswered challenges.",
    account=3,
    guest=2,
    address=6,
    everyone=30,
)
CHALLENGES = Limit(
    name="challenges",
    counts="challenges sent to one player",
    refusal="This player has received many challenges.",
    code=Code.RATE_LIMITED,
    window_ms=HOUR_MS,
    account=30,
    guest=20,
    address=120,
    everyone=600,
)
BOT_MATCHES = Limit(
    name="bot_matches",
    counts="matches in progress between bots, by creator",
    refusal="{bound} of your matches between bots are still in progress; wait until one ends.",
    account=4,
    guest=2,
    address=24,
)
AT_ONCE, REST = 4, 3.0
"""Number of matches that are created at a time, for addresses in turn, and the pause after each while others wait, as a
multiple of its time: players who move need the event loop and the database too."""


@dataclass(eq=False)
class MatchCreation:
    """Creates players' matches."""

    _rooms: Rooms
    _seeks: SeekList
    _bots: OnlineBotList
    _built_in_bots: Bots
    _find_player: FindPlayer
    _bus: Bus
    _limits: Limits

    def __post_init__(self) -> None:
        self._turns = FairTurns(AT_ONCE, REST)
        self._creating: Counter[str] = Counter()
        """The number of matches being created, by player, by address, and by challenged player."""
        self._bot_matches: dict[MatchId, Hold] = {}
        """The matches between bots."""
        self._bus.subscribe(MatchChanged, lambda event: self._note_bot_match(event.match))

    async def create(self, command: Create, caller: Caller, paired: Sequence[Origin] = ()) -> Accepted:
        """Create a match, or find the one created by the same command. Raises: Refusal."""
        async with self._turns.of(caller.connection_info.address, caller.identity):
            return await self._create(command, caller, paired)

    async def _create(self, command: Create, caller: Caller, paired: Sequence[Origin]) -> Accepted:
        """Raises: Refusal."""
        try:
            if any(plan.occupant == "bot" for plan in command.seats):
                require_bots(self._built_in_bots, command.game)
            player = None if command.invited is None else await self._find_invited(command, command.invited, caller)
            if any(plan.occupant == "bot" for plan in command.seats) or (player is not None and player.bot):
                start = require_start(command.game, command.setup)
                require_fair_bot(start, command.setup, caller.identity, await self._rooms.played_by(caller.identity))
            self._count(command, caller, player)
        except Refusal:
            before = await self._rooms.new.find_created(command.id, caller.player)
            if before is not None:
                return before
            raise
        invited = None if player is None else player.id
        if any(plan.occupant != "bot" for plan in command.seats):
            return await self._create_for_people(command, caller, invited, paired)
        return await self._create_for_bots(command, caller)

    async def _create_for_people(
        self, command: Create, caller: Caller, invited: IdentityId | None, paired: Sequence[Origin]
    ) -> Accepted:
        """Create a match that starts at once or waits for players. Raises: Refusal."""
        address = caller.connection_info.address
        keys = (caller.identity, address, *([] if invited is None else [f"to {invited}"]))
        self._creating.update(keys)
        try:
            prepare = partial(pairing_insertions, paired)
            accepted = await self._rooms.new.open(command, caller.player, invited, prepare)
        finally:
            self._creating.subtract(keys)
            self._creating = +self._creating
        self._seeks.note_address(accepted.match, address)
        return accepted

    async def _create_for_bots(self, command: Create, caller: Caller) -> Accepted:
        """Create a match between bots. Raises: Refusal."""
        for match_id in tuple(self._bot_matches):
            self._note_bot_match(match_id)
        hold = self._limits.hold(BOT_MATCHES, caller)
        try:
            accepted = await self._rooms.new.open(command, caller.player)
        except BaseException:
            hold.release()
            raise
        if accepted.match in self._bot_matches:
            hold.release()  # the same command was sent twice
        else:
            self._bot_matches[accepted.match] = hold
        return accepted

    def _count(self, command: Create, caller: Caller, invited: Player | None) -> None:
        """Check that a player may create a match, and count it; challenges to bots are not limited. Raises: Refusal."""
        if any(plan.occupant == "open" for plan in command.seats):
            self._limits.require_room(WAITING_MATCHES, caller, self._waiting_of(caller))
        self._limits.check(MATCHES_CREATED, caller)
        if invited is not None and not invited.bot:
            self._limits.require_room(WAITING_CHALLENGES, caller, self._waiting_of(caller, invited.id))
            self._limits.use(CHALLENGES, caller, subject=invited.id)
        self._limits.use(MATCHES_CREATED, caller)

    def _waiting_of(self, caller: Caller, invited: IdentityId | None = None) -> Present:
        """Return the number of matches that wait or are being created: by the player, the address, and in total."""
        address = caller.connection_info.address
        of_player, of_address, of_all = self._seeks.count_waiting(caller.identity, address, invited)
        of_player, of_address = of_player + self._creating[caller.identity], of_address + self._creating[address]
        return Present(of_player, of_address, of_all + self._creating[f"to {invited}"])

    def _note_bot_match(self, match_id: MatchId) -> None:
        """Stop counting a match between bots that is over, or was unloaded because nobody watched."""
        hold = self._bot_matches.get(match_id)
        if hold is not None:
            match = self._rooms.peek(match_id)
            if match is None or match.phase is Phase.OVER:
                hold.release()
                del self._bot_matches[match_id]

    async def _find_invited(self, command: Create, name: str, caller: Caller) -> Player:
        invited = await self._find_player(name)
        if invited is None:
            raise Refusal(Code.UNKNOWN_PLAYER, "No player is called {name}; to invite a guest, send a link.", name=name)
        if invited.id == caller.identity:
            raise Refusal(Code.NOT_FOR_YOU, "You cannot challenge yourself.")
        self._bots.check(command, caller.player, invited)
        return invited
