"""A match as a value: a state with seats, clocks, offers and result, and what it becomes with each of its events.

Pure: no sockets, no storage, no clock of its own. What a command leads to is decided in `server.matches.referee`, which
hands events to the caller to be stored; only then are they folded into the match (`Match.after`).

A match waits until every seat has its player, is played, and is over. Its `State` (engine) knows the rules; this module
knows seats, clocks and offers.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from millrace.engine.game import Game
from millrace.engine.games import find_game
from millrace.engine.levels.opponents import OPPONENTS, find_opponent
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
from .clock import Clock
from .departures import STAND_IN_LEVEL, Departure
from .open_offers import Offers, Pause

LAPSE_MS = 3 * 86_400_000
"""So long a match waits for its players."""


_BOT_PREFIX = "bot-"


class Phase(StrEnum):
    """How far a match has got."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


class Match(msgspec.Struct, frozen=True):
    """A state with seats, clock, offers and result: the fold of its events."""

    id: MatchId
    created: Created
    state: State
    players: tuple[Player | None, ...]
    ratings: tuple[SeatRating | None, ...]
    """What each player was rated when the seat was taken; None for guests."""
    clock: Clock | None
    """None in an untimed match."""
    created_at_ms: int | None = None
    """None in a match that is not stored yet."""
    seq: int = 1
    """Of the latest event."""
    is_started: bool = False
    first_ply_ms: int | None = None
    """So long each seat has for its first ply, if play is begun so: then no clock runs until all have made theirs."""
    present_from_ms: int = 0
    """From when players must be there: since it started, or since the grace after the server was away is over."""
    turn_at_ms: int = 0
    """From when the seat to move could move."""
    limit_at_ms: int | None = None
    """When the match will be judged as it stands, if it has a time limit and has started."""
    departures: tuple[Departure, ...] = ()
    """The seats that were left, the first to leave first."""
    ended: Ended | None = None
    offers: Offers = Offers()
    pause: Pause | None = None
    """While play rests."""
    rematch_offers: frozenset[int] = frozenset()
    rematch_declined: frozenset[int] = frozenset()
    successor: MatchId | None = None
    rated: Rated | None = None
    """What the match has done to the ratings, once that is settled."""
    is_void: bool = False
    """Whether a moderator has declared that its result does not count."""

    @classmethod
    def of(cls, match: MatchId, event: Created) -> "Match":
        """Return the match after its first event. Raises: SetupError, UnknownGameError."""
        state = State.of(find_game(event.game), event.setup)
        clock = None if event.clock is None else Clock.of(event.clock, state.start.seats)
        nobody = (None,) * state.start.seats
        return cls(match, event, state, nobody, nobody, clock)

    @classmethod
    def replayed(cls, match: MatchId, events: Sequence[Recorded]) -> "Match":
        """Return the match after its stored events, of which there is at least one."""
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
        """Whether it is still to be settled what the match does to the ratings."""
        return self.created.rated and self.ended is not None and self.rated is None and not self.is_void

    @property
    def to_move(self) -> int | None:
        """The seat to move, while the match is played."""
        return self.state.seat if self.phase is Phase.PLAYING else None

    @property
    def mover(self) -> Player | None:
        """Who is to make the next ply, a bot in the place of one who left; None also while that is not settled, and
        during a pause."""
        if self.phase is not Phase.PLAYING or self.pause is not None:
            return None
        departure = self.departure_of(self.state.seat)
        if departure is None:
            return self.players[self.state.seat]
        return None if departure.stand_in is None else bot_player(STAND_IN_LEVEL)

    @property
    def due_at_ms(self) -> int | None:
        """When something will happen by itself: a flag falls, votes are counted, the match reaches its limit."""
        if self.phase is not Phase.PLAYING:
            return self.lapses_at_ms
        flag_falls_at_ms = None if self.clock is None else self.clock.flag_falls_at_ms
        votes_due_ms = [departure.due_at_ms for departure in self.departures if departure.stand_in is None]
        pause_ends_at_ms = None if self.pause is None else self.pause.ends_at_ms
        times_ms = (flag_falls_at_ms, self.first_ply_due_at_ms, self.limit_at_ms, pause_ends_at_ms, *votes_due_ms)
        return min((time_ms for time_ms in times_ms if time_ms is not None), default=None)

    @property
    def lapses_at_ms(self) -> int | None:
        """When the match will be given up, if seats of it are still open then."""
        if self.phase is not Phase.WAITING or self.created_at_ms is None:
            return None
        return self.created_at_ms + LAPSE_MS

    @property
    def maker(self) -> Player | None:
        """Who made the match for others to join; None if it does not say."""
        return next((self.players[seat] for seat, plan in enumerate(self.created.seats) if plan.occupant == "me"), None)

    @property
    def first_ply_due_at_ms(self) -> int | None:
        """By when the person to move must have made the seat's first ply, or the match is called off."""
        if self.first_ply_ms is None or not self._is_first_ply(self.state):
            return None
        mover = self.mover
        return None if mover is None or mover.level is not None else self.turn_at_ms + self.first_ply_ms

    @property
    def staying(self) -> frozenset[int]:
        """The seats that nobody has left."""
        return frozenset(range(len(self.players))) - {departure.seat for departure in self.departures}

    @property
    def voters(self) -> frozenset[int]:
        """The seats of the people who still play."""
        return frozenset(
            seat for seat in self.staying if (player := self.players[seat]) is not None and player.level is None
        )

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
        """The seats that accounts of bots hold; not those of the house's own."""
        return tuple(seat for seat, player in enumerate(self.players) if player is not None and player.bot)

    def seats_of(self, identity: IdentityId) -> tuple[int, ...]:
        """Return the seats that somebody holds; a bot's seats are nobody's."""
        players = enumerate(self.players)
        return tuple([seat for seat, player in players if player and player.id == identity and player.level is None])

    def after(self, recorded: Recorded, played: State | None = None) -> "Match":
        """Return the match after its next event.

        `played` is the state after the ply that was decided, for a caller that has it: it saves generating the moves
        again. It is used only if that ply was decided on the present state.
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
        """Return the match with another state, the clock of its seat to move running, unless that seat was left or is
        to make its first ply."""
        clock = self.clock
        if clock is not None and clocks_ms is not None:
            clock = Clock(clock.settings, clocks_ms)
            if self.departure_of(state.seat) is None and not self._is_first_ply(state):
                clock = clock.run(state.seat, at_ms)
        return replace(self, state=state, clock=clock, turn_at_ms=at_ms)

    def _is_first_ply(self, state: State) -> bool:
        """Return whether the seat to move makes its first ply, for which no clock runs."""
        return self.first_ply_ms is not None and state.ply < len(self.players)

    @staticmethod
    def _folded(match: "Match", entry: Entry, played: State | None) -> "Match":  # noqa: PLR0911  # one return for each kind of event
        match entry.event:
            case Seated(seat, player, rating):
                players = (*match.players[:seat], player, *match.players[seat + 1 :])
                ratings = (*match.ratings[:seat], rating, *match.ratings[seat + 1 :])
                return replace(match, players=players, ratings=ratings)
            case Started(first_ply_ms):
                return match._started(first_ply_ms, entry.at_ms)
            case Moved(_, move, clocks_ms):
                return match.moved_to(match._state_after(move, played), clocks_ms, entry.at_ms)
            case Left() | StandInChosen() | StoodIn() as event:
                return match._with_departure(event, entry.at_ms)
            case Ended() as ended:
                clock = None if match.clock is None else match.clock.stop(entry.at_ms)
                return replace(match, ended=ended, clock=clock, offers=Offers(), pause=None)
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

    def _state_after(self, move: str, played: State | None) -> State:
        """Return the state after a stored ply: `played`, if that came from the present state."""
        if played is not None and played.previous is self.state:
            return played
        return self.state.after(self.state.parse_move(move))

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
                state = self.state
                for _ in range(plies):
                    state = state.undo()
                return replace(self.moved_to(state, clocks_ms, at_ms), offers=Offers())
            case TimeGiven(_, seats, given_ms):
                return replace(self, clock=None if clock is None else clock.given(seats, given_ms))
            case Paused(_, ends_at_ms):
                limit_ms = None if self.limit_at_ms is None else max(0, self.limit_at_ms - at_ms)
                stopped = None if clock is None else clock.stop(at_ms)
                pause = Pause(ends_at_ms, limit_ms)
                return replace(self, clock=stopped, limit_at_ms=None, pause=pause, offers=Offers())
            case PauseEnded(_, clocks_ms, grace_ms, limit_ms):
                goes_on_at_ms = at_ms + grace_ms
                limit_at_ms = None if limit_ms is None else goes_on_at_ms + limit_ms
                going_on = self.moved_to(self.state, clocks_ms, goes_on_at_ms)
                return replace(going_on, limit_at_ms=limit_at_ms, pause=None, present_from_ms=goes_on_at_ms)

    def _with_rematch(self, event: RematchOffered | RematchDeclined) -> "Match":
        seat, others = event.seat, self.rematch_offers - {event.seat}
        if isinstance(event, RematchOffered):
            return replace(self, rematch_offers=others | {seat}, rematch_declined=self.rematch_declined - {seat})
        # Of two seats none is left to play with, so that the other's offer is over too.
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


def bot_player(level: int | str, game: Game | None = None) -> Player:
    """Return the player that the seat of a bot shows, of a level or a personality.

    The game is needed for a level by name. Raises: EngineError.
    """
    opponent = find_opponent(level, game)
    is_level = opponent.name.isdecimal()
    name = f"Bot, level {opponent.level}" if is_level else f"{opponent.title} (bot)"
    return Player(IdentityId(f"{_BOT_PREFIX}{opponent.name}"), name, opponent.level)


HOUSE_BOTS: Mapping[IdentityId, Player] = {bot.id: bot for bot in map(bot_player, OPPONENTS)}
"""The bots of the house, by id: a level or personality each."""


def level_of_bot(player: Player) -> int | str:
    """Return what `bot_player` makes this player of: a level's number or a personality's name.

    >>> level_of_bot(bot_player("medium")), level_of_bot(bot_player("hunter"))
    (6, 'hunter')
    """
    name = player.id.removeprefix(_BOT_PREFIX)
    return int(name) if name.isdecimal() else name
