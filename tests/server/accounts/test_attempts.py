"""Limits on attempts, on a fake clock."""

from hypothesis import given
from hypothesis import strategies as st

from millrace.server.accounts.rate_limits import KEYS_KEPT, Attempts

MINUTE_MS = 60_000


def attempt(attempts: Attempts, key: str, now_ms: int) -> bool:
    is_allowed = attempts.may_try(key, now_ms)
    if is_allowed:
        attempts.begin(key, now_ms)
    return is_allowed


def test_so_many_attempts_a_minute_and_then_none_until_the_first_is_a_minute_old() -> None:
    attempts = Attempts(3, MINUTE_MS)
    table = [(0, True), (10_000, True), (20_000, True), (30_000, False), (59_999, False)]
    table += [(60_000, True), (60_001, False), (70_000, True), (80_000, True), (80_001, False)]
    assert [attempt(attempts, "ann", now_ms) for now_ms, _ in table] == [is_allowed for _, is_allowed in table]


def test_each_key_has_its_own_attempts() -> None:
    attempts = Attempts(1, MINUTE_MS)
    assert [attempt(attempts, key, 0) for key in ("ann", "ben", "ann")] == [True, True, False]


def test_an_attempt_that_succeeds_is_given_back() -> None:
    attempts = Attempts(2, MINUTE_MS)
    assert attempt(attempts, "ann", 0)
    for now_ms in range(1, 50):
        assert attempt(attempts, "ann", now_ms)
        attempts.give_back("ann")
    assert attempt(attempts, "ann", 60)
    assert not attempt(attempts, "ann", 61)
    attempts.give_back("nobody")


def test_keys_whose_attempts_are_over_are_forgotten_and_others_are_not() -> None:
    attempts = Attempts(1, MINUTE_MS)
    for number in range(KEYS_KEPT - 1):
        attempts.begin(f"{number}", 0)
    attempts.begin("ann", MINUTE_MS)
    attempts.begin("ben", MINUTE_MS)
    assert not attempts.may_try("ann", MINUTE_MS + 1)
    assert attempts.may_try("7", MINUTE_MS)


@given(st.lists(st.integers(0, 20_000), max_size=40), st.integers(1, 5))
def test_no_stretch_of_a_minute_ever_sees_more_than_the_limit(steps_ms: list[int], most: int) -> None:
    attempts, now_ms, allowed_ms = Attempts(most, MINUTE_MS), 0, []
    for step_ms in steps_ms:
        now_ms += step_ms
        if attempt(attempts, "ann", now_ms):
            allowed_ms.append(now_ms)
        else:
            assert len([each for each in allowed_ms if each > now_ms - MINUTE_MS]) == most
    for start_ms in allowed_ms:
        assert len([each for each in allowed_ms if start_ms <= each < start_ms + MINUTE_MS]) <= most
