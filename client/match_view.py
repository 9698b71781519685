"""The state of a match after some of its events, for programs that need more than the latest event.

It knows no rules: legal moves come from the server. Pure.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from millrace.protocol import (
    Berserked,
    Board,
    Created,
    Ended,
    IdentityId,
    Left,
    MatchEvent,
    MatchId,
    Moved,
    MoveTree,
    OfferAccepted,
    OfferDeclined,
    Offered,
    OfferKind,
    Paused,
    PauseEnded,
    Player,
    Rated,
    RematchDeclined,
    RematchOffered,
    RematchStarted,
    Resumed,
    Seated,
    SeatFreed,
    StandIn,
    StandInChosen,
    Started,
    StoodIn,
    TakenBack,
    Tally,
    TimeGiven,
    View,
    Voided,
)

from .clock_texts import ClockFace, clock_face, clocks_by_seat, periods_left


class Pile(NamedTuple):
    """The pieces on one cell."""

    seat: int
    size: int


class Departure(NamedTuple):
    """A seat whose player has left a match of three or four, which continues."""

    seat: int
    reason: str
    votes: Mapping[int, StandIn] = MappingProxyType({})
    """The votes, by seat."""
    stand_in: StandIn | None = None
    """What takes the player's place; None while the others vote."""


class OpenOffer(NamedTuple):
    """An offer that not all other players have answered."""

    kind: OfferKind
    seat: int
    lapses_at_ply: int
    """The offer lapses when the match has this many plies."""
    agreed: frozenset[int]
    """The seats that agree, including the one that made the offer."""
    plies: int = 0
    """For a takeback: the number of plies to take back."""
    level: int | str | None = None
    """For `hand_over`: the level of the bot that would play on for the seat."""
    player: Player | None = None
    """For `take_over`: the spectator who would play on for the bot of the seat."""


