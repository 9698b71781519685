"""A tournament as a value: the fold of its events.

Pure: no storage, no clock of its own. What a command or the time leads to is decided in
`server.tournaments.decisions`; whom to pair and the standings depend on the kind, `server.tournaments.kinds`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from millrace.protocol import IdentityId, MatchId, Player, TournamentId, TournamentPlan, TournamentStatus

from .arena_scoring import DRAW, LOSS, WIN, MatchResult, is_on_fire, performance_of, points_of
from .events import (
    Accepted,
    Announced,
    AnyEvent,
    Begun,
    Closed,
    Disqualified,
    Halted,
    Joined,
    Opened,
    Pair,
    PairingForbidden,
    PlayerPaused,
    Reminded,
    Scored,
    WavePaired,
    Withdrawn,
)

Made = TypeVar("Made")

MINUTE_MS = 60_000
SITE = Player(IdentityId("site"), "Millrace", registered=True)
"""Organises the arenas of the calendar."""


class Game(msgspec.Struct, frozen=True):
    """A counted match, as one of its players had it."""

    match: MatchId
    opponent: IdentityId
    result: MatchResult


class Entrant(msgspec.Struct, frozen=True):
    """A player of the tournament."""

    identity: IdentityId
    rating: int
    """When the player joined first."""
    provisional: bool
    order: int
    """How many had joined before."""
    waits_since_ms: int
    """When the player joined, came back, or ended the latest match."""
    missed_rounds: int = 0
    """How many rounds or waves had been paired when the player joined first."""
    is_paused: bool = False
    is_disqualified: bool = False
    is_accepted: bool = False
    """Whether the host of a simul has accepted the player."""
    missed: int = 0
    """First moves that the player has missed, or tables left, in a row since joining or coming back."""
    match: MatchId | None = None
    """The match being played."""
    opponents: tuple[IdentityId, ...] = ()
    """Of all matches, the latest last; everybody else at a table counts."""
    seats: tuple[int, ...] = ()
    """The seat in each of them."""
    games: tuple[Game, ...] = ()
    """The counted matches, in the order in which they ended."""
    points: tuple[int, ...] = ()
    score: int = 0
    performance: int | None = None

    @property
    def is_free(self) -> bool:
        """Whether the player can be paired."""
        return self.match is None and not self.is_paused

    @property
    def results(self) -> tuple[MatchResult, ...]:
        """The result of each counted match."""
        return tuple(game.result for game in self.games)

    @property
    def is_on_fire(self) -> bool:
        """Whether the next result counts double."""
        return is_on_fire(self.results)

    def with_games(self, games: tuple[Game, ...]) -> "Entrant":
        """Return the player with these counted matches."""
        results = tuple(game.result for game in games)
        points = points_of(results)
        return replace(self, games=games, points=points, score=sum(points), performance=performance_of(results))


class Round(msgspec.Struct, frozen=True):
    """A round that has been paired."""

    pairs: tuple[Pair, ...]
    byes: tuple[IdentityId, ...]
    walkovers: tuple[tuple[IdentityId, IdentityId], ...]
    """The winner and the loser of each."""
    seed: int | None = None
    """Chooses the pasture on which all tables of an arena play."""
    scored: Mapping[MatchId, Scored] = {}
    """The results until now."""


class Tournament(msgspec.Struct, frozen=True, dict=True):
    """A tournament after some of its events. What `once` returns is kept in its dictionary.

    The organiser of a simul is its host, and no entrant.
    """

    id: TournamentId
    plan: TournamentPlan
    by: IdentityId
    password: str
    """The digest of the password; empty without one."""
    seq: int = 1
    """Of the latest event."""
    status: TournamentStatus = "planned"
    entrants: Mapping[IdentityId, Entrant] = {}
    pairs: Mapping[MatchId, Pair] = {}
    """The matches that are being played, or are about to be created."""
    opened: frozenset[MatchId] = frozenset()
    """Those of them that have been created."""
    joined: int = 0
    """How many have ever joined."""
    waves: int = 0
    wave_at_ms: int = 0
    """When the latest wave was."""
    rounds: tuple[Round, ...] = ()
    """Those that have been paired; arenas for two seats have none."""
    forbidden: frozenset[frozenset[IdentityId]] = frozenset()
    """Pairs of players who are kept apart."""
    scored_at_ms: int = 0
    """When the latest result was counted."""
    halted_ms: int = 0
    """How long the tournament's time has stood still."""
    halted_until_ms: int = 0
    """When that last ended."""
    closed_at_ms: int = 0
    is_reminded: bool = False
    """Whether the players have been notified of the start."""

    @property
    def has_rounds(self) -> bool:
        """Whether a round waits for the end of the one before, as also at the tables of an arena."""
        return self.plan.kind != "arena" or self.plan.seats > 2

    @property
    def deadline_ms(self) -> int | None:
        """When the time of an arena is over; None in other kinds. Matches at tables may be finished after it."""
        if self.plan.kind != "arena":
            return None
        return self.plan.starts_at_ms + self.plan.minutes * MINUTE_MS + self.halted_ms

    @property
    def ends_at_ms(self) -> int:
        """When the tournament ends or has ended; its start as long as nobody knows."""
        if self.has_rounds and self.closed_at_ms:
            return self.closed_at_ms
        return self.deadline_ms or self.closed_at_ms or self.plan.starts_at_ms

    def once(self, compute: Callable[["Tournament"], Made]) -> Made:
        """Return what a function makes of the tournament, computed once for this value."""
        known: dict[str, Made] = vars(self)
        name = f"{compute.__module__}.{compute.__qualname__}"
        if name not in known:
            known[name] = compute(self)
        return known[name]


