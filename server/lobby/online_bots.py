"""The bot accounts that accept challenges: their rules, and how many matches each is playing.

A bot's rules last as long as the connection that set them. `server.lobby.challenge_rules` decides whether rules allow a
challenge.
"""

from collections import Counter
from typing import NamedTuple, Protocol

from ..bus.bus import Bus
from ..bus.events import BotsChanged, MatchChanged
from ..identity.presence import PlayerSession
from ..matches.match import Match, Phase
from ..protocol import ChallengeRules, Code, Create, IdentityId, MatchId, OnlineBot, Player
from ..protocol.refusal import Refusal
from .challenge_rules import find_objection


class LoadedMatches(Protocol):
    """The matches that are loaded in this process: an interface of `server.rooms.rooms.Rooms`."""

    def peek(self, match: MatchId) -> Match | None:
        """Return a match, or None if it is not loaded."""


class _RulesOfBot(NamedTuple):
    player: Player
    rules: ChallengeRules


class OnlineBotList:
    """The bots of this process that accept challenges."""

    def __init__(self, matches: LoadedMatches, bus: Bus) -> None:
        self._matches = matches
        self._bus = bus
        self._rules: dict[PlayerSession, _RulesOfBot] = {}
        self._engaged: dict[MatchId, frozenset[IdentityId]] = {}
        """The bots that each unfinished match occupies: its players, and a challenged bot."""
        self._counts: Counter[IdentityId] = Counter()
        bus.subscribe(MatchChanged, self._match_changed)

    def set_rules(self, session: PlayerSession, rules: ChallengeRules | None) -> None:
        """Set the rules of a bot; with None it accepts no more challenges. Raises: Refusal."""
        if not session.player.bot:
            raise Refusal(Code.BOT_NEEDED, "Only a bot account can set challenge rules; create one for your program.")
        self.disconnect(session)
        if rules is not None:
            self._rules[session] = _RulesOfBot(session.player, rules)
            self._bus.publish(BotsChanged())

    def disconnect(self, session: PlayerSession) -> None:
        """Drop the rules that a closed connection had set."""
        if self._rules.pop(session, None) is not None:
            self._bus.publish(BotsChanged())

    def online(self) -> tuple[OnlineBot, ...]:
        """Return the bots that accept challenges, ordered by name."""
        by_identity = {each.player.id: each for each in self._rules.values()}
        bots = (OnlineBot(*each, self._counts[identity]) for identity, each in by_identity.items())
        return tuple(sorted(bots, key=lambda bot: bot.player.name.casefold()))

    def check(self, command: Create, challenger: Player, challenged: Player) -> None:
        """Check that a bot accepts a challenge; people answer for themselves. Raises: Refusal."""
        if not challenged.bot:
            return
        objection = self._find_objection(command, challenger, challenged.id)
        if objection is not None:
            raise Refusal(Code.NOT_TAKEN, f"{challenged.name} {objection}")

    def _find_objection(self, command: Create, challenger: Player, challenged: IdentityId) -> str | None:
        rules = next((each.rules for each in reversed(self._rules.values()) if each.player.id == challenged), None)
        if rules is None:
            return "is a bot that is offline; try again later."
        if self._counts[challenged] >= rules.most_matches:
            return "is playing as many matches as it accepts; try again later."
        return find_objection(rules, command, challenger)

    def _match_changed(self, event: MatchChanged) -> None:
        match = self._matches.peek(event.match)
        if match is None:
            return
        engaged, before = _bots_engaged_by(match), self._engaged.pop(match.id, frozenset())
        if engaged:
            self._engaged[match.id] = engaged
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
