"""A match as a value: the fold of its events into a position, seats, clocks, offers and a result.

Pure: no sockets, no storage, no clock of its own. What a command leads to is decided in `server.matches.referee`; the
events are stored, and only then folded into the match (`Match.after`).

A match waits until every seat has its player, is played, and is over. Its `State` (engine) knows the rules; this module
knows seats, clocks and offers.
"""

import dataclasses
from collections.abc import Callable, Sequence
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from millrace.engine.games import find_game
from millrace.engine.state import State

from ..journal.store import Entry, Recorded
from ..protocol import (
    Created,
    Ended,
    Event,
    IdentityId,
    Left,
    MatchId,
    Moved,
    OfferAccepted,
    OfferDeclined,
    Offered,
    Paused,
    PauseEnded,
    Player,
    Rated,
    RematchDeclined,
    RematchOffered,
    RematchStarted,
    Resumed,
    Seated,
    SeatRating,
    StandInChosen,
    Started,
    StoodIn,
    TakenBack,
    TimeGiven,
    Voided,
)
from .built_in_bots import bot_player
from .clock import Clock
from .departures import STAND_IN_LEVEL, Departure
from .open_offers import OpenOffers, Pause
from .takebacks import apply_takeback

LAPSE_MS = 3 * 86_400_000
"""How long a match waits for its players."""


