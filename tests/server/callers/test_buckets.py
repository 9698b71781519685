"""Budgets that refill, with simulated times."""

from hypothesis import given
from hypothesis import strategies as st

from millrace.server.callers.buckets import MAX_KEYS, TokenBucket


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


def test_a_refund_can_be_spent_again_but_no_more_than_that() -> None:
    bucket = TokenBucket(burst=2, refill_ms=60_000)
    for now_ms in range(50):
        assert bucket.spend("ann", 2, now_ms)
        bucket.put_back("ann", 2, now_ms)
    bucket.put_back("nobody", 5, 0)
    bucket.put_back("ann", 5, 0)
    assert (bucket.left("nobody", 0), bucket.left("ann", 50)) == (2, 2)


def test_each_key_has_its_own_bucket() -> None:
    bucket = TokenBucket(burst=20, refill_ms=4_000)
    bucket.spend("ann", 15, 0)
    assert bucket.left("ben", 0) == 20


def test_an_empty_bucket_gives_nothing() -> None:
    bucket = TokenBucket(burst=0, refill_ms=4_000)
    assert (bucket.left("ann", 0), bucket.wait_ms("ann", 1, 0)) == (0, 4_000)


def test_keys_that_are_full_again_are_forgotten() -> None:
    bucket = TokenBucket(burst=20, refill_ms=4_000)
    for now_ms in range(0, 400_000, 10):
        bucket.spend(f"{now_ms}", 20, now_ms)
    assert len(bucket) <= 4 * 4_000 / 10


def test_no_flood_of_keys_takes_more_memory_than_for_twice_the_maximum() -> None:
    bucket = TokenBucket(burst=1, refill_ms=86_400_000)
    for number in range(2 * MAX_KEYS + 5):
        bucket.spend(f"{number}", 1, 0)
    assert len(bucket) <= 2 * MAX_KEYS
    assert bucket.left(f"{2 * MAX_KEYS + 4}", 0) == 0


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 20_000), st.integers(1, 4)), max_size=60))
def test_forgetting_changes_nothing(uses: list[tuple[str, int, int]]) -> None:
    bucket, now_ms = TokenBucket(5, 4_000), 0
    left = {"a": (5.0, 0), "b": (5.0, 0)}
    for key, step_ms, amount in uses:
        now_ms += step_ms
        before, at_ms = left[key]
        full = min(5.0, before + (now_ms - at_ms) * 5 / 4_000)
        assert abs(bucket.left(key, now_ms) - full) < 1e-6
        if full >= amount:
            bucket.spend(key, amount, now_ms)
            full -= amount
        left[key] = full, now_ms
