"""What somebody may spend on analyses, by a clock that the test makes up."""

from millrace.server.analysis.time_allowance import ACCOUNT_RATE, GUEST_RATE, KEYS_KEPT, Allowances


def test_what_is_spent_comes_back_with_time() -> None:
    allowances = Allowances()
    allowances.spend("ann", GUEST_RATE, 0, GUEST_RATE.most_ms)
    assert allowances.left_ms("ann", GUEST_RATE, 0) == 0
    assert allowances.left_ms("ann", GUEST_RATE, 60_000) == GUEST_RATE.ms_a_minute
    assert allowances.left_ms("ann", GUEST_RATE, 10**9) == GUEST_RATE.most_ms


def test_it_is_told_how_long_it_takes_until_there_is_enough() -> None:
    allowances = Allowances()
    assert allowances.wait_ms("ann", GUEST_RATE, 0, 1_000) == 0
    allowances.spend("ann", GUEST_RATE, 0, GUEST_RATE.most_ms)
    assert allowances.wait_ms("ann", GUEST_RATE, 0, 1_000) == 3_000
    assert allowances.left_ms("ann", GUEST_RATE, 3_000) == 1_000


def test_nobody_spends_what_belongs_to_another() -> None:
    allowances = Allowances()
    allowances.spend("ann", ACCOUNT_RATE, 0, 5_000)
    assert allowances.left_ms("ben", ACCOUNT_RATE, 0) == ACCOUNT_RATE.most_ms


def test_whoever_has_all_of_it_again_is_forgotten_first() -> None:
    allowances = Allowances()
    for number in range(KEYS_KEPT):
        allowances.spend(f"early {number}", GUEST_RATE, 0, 1_000)
    now_ms = 10**7
    allowances.spend("ann", GUEST_RATE, now_ms, 10_000)
    assert allowances.left_ms("ann", GUEST_RATE, now_ms) == GUEST_RATE.most_ms - 10_000


def test_a_server_may_be_more_generous() -> None:
    allowances = Allowances(2.0)
    assert allowances.left_ms("ann", GUEST_RATE, 0) == 2 * GUEST_RATE.most_ms
    allowances.spend("ann", GUEST_RATE, 0, 2 * GUEST_RATE.most_ms)
    assert allowances.left_ms("ann", GUEST_RATE, 60_000) == 2 * GUEST_RATE.ms_a_minute
    assert allowances.wait_ms("ann", GUEST_RATE, 60_000, 2 * GUEST_RATE.ms_a_minute + 1_000) == 1_500
