"""Offers against a small model: after any sequence of plies, offers, answers and departures, both have the same open
offers."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.server.matches.offers_model import KINDS, ModelledMatch

seats_of_table = st.integers(0, 2)
kinds = st.sampled_from(KINDS)
in_play = precondition(lambda self: not self.model.is_over)


class OffersMachine(RuleBasedStateMachine, ModelledMatch):
    """A match among people who play and offer what they like."""

    begins = initialize(seats=st.sampled_from([2, 3]))(ModelledMatch.begin)
    begins_anew = precondition(lambda self: self.model.is_over)(
        rule(seats=st.sampled_from([2, 3]))(ModelledMatch.begin)
    )
    plays = in_play(rule(choice=st.integers(0, 10**6))(ModelledMatch.play))
    offers = in_play(rule(seat=seats_of_table, kind=kinds)(ModelledMatch.offer))
    accepts = in_play(rule(seat=seats_of_table, kind=kinds)(ModelledMatch.accept))
    declines = in_play(rule(seat=seats_of_table, kind=kinds)(ModelledMatch.decline))
    ends_pause = in_play(rule(seat=seats_of_table)(ModelledMatch.end_pause))
    leaves = in_play(rule(seat=seats_of_table)(ModelledMatch.leave))
    agrees = invariant()(ModelledMatch.check)


OffersMachine.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
test_offers_agree_with_the_model = OffersMachine.TestCase