def announced(tournament: TournamentId, event: Announced) -> Tournament:
    """Return a tournament after its first event."""
    return Tournament(tournament, event.plan, event.by, event.password)


def after(tournament: Tournament, events: Iterable[tuple[AnyEvent, int]]) -> Tournament:
    """Return the tournament after its next events, each with its time."""
    fold = _Fold(tournament)
    for event, at_ms in events:
        fold.add(event, at_ms)
    return fold.tournament()


class _Fold:
    """A tournament while events are added: its mappings are copied once for all of them."""

    def __init__(self, tournament: Tournament) -> None:
        self._before = tournament
        self._status = tournament.status
        self._seq, self._joined, self._waves = tournament.seq, tournament.joined, tournament.waves
        self._wave_at_ms, self._scored_at_ms = tournament.wave_at_ms, tournament.scored_at_ms
        self._halted_ms, self._halted_until_ms = tournament.halted_ms, tournament.halted_until_ms
        self._closed_at_ms = tournament.closed_at_ms
        self._rounds, self._forbidden = tournament.rounds, tournament.forbidden
        self._entrants = dict(tournament.entrants)
        self._pairs = dict(tournament.pairs)
        self._opened = tournament.opened
        self._is_reminded = tournament.is_reminded

    def tournament(self) -> Tournament:
        return replace(
            self._before,
            seq=self._seq,
            status=self._status,
            entrants=self._entrants,
            pairs=self._pairs,
            opened=self._opened & self._pairs.keys(),
            joined=self._joined,
            waves=self._waves,
            wave_at_ms=self._wave_at_ms,
            rounds=self._rounds,
            forbidden=self._forbidden,
            scored_at_ms=self._scored_at_ms,
            halted_ms=self._halted_ms,
            halted_until_ms=self._halted_until_ms,
            closed_at_ms=self._closed_at_ms,
            is_reminded=self._is_reminded,
        )

    def add(self, event: AnyEvent, at_ms: int) -> None:
        self._seq += 1
        match event:
            case Joined():
                self._join(event, at_ms)
            case Withdrawn(identity) | PlayerPaused(identity) | Disqualified(identity) | Accepted(identity) if (
                identity not in self._entrants
            ):
                pass  # stored just after the account was deleted, whose player has another identity since
            case Withdrawn(identity):
                del self._entrants[identity]
            case PlayerPaused(identity):
                self._entrants[identity] = replace(self._entrants[identity], is_paused=True)
            case WavePaired(pairs, byes, walkovers, seed):
                self._pair(pairs, at_ms)
                if self._before.has_rounds:
                    self._rounds += (Round(pairs, byes, walkovers, seed),)
            case Scored():
                self._score(event, at_ms)
            case Disqualified(identity):
                self._disqualify(identity)
            case Accepted(identity, on):
                self._entrants[identity] = replace(self._entrants[identity], is_accepted=on)
            case _:
                self._add_of_all(event, at_ms)

    def _add_of_all(self, event: AnyEvent, at_ms: int) -> None:
        """Add an event that concerns the tournament as a whole."""
        match event:
            case Reminded():
                self._is_reminded = True
            case Begun():
                self._status = "running"
            case Opened(matches):
                self._opened |= frozenset(matches)
            case PairingForbidden(players, on):
                pair = frozenset((frozenset(players),))
                self._forbidden = self._forbidden | pair if on else self._forbidden - pair
            case Halted(since_ms, until_ms):
                self._halted_ms += until_ms - since_ms
                self._halted_until_ms = until_ms
                self._scored_at_ms += until_ms - since_ms
            case Closed():
                self._close(at_ms)
            case _:
                raise AssertionError("a tournament is announced once")

    def _join(self, event: Joined, at_ms: int) -> None:
        known = self._entrants.get(event.identity)
        if known is None:
            self._joined += 1
            known = Entrant(event.identity, event.rating, event.provisional, self._joined, at_ms, self._waves)
        self._entrants[event.identity] = replace(known, is_paused=False, missed=0, waits_since_ms=at_ms)

    def _pair(self, pairs: Iterable[Pair], at_ms: int) -> None:
        self._waves += 1
        self._wave_at_ms = at_ms
        for pair in pairs:
            self._pairs[pair.match] = pair
            for seat, entrant in self._entrants_of(pair):
                self._entrants[entrant.identity] = replace(
                    entrant,
                    match=pair.match,
                    opponents=entrant.opponents + pair.players[:seat] + pair.players[seat + 1 :],
                    seats=(*entrant.seats, seat),
                )

    def _score(self, event: Scored, at_ms: int) -> None:
        pair = self._pairs.pop(event.match)
        self._scored_at_ms = at_ms
        if self._rounds:
            *before, latest = self._rounds
            self._rounds = (*before, replace(latest, scored={**latest.scored, event.match: event}))
        for seat, known in self._entrants_of(pair):
            entrant = replace(known, match=None, waits_since_ms=at_ms)
            if seat == event.absent or seat in event.left:
                entrant = replace(entrant, missed=entrant.missed + 1)
            elif event.absent is None:
                entrant = replace(entrant, missed=0)
            self._entrants[entrant.identity] = entrant
        if event.ranks is not None and self._before.plan.seats == 2:
            self._add_games(pair, event, event.ranks)

    def _add_games(self, pair: Pair, event: Scored, ranks: tuple[int, ...]) -> None:
        for seat, entrant in self._entrants_of(pair):
            opponent = self._entrants.get(pair.players[1 - seat])
            if opponent is not None and not opponent.is_disqualified:
                result = MatchResult(_outcome(ranks, seat), event.plies, opponent.rating, seat in event.berserk)
                games = (*entrant.games, Game(event.match, opponent.identity, result))
                self._entrants[entrant.identity] = entrant.with_games(games)

    def _entrants_of(self, pair: Pair) -> list[tuple[int, Entrant]]:
        """Return the players of a pair, each with the seat, without the host of a simul."""
        return [(seat, self._entrants[each]) for seat, each in enumerate(pair.players) if each in self._entrants]

    def _disqualify(self, identity: IdentityId) -> None:
        """Take a player out of the standings, and the results of all others against the player."""
        self._entrants[identity] = replace(self._entrants[identity], is_disqualified=True, is_paused=True)
        for other, entrant in self._entrants.items():
            games = tuple(game for game in entrant.games if game.opponent != identity)
            if len(games) < len(entrant.games):
                self._entrants[other] = entrant.with_games(games)

    def _close(self, at_ms: int) -> None:
        self._status, self._closed_at_ms = "over", at_ms
        for pair in self._pairs.values():
            for _, entrant in self._entrants_of(pair):
                self._entrants[entrant.identity] = replace(entrant, match=None)
        self._pairs = {}


def _outcome(ranks: tuple[int, ...], seat: int) -> int:
    if ranks[0] == ranks[1]:
        return DRAW
    return WIN if ranks[seat] == 1 else LOSS
