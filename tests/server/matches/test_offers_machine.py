"""Offers against a small model: after any sequence of plies, offers, answers and departures, both have the same open
offers.

The model knows who has agreed to what, and that a ply declines an offer: any ply declines a takeback,
other offers a ply of a player who has not agreed. Unlike the server, it does not count plies ahead.
"""

from dataclasses import dataclass, field
from typing import Literal

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from millrace.server.journal.store import Entry, Recorded
from millrace.server.matches.creation import open_match
from millrace.server.matches.fold import apply_next, replay
from millrace.server.matches.match import Match, Phase
from millrace.server.matches.open_offers import ROUNDS_APART
from millrace.server.matches.referee import decide, decide_ply
from millrace.server.protocol import (
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
    Resign,
    TakenBack,
)
from millrace.server.protocol.refusal import Refusal
from tests.server.tables import ID, MATCH, ME, OPEN, PEOPLE

KINDS: tuple[OfferKind, ...] = ("draw", "takeback", "pause")
SETUPS = {2: ("mingmang", ""), 3: ("battlesheep", "r16,0,0,0,0,0/b16,0,0,0,0,0/g16,0,0,0,0,0 r 3")}

seats_of_table = st.integers(0, 2)
kinds = st.sampled_from(KINDS)


@dataclass
class Model:
    """What is open, as people at the table would say it."""

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

    def refusal_of_offer(self, seat: int, kind: OfferKind) -> Code | None:
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

    def heard(self, event: Event) -> None:
        """Take in what the match itself tells."""
        match event:
            case Moved(seat, _, _, forced):
                self.plies.append(-1 if forced else seat)
                for kind in [kind for kind in self.agreed if self.is_answered(kind, seat)]:
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

    def agree(self, kind: OfferKind, seat: int) -> None:
        """Note that a seat wants what it, or another before it, has offered."""
        self.agreed.setdefault(kind, set()).add(seat)
        self.asked[kind] = set(self.playing)

    def is_answered(self, kind: OfferKind, seat: int) -> bool:
        """Return whether a ply of that seat answers an offer."""
        return kind == "takeback" or seat in self.asked[kind] - self.agreed[kind]

    @property
    def settled(self) -> set[OfferKind]:
        """What all who play have agreed to."""
        return {kind for kind, agreed in self.agreed.items() if self.playing <= agreed}


class OffersMachine(RuleBasedStateMachine):
    """A match among people who play and offer what they like."""

    match: Match
    model: Model

    @initialize(seats=st.sampled_from([2, 3]))
    def begin(self, seats: int) -> None:
        self.match, self.model = self._begun(seats)
        for player in PEOPLE[1:seats]:
            self._store(decide(self.match, Join(ID, MATCH), player, 0).events)

    @staticmethod
    def _begun(seats: int) -> tuple[Match, Model]:
        game, setup = SETUPS[seats]
        plans = (ME, *(OPEN,) * (seats - 1))
        recorded = [
            Recorded(seq, Entry(event, 0))
            for seq, event in enumerate(open_match(Create(ID, game, plans, setup), PEOPLE[0], range(seats), 0), 1)
        ]
        return replay(MATCH, recorded), Model(seats, set(range(seats)))

    @precondition(lambda self: self.model.is_over)
    @rule(seats=st.sampled_from([2, 3]))
    def begin_anew(self, seats: int) -> None:
        self.begin(seats)

    @precondition(lambda self: not self.model.is_over)
    @rule(choice=st.integers(0, 10**6))
    def play(self, choice: int) -> None:
        state = self.match.state
        if self.match.mover is None:
            return
        move = state.format_move(state.legal_moves[choice % len(state.legal_moves)])
        self._store(decide_ply(self.match, state.seat, move, 0).events)

    @precondition(lambda self: not self.model.is_over)
    @rule(seat=seats_of_table, kind=kinds)
    def offer(self, seat: int, kind: OfferKind) -> None:
        if seat not in self.model.playing:
            return
        expected = self.model.refusal_of_offer(seat, kind)
        events = self._decide(Offer(ID, MATCH, seat, kind), seat, expected)
        if expected is None:
            if kind not in self.model.agreed:
                self.model.made_at[seat, kind] = len(self.model.plies)
            self.model.agree(kind, seat)
            self._store_effect(kind, events)

    @precondition(lambda self: not self.model.is_over)
    @rule(seat=seats_of_table, kind=kinds, answer=st.sampled_from(["accept", "decline"]))
    def answer(self, seat: int, kind: OfferKind, answer: Literal["accept", "decline"]) -> None:
        if seat not in self.model.playing:
            return
        agreed = self.model.agreed.get(kind)
        if answer == "decline":
            expected = Code.OFFER_LAPSED if agreed is None else None
            self._store(self._decide(DeclineOffer(ID, MATCH, seat, kind), seat, expected))
            self.model.agreed.pop(kind, None)
            return
        expected = Code.OFFER_LAPSED if agreed is None else Code.OFFER_OPEN if seat in agreed else None
        events = self._decide(AcceptOffer(ID, MATCH, seat, kind), seat, expected)
        if agreed is not None and expected is None:
            self.model.agree(kind, seat)
            self._store_effect(kind, events)

    @precondition(lambda self: not self.model.is_over)
    @rule(seat=seats_of_table)
    def end_pause(self, seat: int) -> None:
        if seat in self.model.playing:
            expected = None if self.model.is_paused else Code.NOT_PAUSED
            self._store(self._decide(EndPause(ID, MATCH, seat), seat, expected))
            self.model.is_paused = False

    @precondition(lambda self: self.model.seats == 3 and len(self.model.playing) == 3 and not self.model.is_over)
    @rule(seat=seats_of_table)
    def leave(self, seat: int) -> None:
        events = decide(self.match, Resign(ID, MATCH, seat), PEOPLE[seat], 0).events
        self.model.playing.discard(seat)
        has_settled = bool(self.model.settled)
        self._store(events)
        assert has_settled == any(isinstance(event, Ended | TakenBack | Paused) for event in events)

    @invariant()
    def both_know_the_same_offers(self) -> None:
        if not hasattr(self, "match"):
            return
        offers = {kind: self.match.offers.find(kind, self.match.state.ply) for kind in KINDS}
        assert {kind: offer.agreed for kind, offer in offers.items() if offer is not None} == self.model.agreed
        assert (self.match.pause is not None) == self.model.is_paused or self.model.is_over
        assert (self.match.phase is Phase.OVER) == self.model.is_over
        assert self.match.state.ply == len(self.model.plies)

    def _decide(self, command: MatchCommand, seat: int, expected: Code | None) -> list[Event]:
        """Return what a command leads to, which must be refused with this code or, without one, be followed."""
        if expected is None:
            return decide(self.match, command, PEOPLE[seat], 0).events
        with pytest.raises(Refusal) as refused:
            decide(self.match, command, PEOPLE[seat], 0)
        assert refused.value.code is expected
        return []

    def _store_effect(self, kind: OfferKind, events: list[Event]) -> None:
        """Store what came of an answer: if all have agreed the effect, and else nothing more."""
        effect = {"draw": Ended, "takeback": TakenBack, "pause": Paused}[kind]
        assert any(isinstance(event, effect) for event in events) == (kind in self.model.settled)
        self._store(events)

    def _store(self, events: list[Event]) -> None:
        for event in events:
            self.match = apply_next(self.match, event, 0)
            self.model.heard(event)


OffersMachine.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
test_offers_agree_with_the_model = OffersMachine.TestCase