class Phase(StrEnum):
    """How far a match has got."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


class Match(msgspec.Struct, frozen=True):
    """A position with seats, clock, offers and result."""

    id: MatchId
    created: Created
    state: State
    players: tuple[Player | None, ...]
    ratings: tuple[SeatRating | None, ...]
    """Each player's rating when the seat was taken; None for guests."""
    clock: Clock | None
    """None in an untimed match."""
    created_at_ms: int | None = None
    """None in a match that is not stored yet."""
    seq: int = 1
    """Of the latest event."""
    is_started: bool = False
    first_ply_ms: int | None = None
    """How long each seat has for its first ply, before any clock runs. None: the clock runs at once."""
    present_from_ms: int = 0
    """From when absence counts: the start, or the end of the grace period after a pause or a restart of the server."""
    turn_at_ms: int = 0
    """When the turn of the seat to move began."""
    limit_at_ms: int | None = None
    """When the match is adjudicated, if it has a time limit and has started."""
    departures: tuple[Departure, ...] = ()
    """The seats whose players have left, in order."""
    ended: Ended | None = None
    offers: OpenOffers = OpenOffers()
    pause: Pause | None = None
    """The pause that the match is in."""
    rematch_offers: frozenset[int] = frozenset()
    rematch_declined: frozenset[int] = frozenset()
    successor: MatchId | None = None
    rated: Rated | None = None
    """What the match has done to the ratings; None until that is settled."""
    is_void: bool = False
    """Whether a moderator has voided the result."""

    @classmethod
    def of(cls, match: MatchId, event: Created) -> "Match":
        """Return the match after its first event. Raises: SetupError, UnknownGameError."""
        state = State.of(find_game(event.game), event.setup)
        clock = None if event.clock is None else Clock.of(event.clock, state.start.seats)
        empty = (None,) * state.start.seats
        return cls(match, event, state, empty, empty, clock)

    @classmethod
    def replayed(cls, match: MatchId, events: Sequence[Recorded]) -> "Match":
        """Return the match after its stored events, at least one."""
        first, *rest = events
        assert isinstance(first.entry.event, Created)
        replayed = replace(cls.of(match, first.entry.event), created_at_ms=first.entry.at_ms)
        for recorded in rest:
            replayed = replayed.after(recorded)
        return replayed

    @property
    def phase(self) -> Phase:
        """How far the match has got."""
        if self.ended is not None:
            return Phase.OVER
        return Phase.PLAYING if self.is_started else Phase.WAITING

    @property
    def is_rating_due(self) -> bool:
        """Whether the match is over, and what it does to the ratings has yet to be settled."""
        return self.created.rated and self.ended is not None and self.rated is None and not self.is_void

    @property
    def to_move(self) -> int | None:
        """The seat to move, while the match is played."""
        return self.state.seat if self.phase is Phase.PLAYING else None

    @property
    def mover(self) -> Player | None:
        """The player who makes the next ply: a bot for a player who has left. None while nobody may, as in a pause or
        while the stand-in is not settled."""
        if self.phase is not Phase.PLAYING or self.pause is not None:
            return None
        departure = self.departure_of(self.state.seat)
        if departure is None:
            return self.players[self.state.seat]
        return None if departure.stand_in is None else bot_player(STAND_IN_LEVEL)

    @property
    def due_at_ms(self) -> int | None:
        """When the next automatic event is due: a flag falls, votes are counted, the match reaches its limit."""
        if self.phase is not Phase.PLAYING:
            return self.lapses_at_ms
        flag_falls_at_ms = None if self.clock is None else self.clock.flag_falls_at_ms
        votes_due_ms = [departure.due_at_ms for departure in self.departures if departure.stand_in is None]
        pause_ends_at_ms = None if self.pause is None else self.pause.ends_at_ms
        times_ms = (flag_falls_at_ms, self.first_ply_due_at_ms, self.limit_at_ms, pause_ends_at_ms, *votes_due_ms)
        return min((time_ms for time_ms in times_ms if time_ms is not None), default=None)

    @property
    def lapses_at_ms(self) -> int | None:
        """When the match is called off if seats are still open."""
        if self.phase is not Phase.WAITING or self.created_at_ms is None:
            return None
        return self.created_at_ms + LAPSE_MS

    @property
    def maker(self) -> Player | None:
        """The player who created the match for others to join; None if there is none."""
        return next((self.players[seat] for seat, plan in enumerate(self.created.seats) if plan.occupant == "me"), None)

    @property
    def first_ply_due_at_ms(self) -> int | None:
        """When the match is called off if the person to move has not made the seat's first ply; None otherwise."""
        if self.first_ply_ms is None or not self._is_first_ply(self.state):
            return None
        mover = self.mover
        return None if mover is None or mover.level is not None else self.turn_at_ms + self.first_ply_ms

    @property
    def staying(self) -> frozenset[int]:
        """The seats whose players have not left."""
        return frozenset(range(len(self.players))) - {departure.seat for departure in self.departures}

    @property
    def voters(self) -> frozenset[int]:
        """The seats of the people who still play."""
        return frozenset(seat for seat in self.staying if self.is_person(seat))

    def is_person(self, seat: int) -> bool:
        """Return whether a person, not a bot, has the seat."""
        player = self.players[seat]
        return player is not None and player.level is None

    def holder_of(self, seat: int) -> IdentityId:
        """Return the identity of the seat's player; the seat must be taken."""
        player = self.players[seat]
        assert player is not None
        return player.id

    def departure_of(self, seat: int) -> Departure | None:
        """Return the departure from a seat, or None if its player has not left."""
        for departure in self.departures:
            if departure.seat == seat:
                return departure
        return None

    @property
    def people(self) -> frozenset[IdentityId]:
        """The identities of the people who hold seats."""
        return frozenset(player.id for player in self.players if player is not None and player.level is None)

    @property
    def bot_accounts(self) -> tuple[int, ...]:
        """The seats of bots that have accounts; not those of built-in bots."""
        return tuple(seat for seat, player in enumerate(self.players) if player is not None and player.bot)

    def seats_of(self, identity: IdentityId) -> tuple[int, ...]:
        """Return the seats that a person holds; none for a built-in bot."""
        players = enumerate(self.players)
        return tuple([seat for seat, player in players if player and player.id == identity and player.level is None])

    def after(self, recorded: Recorded, played: State | None = None) -> "Match":
        """Return the match after its next event.

        `played` is the position after a ply, if the caller knows it: of a `Moved` from this position it saves work.
        """
        seq, entry = recorded
        assert seq == self.seq + 1
        return self._folded(replace(self, seq=seq), entry, played)

    def following(self, event: Event, at_ms: int) -> "Match":
        """Return the match as it will be if the event is stored next."""
        return self.after(Recorded(self.seq + 1, Entry(event, at_ms)))

    def following_all(self, entries: Sequence[Entry]) -> "Match":
        """Return the match as it will be if the entries are stored next."""
        match = self
        for entry in entries:
            match = match.following(entry.event, entry.at_ms)
        return match

    def moved_to(self, state: State, clocks_ms: tuple[int, ...] | None, at_ms: int) -> "Match":
        """Return the match with another position. The clock of the seat to move runs, unless its player has left or it
        makes its first ply."""
        clock = self.clock
        if clock is not None and clocks_ms is not None:
            clock = Clock(clock.settings, clocks_ms)
            if self.departure_of(state.seat) is None and not self._is_first_ply(state):
                clock = clock.run(state.seat, at_ms)
        return replace(self, state=state, clock=clock, turn_at_ms=at_ms)

    def _is_first_ply(self, state: State) -> bool:
        """Return whether the seat to move makes its first ply while no clock runs."""
        return self.first_ply_ms is not None and state.ply < len(self.players)

    def _position_after(self, move: str, played: State | None) -> State:
        if played is not None and played.previous is self.state:
            return played
        return self.state.after(self.state.parse_move(move))

    @staticmethod
    def _folded(match: "Match", entry: Entry, played: State | None) -> "Match":  # noqa: PLR0911  # one return for each kind
        match entry.event:
            case Seated(seat, player, rating):
                players = (*match.players[:seat], player, *match.players[seat + 1 :])
                ratings = (*match.ratings[:seat], rating, *match.ratings[seat + 1 :])
                return replace(match, players=players, ratings=ratings)
            case Started(first_ply_ms):
                return match._started(first_ply_ms, entry.at_ms)
            case Moved(_, move, clocks_ms):
                return match.moved_to(match._position_after(move, played), clocks_ms, entry.at_ms)
            case Left() | StandInChosen() | StoodIn() as event:
                return match._with_departure(event, entry.at_ms)
            case Ended() as ended:
                clock = None if match.clock is None else match.clock.stop(entry.at_ms)
                return replace(match, ended=ended, clock=clock, offers=OpenOffers(), pause=None)
            case Offered() | OfferAccepted() | OfferDeclined() as event:
                return replace(match, offers=match.offers.after(event, match.state.ply))
            case TakenBack() | TimeGiven() | Paused() | PauseEnded() as event:
                return match._settled(event, entry.at_ms)
            case Resumed() as resumed:
                return match._resumed(resumed, entry.at_ms)
            case RematchOffered() | RematchDeclined() as event:
                return match._with_rematch(event)
            case RematchStarted(successor):
                return replace(match, successor=successor)
            case Rated() | Voided() as event:
                return replace(match, rated=event) if isinstance(event, Rated) else replace(match, is_void=True)
            case Created():
                raise AssertionError("a match is created once")

    def _started(self, first_ply_ms: int | None, at_ms: int) -> "Match":
        started = replace(self, is_started=True, first_ply_ms=first_ply_ms, turn_at_ms=at_ms, present_from_ms=at_ms)
        if self.clock is None:
            return started
        limit_ms = self.clock.settings.match_limit_ms
        limit_at_ms = None if limit_ms is None else at_ms + limit_ms
        clock = self.clock if first_ply_ms is not None else self.clock.run(self.state.seat, at_ms)
        return replace(started, clock=clock, limit_at_ms=limit_at_ms)

    def _resumed(self, resumed: Resumed, at_ms: int) -> "Match":
        assert self.clock is not None
        goes_on_at_ms = at_ms + resumed.grace_ms
        clock = dataclasses.replace(self.clock, remaining_ms=resumed.clocks_ms, since_ms=goes_on_at_ms)
        limit_at_ms = None if resumed.limit_ms is None else goes_on_at_ms + resumed.limit_ms
        return replace(
            self, clock=clock, limit_at_ms=limit_at_ms, turn_at_ms=goes_on_at_ms, present_from_ms=goes_on_at_ms
        )

    def _settled(self, event: TakenBack | TimeGiven | Paused | PauseEnded, at_ms: int) -> "Match":
        clock = self.clock
        match event:
            case TakenBack(_, plies, clocks_ms):
                state = apply_takeback(self.state, plies)
                return replace(self.moved_to(state, clocks_ms, at_ms), offers=OpenOffers())
            case TimeGiven(_, seats, given_ms):
                return replace(self, clock=None if clock is None else clock.given(seats, given_ms))
            case Paused(_, ends_at_ms):
                limit_ms = None if self.limit_at_ms is None else max(0, self.limit_at_ms - at_ms)
                stopped = None if clock is None else clock.stop(at_ms)
                pause = Pause(ends_at_ms, limit_ms)
                return replace(self, clock=stopped, limit_at_ms=None, pause=pause, offers=OpenOffers())
            case PauseEnded(_, clocks_ms, grace_ms, limit_ms):
                goes_on_at_ms = at_ms + grace_ms
                limit_at_ms = None if limit_ms is None else goes_on_at_ms + limit_ms
                going_on = self.moved_to(self.state, clocks_ms, goes_on_at_ms)
                return replace(going_on, limit_at_ms=limit_at_ms, pause=None, present_from_ms=goes_on_at_ms)

    def _with_rematch(self, event: RematchOffered | RematchDeclined) -> "Match":
        seat, others = event.seat, self.rematch_offers - {event.seat}
        if isinstance(event, RematchOffered):
            return replace(self, rematch_offers=others | {seat}, rematch_declined=self.rematch_declined - {seat})
        # With two seats nobody is left to play with, so the other offer ends too.
        offers = others if len(self.players) > 2 else frozenset()
        return replace(self, rematch_offers=offers, rematch_declined=self.rematch_declined | {seat})

    def _with_departure(self, event: Left | StandInChosen | StoodIn, at_ms: int) -> "Match":
        match event:
            case Left(seat, reason):
                clock = self.clock
                if clock is not None and clock.running == seat:
                    clock = clock.stop(at_ms)
                return replace(self, clock=clock, departures=(*self.departures, Departure(seat, reason, at_ms)))
            case StandInChosen(seat, for_seat, choice):
                return self._with_changed(for_seat, lambda departure: departure.voted(seat, choice))
            case StoodIn(seat, choice):
                return self._with_changed(seat, lambda departure: dataclasses.replace(departure, stand_in=choice))

    def _with_changed(self, seat: int, change: Callable[[Departure], Departure]) -> "Match":
        departures = (change(each) if each.seat == seat else each for each in self.departures)
        return replace(self, departures=tuple(departures))
