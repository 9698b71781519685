"""A ladder as a value: the fold of its events, and what commands and results lead to.

Pure: time, ratings and ids are arguments; the events that a decision returns are not stored yet.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import msgspec
from msgspec.structs import replace

from millrace.engine.games import GAMES
from millrace.protocol import (
    ClockSettings,
    Code,
    IdentityId,
    LadderChangeKind,
    MatchId,
    Player,
    RatingKind,
    Speed,
    Termination,
    TournamentId,
)
from millrace.protocol.refusal import Refusal

from ...matches.match import Match
from ...ratings.rating import Rating
from .ladder_events import AnyLadderEvent, LadderChallenged, LadderJoined, LadderLeft, LadderSettled
from .ladder_rules import REST_MS, Challenged, Places, drop, find_refusal, highest_place, join, settle

SEATS = 2
CLOCK = ClockSettings(3 * 86_400_000, renews=True)
"""Of every match: three days for each ply."""
SHOWN_CHANGES = 20
"""How many changes are remembered, the latest first."""

RatingOf = Callable[[IdentityId], Rating]
"""Returns a player's rating in matches of the ladder."""


class Challenge(msgspec.Struct, frozen=True):
    """A match of the ladder that is being played."""

    challenger: IdentityId
    challenged: IdentityId
    seat: int
    """The challenger's."""

    @property
    def pair(self) -> frozenset[IdentityId]:
        """Both players."""
        return frozenset((self.challenger, self.challenged))


class Change(msgspec.Struct, frozen=True):
    """What has happened to a player's place."""

    kind: LadderChangeKind
    at_ms: int
    identity: IdentityId
    place: int
    """The place then, or the one that was lost."""
    opponent: IdentityId | None = None
    match: MatchId | None = None


class Ladder(msgspec.Struct, frozen=True):
    """A ladder after some of its events."""

    id: TournamentId
    game: str
    bots: bool
    """Whether it is for bot accounts; others are for people."""
    seq: int = 0
    """Of the latest event."""
    places: Places = ()
    """The players from the top."""
    challenges: Mapping[MatchId, Challenge] = {}
    met_ms: Mapping[frozenset[IdentityId], int] = {}
    """When two players' latest match ended, of those who may not meet again yet."""
    changes: tuple[Change, ...] = ()
    """The latest first."""

    @property
    def rating_kind(self) -> RatingKind:
        """The kind of ratings of its matches."""
        return RatingKind(self.game, SEATS, Speed.CORRESPONDENCE)

    @property
    def everybody(self) -> set[IdentityId]:
        """All players who are named anywhere in it."""
        playing = {each for challenge in self.challenges.values() for each in challenge.pair}
        changed = {each for change in self.changes for each in (change.identity, change.opponent) if each is not None}
        return {*self.places, *playing, *changed}

    def place_of(self, identity: IdentityId) -> int | None:
        """Return the place of a player; None if the player is not on the ladder."""
        return self.places.index(identity) + 1 if identity in self.places else None


def all_ladders() -> dict[TournamentId, Ladder]:
    """Return the ladders of every game for two, empty: one for people and one for bots."""
    games = [game for game in GAMES.values() if SEATS in game.seats]
    ladders = [Ladder(_id_of(game.name, bots=bots), game.name, bots) for game in games for bots in (False, True)]
    return {ladder.id: ladder for ladder in ladders}


def _id_of(game: str, *, bots: bool) -> TournamentId:
    return TournamentId(f"ladder-{game}{'-bots' if bots else ''}")


# The fold


def after(ladder: Ladder, events: Iterable[tuple[AnyLadderEvent, int]]) -> Ladder:
    """Return the ladder after its next events, each with its time."""
    for event, at_ms in events:
        ladder = replace(_after(ladder, event, at_ms), seq=ladder.seq + 1)
    return ladder


def _after(ladder: Ladder, event: AnyLadderEvent, at_ms: int) -> Ladder:
    match event:
        case LadderJoined(identity):
            ladder = replace(ladder, places=join(ladder.places, identity))
            return _noted(ladder, Change("joined", at_ms, identity, len(ladder.places)))
        case LadderLeft(identity):
            place = ladder.place_of(identity) or 0
            ladder = replace(ladder, places=drop(ladder.places, identity))
            return _noted(ladder, Change("left", at_ms, identity, place))
        case LadderChallenged(match, challenger, challenged, seat):
            return replace(ladder, challenges={**ladder.challenges, match: Challenge(challenger, challenged, seat)})
        case LadderSettled():
            return _settled(ladder, event, at_ms)


