"""Messages to searching players: the state of their search, its end, or their match.

Each node informs its own players. It learns of a match from the bus, or else from the journal when it finds that the
search has ended.
"""

from collections import OrderedDict
from dataclasses import dataclass

from millrace.engine.levels.opponents import LEVELS
from millrace.protocol import CommandId, IdentityId, MatchId, Paired, PairingRequest, SearchEnded, Searching
from millrace.protocol.frames import frame_of
from millrace.protocol.refusal import Refusal

from ..bots.requests import Bots
from ..callers.presence import Presence
from ..cluster.bus import Bus
from ..cluster.events import SeeksChanged, SharedEvent
from ..journal.entries import Origin
from ..matches.built_in_bots import bot_player
from ..matches.speed import speed_of
from ..ratings.ratings import Ratings
from ..rooms.bot_availability import are_offered
from ..runtime.system_clock import NowMs
from .pools import Search
from .searches import PairedMatches, Searches

ANSWERS_REMEMBERED = 10_000
"""Maximum number of pairings that can be repeated without the journal."""


class PlayersPaired(SharedEvent, frozen=True):
    """Players have a match by quick pairing."""

    match: MatchId
    request: PairingRequest
    asked: tuple[tuple[IdentityId, CommandId], ...]
    """The players with their commands."""
    seated: tuple[IdentityId, ...] = ()
    """The players by seat, without bots."""


@dataclass(eq=False)
class SearchNews:
    """Keeps this node's searching players informed."""

    _matches: PairedMatches
    _searches: Searches
    _presence: Presence
    _rating_lookup: Ratings
    _bots: Bots
    _bus: Bus
    _now_ms: NowMs

    def __post_init__(self) -> None:
        self._pools = self._searches.pools
        self._sent: dict[IdentityId, Searching] = {}
        self._paired: OrderedDict[Origin, MatchId] = OrderedDict()
        self._shown: frozenset[Origin] = frozenset()
        """The searches known to the lobby's lists."""
        self._bus.subscribe(PlayersPaired, self._players_paired)
        self._bus.subscribe_elsewhere(PlayersPaired, self._note_pairing)

    def match_of(self, asked: Origin) -> MatchId | None:
        """Return the match that a command led to, if remembered."""
        return self._paired.get(asked)

    def searching(self, search: Search, command: CommandId | None = None) -> Searching:
        """Return the state of a search."""
        bot_level = self.offered_bot(search.player.id)
        waiting = self._pools.waiting(search.request)
        return Searching(search.request, search.seeker.takes_fewer, waiting, search.since_ms, bot_level, command)

    def offered_bot(self, identity: IdentityId) -> int | None:
        """Return the level of the bot offered to a player, if any."""
        search = self._pools.find(identity)
        if search is None or not are_offered(self._bots, search.request.game):
            return None
        return self._pools.offered_bot(identity, self._bot_ratings)

    def tell_searches(self) -> None:
        """Send all players the state of their searches, where it has changed."""
        for search in self._pools.searches:
            self.tell_search(search)
        self.note_searches()

    def tell_search(self, search: Search) -> None:
        """Send a player the state of the search, if it has changed."""
        if not self._presence.sessions_of(search.player.id):
            return
        searching = self.searching(search)
        if self._sent.get(search.player.id) != searching:
            self._sent[search.player.id] = searching
            self._presence.deliver(search.player.id, [frame_of(searching)])

    async def tell_outcome(self, search: Search) -> None:
        """Inform a player whose search has ended elsewhere."""
        asked, identity = search.origin, search.player.id
        if asked in self._paired or not self._presence.sessions_of(identity):
            return
        try:
            match = await self._matches.find_paired(asked)
        except Refusal:
            self._searches.doubt(search)  # logged, and resolved before the next wave
            return
        if match is None:
            self.tell_ended(identity)
        else:
            self._players_paired(PlayersPaired(match, search.request, ((identity, search.command),)))

    def tell_ended(self, identity: IdentityId) -> None:
        """Inform a player that the search has ended without a match."""
        self.forget(identity)
        self._presence.deliver(identity, [frame_of(SearchEnded())])
        self.note_searches()

    def forget(self, identity: IdentityId) -> None:
        """Forget the messages sent to a player."""
        self._sent.pop(identity, None)

    def note_searches(self) -> None:
        """Inform the lobby's lists if players have started or ended a search."""
        shown = frozenset(search.origin for search in self._pools.searches)
        if shown != self._shown:
            self._shown = shown
            self._bus.publish(SeeksChanged())

    def _players_paired(self, event: PlayersPaired) -> None:
        """Inform the players of a match who are here, unless already informed."""
        asked = [Origin(*each) for each in event.asked]
        is_known = any(each in self._paired for each in asked)
        self._paired.update(dict.fromkeys(asked, event.match))
        while len(self._paired) > ANSWERS_REMEMBERED:
            self._paired.popitem(last=False)
        for identity, command in event.asked:
            self._searches.leave(identity, command)
        for identity in dict.fromkeys(identity for identity, _ in event.asked):
            self.forget(identity)
            if not is_known:
                self._presence.deliver(identity, [frame_of(Paired(event.match))])
        self.note_searches()

    def _note_pairing(self, event: PlayersPaired) -> None:
        """Remember a pairing on another node."""
        if len(event.seated) > 1:
            self._pools.note_pairing(event.request, event.seated, self._now_ms())

    def _bot_ratings(self, request: PairingRequest) -> tuple[int, ...]:
        """Return the ratings of the bots in a kind of match, by level."""
        speed = speed_of(request.clock)
        bots = (bot_player(level) for level in LEVELS)
        return tuple(self._rating_lookup.rating_of(bot.id, request.game, request.seats, speed) for bot in bots)
