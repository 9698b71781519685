"""The roster of bots that others write: which are online, what they take, and how much they have on their hands.

What a bot has declared lasts as long as the connection that declared it. Whether rules allow a challenge is decided in
`server.lobby.challenge_rules`.
"""

from collections import Counter
from typing import NamedTuple, Protocol

from ..bus.bus import Bus
from ..bus.events import BotsChanged, MatchChanged
from ..identity.presence import PlayerSession
from ..matches.match import Match, Phase
from ..protocol import ChallengeRules, Code, Create, IdentityId, MatchId, OnlineBot, Player
from ..protocol.refusal import Refusal
from .challenge_rules import why_not


class Matches(Protocol):
    """Where matches are served: `server.rooms.rooms.Rooms`."""

    def peek(self, match: MatchId) -> Match | None:
        """Return a match that is being served, as it stands."""


class _Declared(NamedTuple):
    player: Player
    rules: ChallengeRules


class OnlineBotList:
    """The bots of this process that take challenges."""

    def __init__(self, matches: Matches, bus: Bus) -> None:
        self._matches = matches
        self._bus = bus
        self._declared: dict[PlayerSession, _Declared] = {}
        self._engaged: dict[MatchId, frozenset[IdentityId]] = {}
        """Whom each match that is not over keeps busy: bots that play in it, and whoever is challenged to it."""
        self._counts: Counter[IdentityId] = Counter()
        bus.subscribe(MatchChanged, lambda event: self._changed(event.match))

    def declare(self, session: PlayerSession, player: Player, rules: ChallengeRules | None) -> None:
        """Note what a bot takes from now on; with None nothing any more. Raises: Refusal."""
        if not player.bot:
            words = "Only the account of a bot takes challenges by rules; make one for your program."
            raise Refusal(Code.BOT_NEEDED, words)
        self.leave(session)
        if rules is not None:
            self._declared[session] = _Declared(player, rules)
            self._bus.publish(BotsChanged())

    def leave(self, session: PlayerSession) -> None:
        """Forget what was declared by a connection, which is over."""
        if self._declared.pop(session, None) is not None:
            self._bus.publish(BotsChanged())

    def online(self) -> tuple[OnlineBot, ...]:
        """Return the bots that take challenges, by name."""
        by_identity = {each.player.id: each for each in self._declared.values()}
        bots = (OnlineBot(*each, self._counts[identity]) for identity, each in by_identity.items())
        return tuple(sorted(bots, key=lambda bot: bot.player.name.casefold()))

    def check(self, command: Create, challenger: Player, challenged: Player) -> None:
        """Refuse a challenge that a bot does not take; whoever is no bot answers for themselves. Raises: Refusal."""
        if not challenged.bot:
            return
        reason = self._why_not(command, challenger, challenged.id)
        if reason is not None:
            raise Refusal(Code.NOT_TAKEN, f"{challenged.name} {reason}")

    def _why_not(self, command: Create, challenger: Player, challenged: IdentityId) -> str | None:
        rules = next((each.rules for each in reversed(self._declared.values()) if each.player.id == challenged), None)
        if rules is None:
            return "is a bot that is not online now."
        if self._counts[challenged] >= rules.most_matches:
            return "has as many matches as it takes at once; please try again later."
        return why_not(rules, command, challenger)

    def _changed(self, match_id: MatchId) -> None:
        match = self._matches.peek(match_id)
        if match is None:
            return
        engaged, before = _engaged_by(match), self._engaged.pop(match_id, frozenset())
        if engaged:
            self._engaged[match_id] = engaged
        if engaged == before:
            return
        self._counts.subtract(before)
        self._counts.update(engaged)
        self._counts += Counter()


def _engaged_by(match: Match) -> frozenset[IdentityId]:
    if match.phase is Phase.OVER:
        return frozenset()
    bots = {player.id for player in match.players if player is not None and player.bot}
    invited = match.created.invited
    return frozenset(bots if invited is None else bots | {invited})
