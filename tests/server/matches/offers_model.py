"""A small model of open offers, and a match played in parallel: both must have the same open offers.

The model knows who has agreed to what, and that a ply declines an offer: any ply declines a takeback,
other offers a ply of a player who has not agreed. Unlike the server, it does not count plies ahead.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from millrace.protocol import (
    AcceptOffer,
    Code,
    Create,
    DeclineOffer,
    Ended,
    EndPause,
    Event,
    Join,
    Left,
    MatchCommand,
    Moved,
    Offer,
    OfferKind,
    Paused,
    Play,
    Player,
    Resign,
    TakenBack,
)
from millrace.protocol.refusal import Refusal
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.creation import open_match
from millrace.server.matches.fold import apply_next, replay
from millrace.server.matches.match import Match, Phase
from millrace.server.matches.open_offers import ROUNDS_APART
from millrace.server.matches.referee import decide
from tests.server.tables import ID, MATCH, ME, OPEN, PEOPLE

KINDS: tuple[OfferKind, ...] = ("draw", "takeback", "pause")
SETUPS = {2: ("mingmang", ""), 3: ("battlesheep", "r16,0,0,0,0,0/b16,0,0,0,0,0/g16,0,0,0,0,0 r 3")}
"""The game and the set-up of a match, by number of seats."""
EFFECTS = {"draw": Ended, "takeback": TakenBack, "pause": Paused}
"""What an offer leads to when all have agreed."""


@dataclass
class Model:
    """The open offers, in the players' terms."""

    seats: int
    playing: set[int]
    agreed: dict[OfferKind, set[int]] = field(default_factory=dict)
    """By kind of open offer."""
    asked: dict[OfferKind, set[int]] = field(default_factory=dict)
    """Who still played when the offer was made or last agreed to; no ply of another answers it."""
    made_at: dict[tuple[int, OfferKind], int] = field(default_factory=dict)
    plies: list[int] = field(default_factory=list)
    """The seat of each ply; -1 where the rules left no choice."""
    is_paused: bool = False
    is_over: bool = False

    def refusal_of(self, command: Offer | AcceptOffer | DeclineOffer | EndPause) -> Code | None:
        """Return how a command of a remaining player is refused; None if it is carried out."""
        match command:
            case Offer(seat=seat, kind=kind):
                return self._refusal_of_offer(seat, kind)
            case AcceptOffer(seat=seat, kind=kind):
                agreed = self.agreed.get(kind)
                return Code.OFFER_LAPSED if agreed is None else Code.OFFER_OPEN if seat in agreed else None
            case DeclineOffer(kind=kind):
                return None if kind in self.agreed else Code.OFFER_LAPSED
            case EndPause():
                return None if self.is_paused else Code.NOT_PAUSED

    def _refusal_of_offer(self, seat: int, kind: OfferKind) -> Code | None:
        if kind == "draw":
            if len(self.plies) < self.seats:
                return Code.OFFER_TOO_SOON
        elif self.is_paused:
            return Code.PAUSED
        elif kind == "takeback" and seat not in self.plies:
            return Code.OFFER_TOO_SOON
        if kind in self.agreed:
            return Code.OFFER_OPEN if seat in self.agreed[kind] or kind == "takeback" else None
        last = self.made_at.get((seat, kind))
        if last is not None and len(self.plies) < last + ROUNDS_APART[kind] * self.seats:
            return Code.OFFER_TOO_SOON
        return None

    def take(self, command: MatchCommand, events: Sequence[Event]) -> None:
        """Process a command that was carried out, and its events; check its effect."""
        match command:
            case Offer(seat=seat, kind=kind) | AcceptOffer(seat=seat, kind=kind):
                if kind not in self.agreed:
                    self.made_at[seat, kind] = len(self.plies)
                self._agree(kind, seat)
                assert any(isinstance(event, EFFECTS[kind]) for event in events) == (kind in self._settled)
            case Resign(seat=seat):
                self.playing.discard(seat)
                has_effect = any(isinstance(event, tuple(EFFECTS.values())) for event in events)
                assert has_effect == bool(self._settled)
        for event in events:
            self._hear(event)
        match command:
            case DeclineOffer(kind=kind):
                self.agreed.pop(kind, None)
            case EndPause():
                self.is_paused = False

    def _hear(self, event: Event) -> None:
        """Take in what the match itself tells."""
        match event:
            case Moved(seat, _, _, forced):
                self.plies.append(-1 if forced else seat)
                for kind in [kind for kind in self.agreed if self._is_answered(kind, seat)]:
                    del self.agreed[kind]
            case TakenBack(_, plies):
                del self.plies[-plies:]
                self.agreed.clear()
                self.made_at.clear()
            case Paused():
                self.is_paused = True
                self.agreed.clear()
                self.made_at.clear()
            case Left(seat):
                self.playing.discard(seat)
            case Ended():
                self.is_over = True
                self.agreed.clear()

    def _agree(self, kind: OfferKind, seat: int) -> None:
        """Note that a seat wants what it, or another before it, has offered."""
        self.agreed.setdefault(kind, set()).add(seat)
        self.asked[kind] = set(self.playing)

    def _is_answered(self, kind: OfferKind, seat: int) -> bool:
        """Return whether a ply of that seat answers an offer."""
        return kind == "takeback" or seat in self.asked[kind] - self.agreed[kind]

    @property
    def _settled(self) -> set[OfferKind]:
        """What all who play have agreed to."""
        return {kind for kind, agreed in self.agreed.items() if self.playing <= agreed}


