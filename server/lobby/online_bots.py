"""The bot accounts that accept challenges: their rules, and the number of matches that each is playing.

A bot's rules last as long as the connection that set them, on any node.
"""

from collections import Counter

import msgspec

from millrace.protocol import ChallengeRules, Code, Create, IdentityId, MatchId, OnlineBot, Player
from millrace.protocol.refusal import Refusal

from ..callers.presence import PlayerSession
from ..cluster.bus import Bus
from ..cluster.events import BotsChanged, MatchChanged
from ..cluster.shared_map import SharedMap
from ..matches.match import Match, Phase
from ..rooms.rooms import Rooms
from .challenge_rules import find_objection


class _RulesOfBot(msgspec.Struct, frozen=True):
    player: Player
    rules: ChallengeRules


class OnlineBotList:
    """The bots that accept challenges, on this node and on others."""

    def __init__(self, rooms: Rooms, bus: Bus) -> None:
        self._rooms = rooms
        self._bus = bus
        self._rules: dict[PlayerSession, _RulesOfBot] = {}
        self._shared = SharedMap(bus, "bots", _RulesOfBot, lambda _: bus.publish(BotsChanged()))
        """The latest rules of each bot connected to this node, for the others."""
        self._engaged: dict[MatchId, frozenset[IdentityId]] = {}
        """The bots occupied by each unfinished match: its players, and a challenged bot."""
        self._counts: Counter[IdentityId] = Counter()
        bus.subscribe(MatchChanged, self._match_changed)

    def set_rules(self, session: PlayerSession, rules: ChallengeRules | None) -> None:
        """Set the rules of a bot; with None it accepts no more challenges. Raises: Refusal."""
        if not session.player.bot:
            raise Refusal(Code.BOT_NEEDED, "Only a bot account can set challenge rules; create one for your program.")
        self.disconnect(session)
        if rules is not None:
            self._rules[session] = _RulesOfBot(session.player, rules)
            self._share(session.player.id)
            self._bus.publish(BotsChanged())

    def disconnect(self, session: PlayerSession) -> None:
        """Drop the rules set by a closed connection."""
        if self._rules.pop(session, None) is not None:
            self._share(session.player.id)
            self._bus.publish(BotsChanged())

    def online(self) -> tuple[OnlineBot, ...]:
        """Return the bots that accept challenges, ordered by name."""
        here = {each.player.id: each for each in self._rules.values()}
        by_identity = dict(self._shared.all_elsewhere()) | here
        bots = (OnlineBot(each.player, each.rules, self._counts[each.player.id]) for each in by_identity.values())
        return tuple(sorted(bots, key=lambda bot: bot.player.name.casefold()))

    def check(self, command: Create, challenger: Player, challenged: Player) -> None:
        """Check that a bot accepts a challenge; people answer for themselves. Raises: Refusal."""
        if not challenged.bot:
            return
        objection = self._find_objection(command, challenger, challenged.id)
        if objection is not None:
            raise Refusal(Code.NOT_TAKEN, f"{challenged.name} {objection}")

    def _find_objection(self, command: Create, challenger: Player, challenged: IdentityId) -> str | None:
        found = self._rules_here(challenged) or self._shared.elsewhere(challenged)
        if found is None:
            return "is a bot that is offline; try again later."
        if self._counts[challenged] >= found.rules.most_matches:
            return "is playing as many matches as it accepts; try again later."
        return find_objection(found.rules, command, challenger)

    def _rules_here(self, bot: IdentityId) -> _RulesOfBot | None:
        """Return the rules that a bot last set on this node."""
        return next((each for each in reversed(self._rules.values()) if each.player.id == bot), None)

    def _share(self, bot: IdentityId) -> None:
        rules = self._rules_here(bot)
        if rules is None:
            self._shared.remove(bot)
        else:
            self._shared.put(bot, rules)

    def _match_changed(self, event: MatchChanged) -> None:
        match = self._rooms.peek(event.match)
        engaged = frozenset[IdentityId]() if match is None else _bots_engaged_by(match)
        before = self._engaged.pop(event.match, frozenset())
        if engaged:
            self._engaged[event.match] = engaged
        if engaged == before:
            return
        self._counts.subtract(before)
        self._counts.update(engaged)
        self._counts += Counter()


def _bots_engaged_by(match: Match) -> frozenset[IdentityId]:
    if match.phase is Phase.OVER:
        return frozenset()
    bots = {player.id for player in match.players if player is not None and player.bot}
    invited = match.created.invited
    return frozenset(bots if invited is None else bots | {invited})
