"""A match as a value: a position with seats, clocks, offers and a result.

Pure: no sockets, no storage, no clock of its own. What a command leads to is decided in `server.matches.referee`; the
events are stored, and only then folded into the match (`server.matches.fold`).

A match waits until every seat has its player, is played, and is over. Its `State` (engine) knows the rules; this module
knows seats, clocks and offers.
"""

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import (
    Created,
    Ended,
    IdentityId,
    MatchId,
    Player,
    Rated,
    SeatRating,
)

from .built_in_bots import bot_player
from .clock import Clock
from .departures import STAND_IN_LEVEL, Departure
from .open_offers import OpenOffers, Pause

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
    phase: Phase = Phase.WAITING
    """How far the match has got."""
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
    ended_at_ms: int | None = None
    offers: OpenOffers = OpenOffers()
    pause: Pause | None = None
    """The pause that the match is in."""
    berserk: frozenset[int] = frozenset()
    """The seats that have halved their time."""
    pauses_at_ply: int | None = None
    """In a match between bots: at which number of plies it pauses by itself."""
    rematch_offers: frozenset[int] = frozenset()
    rematch_declined: frozenset[int] = frozenset()
    successor: MatchId | None = None
    taken_back_seq: int = 0
    """Of the latest takeback; 0 if there was none."""
    vacation: int | None = None
    """The seat whose clock stands still until its player comes back from vacation."""
    rated: Rated | None = None
    """What the match has done to the ratings; None until that is settled."""
    has_page_plies: bool = False
    """Whether a page has thought for the bot: nothing may count the result."""
    is_void: bool = False
    """Whether a moderator has voided the result."""

    @classmethod
    def of(cls, match: MatchId, event: Created) -> "Match":
        """Return the match after its first event. Raises: SetupError, UnknownGameError."""
        state = State.of(find_game(event.game), event.setup)
        own_ms = [plan.initial_ms for plan in event.seats]
        clock = None if event.clock is None else Clock.of(event.clock, state.start.seats, own_ms)
        empty = (None,) * state.start.seats
        return cls(match, event, state, empty, empty, clock)

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
        departure = self.departure_of(self.state.seat) if self.departures else None
        if departure is None:
            return self.players[self.state.seat]
        return None if departure.stand_in is None else bot_player(STAND_IN_LEVEL)

    @property
    def due_at_ms(self) -> int | None:
        """When the next automatic event is due: a flag falls, votes are counted, the match reaches its limit."""
        if self.phase is not Phase.PLAYING:
            return self.lapses_at_ms
        times_ms = [
            None if self.clock is None else self.clock.flag_falls_at_ms,
            None if self.first_ply_ms is None else self.first_ply_due_at_ms,
            self.limit_at_ms,
            None if self.pause is None else self.pause.ends_at_ms,
        ]
        for departure in self.departures:
            if departure.stand_in is None:
                times_ms.append(departure.due_at_ms)
        due_at_ms = None
        for time_ms in times_ms:
            if time_ms is not None and (due_at_ms is None or time_ms < due_at_ms):
                due_at_ms = time_ms
        return due_at_ms

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

    @property
    def is_between_bots(self) -> bool:
        """Whether the match is played, and only by built-in bots; people may have left it to them."""
        return self.phase is Phase.PLAYING and not self.voters

    @property
    def needs_spectators(self) -> bool:
        """Whether the match stands still while nobody watches. An exhibition ends with its audience instead, and a
        tournament waits for nobody."""
        return self.is_between_bots and not self.created.exhibition and self.created.tournament is None

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

    def is_held_by(self, seat: int, identity: IdentityId) -> bool:
        """Return whether a person holds the seat; False for a built-in bot and for a seat that the match lacks."""
        player = self.players[seat] if seat < len(self.players) else None
        return player is not None and player.id == identity and player.level is None

    def moved_to(self, state: State, clocks_ms: tuple[int, ...] | None, at_ms: int) -> "Match":
        """Return the match with another position. The clock of the seat to move runs, unless its player has left or it
        makes its first ply."""
        clock = self.clock
        if clock is not None and clocks_ms is not None:
            has_left = bool(self.departures) and self.departure_of(state.seat) is not None
            if has_left or (self.first_ply_ms is not None and self._is_first_ply(state)):
                clock = clock.set_to(clocks_ms)
            else:
                clock = clock.set_to(clocks_ms, state.seat, at_ms + clock.settings.delay_ms)
        return replace(self, state=state, clock=clock, turn_at_ms=at_ms, vacation=None)

    def _is_first_ply(self, state: State) -> bool:
        """Return whether the seat to move makes its first ply while no clock runs."""
        return self.first_ply_ms is not None and state.ply < len(self.players)