def with_events(match: Match, events: Sequence[Event]) -> Match:
    """Return what a match becomes with its next events."""
    for event in events:
        match = apply_next(match, event, 0)
    return match


class ModelledMatch:
    """A match among people who play and offer what they like, and its model."""

    match: Match
    model: Model

    def begin(self, seats: int) -> None:
        """Begin a match, instead of the one before."""
        self.match, self.model = self.open(seats), Model(seats, set(range(seats)))
        for player in PEOPLE[1:seats]:
            self.model.take(joining := Join(ID, self.match.id), self.carry_out(joining, player))

    def open(self, seats: int) -> Match:
        """Return a new match of the first player, whose other seats are open."""
        game, setup = SETUPS[seats]
        plans = (ME, *(OPEN,) * (seats - 1))
        recorded = [
            Recorded(seq, Entry(event, 0))
            for seq, event in enumerate(open_match(Create(ID, game, plans, setup), PEOPLE[0], range(seats), 0), 1)
        ]
        return replay(MATCH, recorded)

    def carry_out(self, command: MatchCommand, player: Player) -> Sequence[Event]:
        """Carry out a command, and return what it leads to. Raises: Refusal."""
        events = decide(self.match, command, player, 0).events
        self.match = with_events(self.match, events)
        return events

    def play(self, choice: int) -> None:
        """Make one of the legal moves."""
        if self.match.mover is not None:
            self._obey(self.ply(choice))

    def offer(self, seat: int, kind: OfferKind) -> None:
        """Have a seat make an offer, or agree to another's."""
        self.try_out(Offer(ID, self.match.id, seat, kind))

    def accept(self, seat: int, kind: OfferKind) -> None:
        """Have a seat accept an offer."""
        self.try_out(AcceptOffer(ID, self.match.id, seat, kind))

    def decline(self, seat: int, kind: OfferKind) -> None:
        """Have a seat decline an offer."""
        self.try_out(DeclineOffer(ID, self.match.id, seat, kind))

    def end_pause(self, seat: int) -> None:
        """Have a seat end a pause."""
        self.try_out(EndPause(ID, self.match.id, seat))

    def leave(self, seat: int) -> None:
        """Have a player leave a match that goes on without them."""
        if len(self.model.playing) == 3:
            self._obey(Resign(ID, self.match.id, seat))

    def check(self) -> None:
        """Check that the match and the model have the same open offers."""
        offers = {kind: self.match.offers.find(kind, self.match.state.ply) for kind in KINDS}
        assert {kind: offer.agreed for kind, offer in offers.items() if offer is not None} == self.model.agreed
        assert (self.match.pause is not None) == self.model.is_paused or self.model.is_over
        assert (self.match.phase is Phase.OVER) == self.model.is_over
        assert self.match.state.ply == len(self.model.plies)

    def ply(self, choice: int) -> Play:
        """Return the command for one of the legal moves."""
        state = self.match.state
        move = state.format_move(state.legal_moves[choice % len(state.legal_moves)])
        return Play(ID, self.match.id, state.seat, move)

    def player(self, seat: int) -> Player:
        """Return the player of a seat."""
        player = self.match.players[seat]
        assert player is not None
        return player

    def _obey(self, command: Play | Resign) -> None:
        self.model.take(command, self.carry_out(command, self.player(command.seat)))

    def try_out(self, command: Offer | AcceptOffer | DeclineOffer | EndPause) -> None:
        """Carry out a command, if the seat still plays; it must be refused if the model says so."""
        if command.seat not in self.model.playing:
            return
        expected = self.model.refusal_of(command)
        if expected is None:
            self.model.take(command, self.carry_out(command, self.player(command.seat)))
            return
        with pytest.raises(Refusal) as refused:
            self.carry_out(command, self.player(command.seat))
        assert refused.value.code is expected