def _settled(ladder: Ladder, event: LadderSettled, at_ms: int) -> Ladder:
    challenge = ladder.challenges[event.match]
    challenges = {match: each for match, each in ladder.challenges.items() if match != event.match}
    met_ms = {pair: met for pair, met in ladder.met_ms.items() if at_ms - met < REST_MS} | {challenge.pair: at_ms}
    ladder = replace(ladder, challenges=challenges, met_ms=met_ms)
    if event.winner is None:
        return ladder
    winner = event.winner
    loser = challenge.challenged if winner == challenge.challenger else challenge.challenger
    places = settle(ladder.places, winner, loser, on_time=event.on_time)
    then, before = replace(ladder, places=places), ladder
    won, lost = then.place_of(winner), before.place_of(loser)
    if won is not None and won != before.place_of(winner) and lost is not None:
        then = _noted(then, Change("won", at_ms, winner, lost, loser, event.match))
    if lost is not None and then.place_of(loser) is None:
        then = _noted(then, Change("timed_out", at_ms, loser, lost, winner, event.match))
    return then


def _noted(ladder: Ladder, change: Change) -> Ladder:
    return replace(ladder, changes=(change, *ladder.changes)[:SHOWN_CHANGES])


def with_replacement(ladder: Ladder, identity: IdentityId, replacement: IdentityId) -> Ladder:
    """Return a ladder as if its events had named another identity instead of one."""

    def of(each: IdentityId) -> IdentityId:
        return replacement if each == identity else each

    return replace(
        ladder,
        places=tuple(map(of, ladder.places)),
        challenges={
            match: replace(each, challenger=of(each.challenger), challenged=of(each.challenged))
            for match, each in ladder.challenges.items()
        },
        met_ms={frozenset(map(of, pair)): met_ms for pair, met_ms in ladder.met_ms.items()},
        changes=tuple(
            replace(each, identity=of(each.identity), opponent=None if each.opponent is None else of(each.opponent))
            for each in ladder.changes
        ),
    )


# What commands and results lead to


def decide_join(ladder: Ladder, player: Player) -> list[AnyLadderEvent]:
    """Return what happens when a player joins; nothing if the player is on the ladder. Raises: Refusal."""
    if player.bot and not ladder.bots:
        raise Refusal(Code.NOT_FOR_BOTS, "This ladder is for people only; bots have their own.")
    if ladder.bots and not player.bot:
        raise Refusal(Code.NOT_ADMITTED, "This ladder is for bots only.")
    return [] if player.id in ladder.places else [LadderJoined(player.id)]


def decide_leave(ladder: Ladder, identity: IdentityId) -> list[AnyLadderEvent]:
    """Return what happens when a player leaves; nothing if the player is not on the ladder."""
    return [LadderLeft(identity)] if identity in ladder.places else []


def decide_departures(ladder: Ladder, has_left: Callable[[IdentityId], bool]) -> list[AnyLadderEvent]:
    """Return the departures of players whose account cannot play on this ladder any more."""
    return [LadderLeft(identity, "account") for identity in ladder.places if has_left(identity)]


def decide_challenge(ladder: Ladder, event: LadderChallenged, rating_of: RatingOf, now_ms: int) -> list[AnyLadderEvent]:
    """Return the challenge, whose match is to be created with it. Raises: Refusal."""
    refusal = Outlook(ladder, event.challenger, rating_of, now_ms).refusal_for(event.challenged)
    if refusal is not None:
        raise refusal
    return [event]


def decide_settlement(ladder: Ladder, match: Match) -> list[AnyLadderEvent]:
    """Return what the end of a match leads to: nothing if it is not one of the ladder's, or was counted before."""
    challenge = ladder.challenges.get(match.id)
    if challenge is None or match.ended is None:
        return []
    ranks = None if match.is_void else match.ended.ranks
    if ranks is None or ranks[0] == ranks[1]:
        return [LadderSettled(match.id)]
    winner = challenge.challenger if ranks[challenge.seat] == 1 else challenge.challenged
    return [LadderSettled(match.id, winner, match.ended.reason is Termination.TIME)]


class Outlook:
    """Whom a player may challenge now."""

    def __init__(self, ladder: Ladder, player: IdentityId, rating_of: RatingOf, now_ms: int) -> None:
        self._ladder, self._player, self._now_ms = ladder, player, now_ms
        self.place = ladder.place_of(player)
        """The player's own place."""
        by_player = {identity: rating_of(identity).points for identity in ladder.places}
        self.highest = 0 if self.place is None else highest_place(ladder.places, player, by_player)
        """The highest place that the player may challenge; 0 if the player is not on the ladder."""
        self.incoming = Counter(challenge.challenged for challenge in ladder.challenges.values())
        """How many challenges to each player are being played."""
        self._pairs = {challenge.pair for challenge in ladder.challenges.values()}

    def refusal_for(self, other: IdentityId) -> Refusal | None:
        """Return why the player may not challenge another; None if the challenge begins a match."""
        pair = frozenset((self._player, other))
        met_ms = self._ladder.met_ms.get(pair)
        challenged = Challenged(self._ladder.place_of(other), self.incoming[other], pair in self._pairs, met_ms)
        return find_refusal(self.place, self.highest, challenged, self._now_ms)
