"""Rate limits, with times made up by the tests."""

from hypothesis import given
from hypothesis import strategies as st

from millrace.server.accounts.rate_limits import MAX_KEYS, SlidingWindow, TokenBucket

MINUTE_MS = 60_000


def test_a_window_has_room_again_when_its_first_event_is_old_enough() -> None:
    window = SlidingWindow(3, MINUTE_MS)
    table = [(0, True), (10_000, True), (20_000, True), (30_000, False), (59_999, False)]
    table += [(60_000, True), (60_001, False), (70_000, True), (80_000, True), (80_001, False)]
    assert [window.try_add("ann", now_ms) for now_ms, _ in table] == [is_allowed for _, is_allowed in table]


def test_a_window_counts_each_key_separately() -> None:
    window = SlidingWindow(1, MINUTE_MS)
    assert [window.try_add(key, 0) for key in ("ann", "ben", "ann")] == [True, True, False]


def test_an_event_that_is_undone_does_not_count() -> None:
    window = SlidingWindow(2, MINUTE_MS)
    assert window.try_add("ann", 0)
    for now_ms in range(1, 50):
        assert window.try_add("ann", now_ms)
        window.undo("ann")
    assert window.try_add("ann", 60)
    assert not window.try_add("ann", 61)
    window.undo("nobody")


def test_a_window_forgets_only_keys_without_recent_events() -> None:
    window = SlidingWindow(1, MINUTE_MS)
    for number in range(MAX_KEYS - 1):
        window.add(f"{number}", 0)
    window.add("ann", MINUTE_MS)
    window.add("ben", MINUTE_MS)
    assert not window.has_room("ann", MINUTE_MS + 1)
    assert window.has_room("7", MINUTE_MS)


@given(st.lists(st.integers(0, 20_000), max_size=40), st.integers(1, 5))
def test_no_minute_ever_has_more_events_than_the_limit(steps_ms: list[int], limit: int) -> None:
    window, now_ms, allowed_ms = SlidingWindow(limit, MINUTE_MS), 0, []
    for step_ms in steps_ms:
        now_ms += step_ms
        if window.try_add("ann", now_ms):
            allowed_ms.append(now_ms)
        else:
            assert len([each for each in allowed_ms if each > now_ms - MINUTE_MS]) == limit
    for start_ms in allowed_ms:
        assert len([each for each in allowed_ms if start_ms <= each < start_ms + MINUTE_MS]) <= limit


def test_a_bucket_refills_up_to_its_burst() -> None:
    bucket = TokenBucket(burst=20, refill_ms=4_000)
    assert bucket.spend("ann", 20, 0)
    assert bucket.left("ann", 0) == 0
    assert bucket.left("ann", 1_000) == 5
    assert bucket.left("ann", 10**9) == 20


def test_a_bucket_that_is_overdrawn_refuses_until_it_has_refilled() -> None:
    bucket = TokenBucket(burst=20, refill_ms=4_000)
    assert not bucket.spend("ann", 25, 0)
    assert not bucket.spend("ann", 1, 1_000)
    assert bucket.spend("ann", 1, 1_400)


def test_a_bucket_returns_how_long_to_wait_for_an_amount() -> None:
    bucket = TokenBucket(burst=20, refill_ms=4_000)
    assert bucket.wait_ms("ann", 20, 0) == 0
    bucket.spend("ann", 20, 0)
    assert bucket.wait_ms("ann", 10, 0) == 2_000
    assert bucket.left("ann", 2_000) == 10


def test_each_key_has_its_own_bucket() -> None:
    bucket = TokenBucket(burst=20, refill_ms=4_000)
    bucket.spend("ann", 15, 0)
    assert bucket.left("ben", 0) == 20


def test_a_bucket_forgets_only_keys_that_are_full_again() -> None:
    bucket = TokenBucket(burst=20, refill_ms=4_000)
    for number in range(MAX_KEYS - 1):
        bucket.spend(f"{number}", 20, 0)
    bucket.spend("ann", 15, 60_000)
    bucket.spend("ben", 1, 60_000)
    assert bucket.left("ann", 60_000) == 5
    assert bucket.left("7", 60_000) == 20