class MatchView(NamedTuple):
    """A match after event `seq`."""

    seq: int = 0
    """The number of the latest event; 0 before the first."""
    created: Created | None = None
    """None only before the first event."""
    players: tuple[Player | None, ...] = ()
    """The players by seat; None for an open seat."""
    moves: tuple[str, ...] = ()
    """The texts of all plies, in order."""
    vacation: int | None = None
    """The seat to move while its clock stands still, since its player is on vacation."""
    to_move: int | None = None
    """The seat to move; None if the match has not started or is over."""
    clocks_ms: tuple[int, ...] | None = None
    """The time left for each seat when its clock last started or stopped, including all its periods; None in an untimed
    match. `clock_face` says what it shows later."""
    periods: tuple[int, ...] = ()
    """The periods of byo-yomi that each seat has left; empty without them."""
    at_ms: int = 0
    """The time of the latest event, by the server's clock."""
    turn_from_ms: int = 0
    """When the current turn began, by the server's clock; in the future during a grace period."""
    runs_from_ms: int = 0
    """From when the time of the seat to move counts, by the server's clock; in the future also during a delay."""
    first_ply_ms: int | None = None
    """The time for each seat's first ply, during which no clock runs; None if there is no such limit."""
    piles: Mapping[str, Pile] = MappingProxyType({})
    """The pieces by the cell's name, without empty cells."""
    reserves: tuple[int, ...] = ()
    """The pieces that each seat still has to place."""
    board: Board | None = None
    """The board that replaced the initial one; None while the initial one is used."""
    ground: tuple[int, ...] | None = None
    """While the players lay the board, the indices of the cells that are part of it; None if all are."""
    territory: tuple[int, ...] | None = None
    """After a match with territory, the seat that owns each cell, or -1; None otherwise."""
    tallies: tuple[Tally, ...] = ()
    """What the game counts for each seat."""
    departures: tuple[Departure, ...] = ()
    """The seats whose players left, in order."""
    offers: tuple[OpenOffer, ...] = ()
    """The open offers."""
    berserk: frozenset[int] = frozenset()
    """The seats that have halved their time, in a match of a tournament."""
    paused_until_ms: int | None = None
    """When the pause ends at the latest; None if the match is not paused."""
    result: Ended | None = None
    """The end of the match; None while it is not over."""
    rated: Rated | None = None
    """The changes of the ratings, once they are known."""
    is_void: bool = False
    """Whether a moderator voided the result."""
    rematch_offers: frozenset[int] = frozenset()
    """The seats that want a rematch."""
    rematch_declined: frozenset[int] = frozenset()
    """The seats that declined a rematch."""
    rematch: MatchId | None = None
    """The rematch, if the players agreed on one."""

    def renamed(self, seat: int, player: Player | None) -> "MatchView":
        """Return the view with another player in a seat, or the same by another name; None if it is open again."""
        return self._replace(players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def after(self, match_event: MatchEvent) -> "MatchView":
        """Return the view with one more event."""
        view = self._replace(seq=match_event.seq, at_ms=match_event.at_ms, to_move=match_event.to_move)
        if match_event.view is not None:
            view = view._drawn(match_event.view)
        match match_event.event:
            case Created() as created:
                view = view._created(created)
            case Seated() | SeatFreed() as event:
                view = view.renamed(event.seat, event.player if isinstance(event, Seated) else None)
                view = view._replace(offers=() if isinstance(event, Seated) else view.offers)
            case Started(first_ply_ms):
                view = view._replace(first_ply_ms=first_ply_ms)._turned(match_event.at_ms)
            case Moved(_, move, clocks_ms):
                view = view._replace(moves=(*view.moves, move))._timed(clocks_ms)._turned(match_event.at_ms)
                view = view._replace(offers=tuple(each for each in view.offers if len(view.moves) < each.lapses_at_ply))
            case Offered() | OfferAccepted() | OfferDeclined() as event:
                view = view._replace(offers=_change_offers(view.offers, event))
            case TakenBack() | TimeGiven() | Berserked() | Paused() | PauseEnded() | Resumed() as event:
                view = view._settled(event, match_event.at_ms)
            case Left() | StandInChosen() | StoodIn() as event:
                view = view._replace(departures=_change_departures(view.departures, event))
            case Ended(clocks_ms=clocks_ms) as result:
                view = view._replace(result=result, offers=(), paused_until_ms=None)
                view = view._timed(clocks_ms or view.clocks_ms)
            case Rated() as rated:
                view = view._replace(rated=rated)
            case Voided():
                view = view._replace(is_void=True)
            case RematchOffered() | RematchDeclined() | RematchStarted() as event:
                view = view._with_rematch(event)
        return view

    def _created(self, created: Created) -> "MatchView":
        seats, clock = len(created.seats), created.clock
        view = self._replace(created=created, players=(None,) * seats)
        if clock is None:
            return view
        own = clocks_by_seat(clock, created.seats)
        clocks_ms = tuple(each.initial_ms + each.periods * each.period_ms for each in own)
        periods = (clock.periods,) * seats if clock.periods else ()
        return view._replace(clocks_ms=clocks_ms, periods=periods)

    @property
    def running_seat(self) -> int | None:
        """The seat whose clock runs; None if no clock does, as while the seats make their first plies."""
        return None if self.clocks_ms is None or self._is_first_ply else self._awaited_seat

    @property
    def first_ply_due_at_ms(self) -> int | None:
        """When the match is called off, by the server's clock, unless the seat to move has made its first ply; None if
        no such ply is awaited."""
        seat = self._awaited_seat
        player = None if seat is None else self.players[seat]
        if not self._is_first_ply or self.first_ply_ms is None or player is None or player.level is not None:
            return None
        return self.turn_from_ms + self.first_ply_ms

    def clock_face(self, seat: int, now_ms: float | None = None) -> ClockFace | None:
        """Return what a seat's clock shows at a time by the server's clock, by default at `at_ms`; None in an untimed
        match."""
        if self.created is None or self.created.clock is None or self.clocks_ms is None:
            return None
        left_ms = self.clocks_ms[seat]
        if seat == self.running_seat:
            used_ms = (self.at_ms if now_ms is None else now_ms) - self.runs_from_ms
            left_ms = max(0, left_ms - max(0, round(used_ms)))
        return clock_face(self.created.clock, left_ms, self.periods[seat] if self.periods else 0)

    @property
    def _is_first_ply(self) -> bool:
        return self.first_ply_ms is not None and len(self.moves) < len(self.players)

    @property
    def _awaited_seat(self) -> int | None:
        """The seat whose player is to move; None while nobody can."""
        is_left = any(departure.seat == self.to_move for departure in self.departures)
        return None if is_left or self.paused_until_ms is not None or self.result is not None else self.to_move

    def _turned(self, from_ms: int) -> "MatchView":
        """Return the view at the start of a turn."""
        clock = None if self.created is None else self.created.clock
        runs_from_ms = from_ms + (0 if clock is None else clock.delay_ms)
        return self._replace(turn_from_ms=from_ms, runs_from_ms=runs_from_ms, vacation=None)

    def _timed(self, clocks_ms: tuple[int, ...] | None) -> "MatchView":
        """Return the view with new times left, and without the used periods."""
        clock = None if self.created is None else self.created.clock
        if clock is None or clocks_ms is None or not self.periods:
            return self._replace(clocks_ms=clocks_ms)
        left = zip(clocks_ms, self.periods, strict=True)
        return self._replace(clocks_ms=clocks_ms, periods=tuple(periods_left(clock, *each) for each in left))

    def _settled(
        self, event: TakenBack | TimeGiven | Berserked | Paused | PauseEnded | Resumed, at_ms: int
    ) -> "MatchView":
        match event:
            case TakenBack(_, plies, clocks_ms):
                return self._replace(moves=self.moves[:-plies], offers=())._timed(clocks_ms)._turned(at_ms)
            case TimeGiven(_, seats, given_ms, periods):
                given = _give(self.clocks_ms, seats, given_ms)
                return self._replace(clocks_ms=given, periods=periods or self.periods)
            case Berserked(seat, clocks_ms):
                return self._replace(clocks_ms=clocks_ms, berserk=self.berserk | {seat})
            case Paused(clocks_ms, ends_at_ms):
                return self._replace(paused_until_ms=ends_at_ms, offers=())._timed(clocks_ms)
            case PauseEnded(_, clocks_ms, grace_ms):
                return self._replace(paused_until_ms=None)._timed(clocks_ms)._turned(at_ms + grace_ms)
            case Resumed(clocks_ms, grace_ms, vacation=seat):
                goes_on_at_ms = at_ms + grace_ms
                view = self._timed(clocks_ms)
                return view._replace(turn_from_ms=goes_on_at_ms, runs_from_ms=goes_on_at_ms, vacation=seat)

    def _with_rematch(self, event: RematchOffered | RematchDeclined | RematchStarted) -> "MatchView":
        if isinstance(event, RematchStarted):
            return self._replace(rematch=event.match)
        offers, declined = self.rematch_offers - {event.seat}, self.rematch_declined - {event.seat}
        if isinstance(event, RematchOffered):
            return self._replace(rematch_offers=offers | {event.seat}, rematch_declined=declined)
        # With two seats nobody is left to play with.
        remaining = offers if len(self.players) > 2 else frozenset()
        return self._replace(rematch_offers=remaining, rematch_declined=declined | {event.seat})

    def _drawn(self, view: View) -> "MatchView":
        piles = self.piles if view.board is None else {}
        return self._replace(
            piles=_change_piles(piles, view),
            reserves=view.reserves,
            board=view.board or self.board,
            ground=view.ground,
            territory=view.territory,
            tallies=view.tallies,
        )

    def seats_of(self, identity: IdentityId) -> tuple[int, ...]:
        """Return the seats of a player."""
        return tuple(seat for seat, player in enumerate(self.players) if player is not None and player.id == identity)


def list_moves(tree: MoveTree) -> tuple[str, ...]:
    """Return every move of a tree, as clicks separated by spaces, which `Play` accepts.

    >>> list_moves({"a4": {"a7": {"d6": None, "b6": None}}, "g1": None})
    ('a4 a7 d6', 'a4 a7 b6', 'g1')
    """
    return tuple(" ".join(clicks) for clicks in _walk(tree, ()))


def _walk(tree: Mapping[str, object], stem: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for click, branch in tree.items():
        if isinstance(branch, dict):
            yield from _walk(branch, (*stem, click))
        else:
            yield (*stem, click)


def _change_piles(piles: Mapping[str, Pile], view: View) -> Mapping[str, Pile]:
    changed = dict(piles)
    for cell, seat, size in ((change.cell, change.seat, change.size) for change in view.changes):
        if size:
            changed[cell] = Pile(seat, size)
        else:
            changed.pop(cell, None)
    return MappingProxyType(changed)


def _change_departures(
    departures: tuple[Departure, ...], event: Left | StandInChosen | StoodIn
) -> tuple[Departure, ...]:
    match event:
        case Left(seat, reason):
            return (*departures, Departure(seat, reason))
        case StandInChosen(voter, seat, choice):
            changed = {each.seat: each._replace(votes={**each.votes, voter: choice}) for each in departures}
        case StoodIn(seat, choice):
            changed = {each.seat: each._replace(stand_in=choice) for each in departures}
    return tuple(changed[each.seat] if each.seat == seat else each for each in departures)


def _change_offers(
    offers: tuple[OpenOffer, ...], event: Offered | OfferAccepted | OfferDeclined
) -> tuple[OpenOffer, ...]:
    others = tuple(offer for offer in offers if offer.kind != event.kind)
    match event:
        case Offered(seat, kind, lapses_at_ply, plies, level, player):
            return (*others, OpenOffer(kind, seat, lapses_at_ply, frozenset({seat}), plies, level, player))
        case OfferAccepted(seat, kind, lapses_at_ply):
            changed = (
                each._replace(lapses_at_ply=lapses_at_ply, agreed=each.agreed | {seat})
                for each in offers
                if each.kind == kind
            )
            return (*others, *changed)
        case OfferDeclined():
            return others


def _give(clocks_ms: tuple[int, ...] | None, seats: tuple[int, ...], given_ms: int) -> tuple[int, ...] | None:
    if clocks_ms is None:
        return None
    return tuple(left_ms + given_ms * (seat in seats) for seat, left_ms in enumerate(clocks_ms))
