"""The processor time that players may spend on analyses, with simulated times."""

from millrace.server.learning.analysis.searches import ANALYSIS_MS
from tests.server.callers.users import LimitsOnClock, user

GUESTS_MS = ANALYSIS_MS.guests or 0


def test_spent_time_refills_also_after_an_overdraft() -> None:
    on_clock = LimitsOnClock()
    on_clock.limits.spend(ANALYSIS_MS, user("ann"), GUESTS_MS + 1_000)
    assert on_clock.limits.left(ANALYSIS_MS, user("ann")) == -1_000
    on_clock.now_ms += 63_000
    assert on_clock.limits.left(ANALYSIS_MS, user("ann")) == 20_000
    on_clock.now_ms += 10**9
    assert on_clock.limits.left(ANALYSIS_MS, user("ann")) == GUESTS_MS


def test_each_account_has_its_own_allowance() -> None:
    limits = LimitsOnClock().limits
    limits.spend(ANALYSIS_MS, user("ann", registered=True), 5_000)
    assert limits.left(ANALYSIS_MS, user("ben", registered=True)) == ANALYSIS_MS.account


def test_guests_at_one_address_share_an_allowance() -> None:
    limits = LimitsOnClock().limits
    limits.spend(ANALYSIS_MS, user("otter"), 5_000)
    assert limits.left(ANALYSIS_MS, user("heron")) == GUESTS_MS - 5_000
    assert limits.left(ANALYSIS_MS, user("robin", "192.0.2.2")) == GUESTS_MS
