"""Limits: what is counted for whom, which refusals follow, and what is reported."""

import json
from pathlib import Path

import pytest

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal
from millrace.server.callers.limit import Bound, Limit
from millrace.server.callers.limits import Limits, Present, UnknownLimitError
from millrace.server.runtime import metrics
from millrace.server.runtime.security_log import QUIET_MS, SecurityLog
from tests.server.callers.users import LimitsOnClock, user
from tests.server.metric_values import value_of

CALLS = Limit(
    name="calls",
    counts="calls",
    refusal="At most {bound}.",
    code=Code.RATE_LIMITED,
    window_ms=60_000,
    account=4,
    guest=2,
    guests=3,
    address=5,
)
BOATS = Limit(
    name="boats", counts="boats", refusal="At most {bound} boats.", connection=1, account=3, guest=2, address=4
)
ANN, BEN, CEM = user("ann", registered=True), user("ben"), user("cem")
DORA = user("dora", "192.0.2.2")


def is_allowed(limits: Limits, *users: object, subject: str = "") -> list[bool]:
    outcomes = []
    for each in users:
        try:
            limits.use(CALLS, each, subject=subject)  # type: ignore[arg-type]
        except Refusal:
            outcomes.append(False)
        else:
            outcomes.append(True)
    return outcomes


def test_players_kinds_of_players_and_addresses_have_separate_bounds() -> None:
    limits = LimitsOnClock().limits
    assert is_allowed(limits, BEN, BEN, BEN) == [True, True, False], "a guest's bound"
    assert is_allowed(limits, CEM, CEM) == [True, False], "that of the guests at an address"
    assert is_allowed(limits, ANN, ANN, ANN) == [True, True, False], "that of the address"
    assert is_allowed(limits, DORA) == [True], "another address has its own"


def test_a_refused_use_is_counted_nowhere() -> None:
    on_clock = LimitsOnClock()
    assert is_allowed(on_clock.limits, *[BEN] * 20) == [True] * 2 + [False] * 18
    assert is_allowed(on_clock.limits, CEM) == [True]


def test_a_bound_refills_with_time() -> None:
    on_clock = LimitsOnClock()
    is_allowed(on_clock.limits, BEN, BEN)
    on_clock.now_ms += 29_999
    assert is_allowed(on_clock.limits, BEN) == [False]
    on_clock.now_ms += 1
    assert is_allowed(on_clock.limits, BEN, BEN) == [True, False]


def test_each_subject_has_its_own_bounds() -> None:
    limits = LimitsOnClock().limits
    assert is_allowed(limits, BEN, BEN, BEN, subject="x") == [True, True, False]
    assert is_allowed(limits, BEN, subject="y") == [True]


def test_a_refusal_states_the_bound_who_is_counted_and_when_to_retry() -> None:
    limits = LimitsOnClock().limits
    is_allowed(limits, BEN, BEN)
    with pytest.raises(Refusal) as refused:
        limits.use(CALLS, BEN)
    assert (refused.value.code, refused.value.message) == (
        Code.RATE_LIMITED,
        "At most 2. Please try again in 30 seconds.",
    )
    is_allowed(limits, CEM)
    with pytest.raises(Refusal, match=r"At most 3\. This counts everyone at your address\."):
        limits.use(CALLS, CEM)


def test_settings_replace_bounds_and_a_factor_raises_those_of_addresses() -> None:
    limits = LimitsOnClock(settings={"calls.guest": 1, "calls.guests": 10}, address_factor=3).limits
    bounds = {bound: limits.bound(CALLS, bound) for bound in Bound}
    assert bounds == {
        Bound.CONNECTION: None,
        Bound.ACCOUNT: 4,
        Bound.GUEST: 1,
        Bound.GUESTS: 10,
        Bound.ADDRESS: 15,
        Bound.EVERYONE: None,
    }


def test_a_setting_of_an_unknown_limit_is_refused_with_the_known_ones() -> None:
    LimitsOnClock(settings={"calls.guest": 1}).limits.require_known([CALLS])
    with pytest.raises(UnknownLimitError, match=r"calls\.gest\. Its bounds are calls\.account, calls\.address"):
        LimitsOnClock(settings={"calls.gest": 1}).limits.require_known([CALLS])
    with pytest.raises(UnknownLimitError, match=r"no limit cals\.guest\. docs/limits\.md lists them"):
        LimitsOnClock(settings={"cals.guest": 1}).limits.require_known([CALLS])


def test_a_hold_counts_until_it_is_released() -> None:
    limits = LimitsOnClock().limits
    first = limits.hold(BOATS, BEN)
    with pytest.raises(Refusal, match="At most 1 boats"):
        limits.hold(BOATS, BEN)
    first.release()
    first.release()
    again = limits.hold(BOATS, BEN)
    others = [limits.hold(BOATS, user(name)) for name in ("x", "y", "z")]
    with pytest.raises(Refusal, match="everyone at your address"):
        limits.hold(BOATS, user("late"))
    for hold in (again, *others):
        hold.release()
    assert limits.hold(BOATS, BEN) is not None


def test_connections_of_one_player_share_the_player_s_bound() -> None:
    limits = LimitsOnClock().limits
    for _ in range(2):
        limits.hold(BOATS, user("ben"))
    with pytest.raises(Refusal, match="At most 2 boats"):
        limits.hold(BOATS, user("ben"))


def test_a_callers_count_is_compared_with_every_bound() -> None:
    limits = LimitsOnClock().limits
    limits.require_room(BOATS, BEN, Present(of_player=1, of_address=3))
    limits.require_room(BOATS, ANN, Present(of_player=2, of_address=3))
    for present in (Present(of_player=2), Present(of_address=4)):
        with pytest.raises(Refusal):
            limits.require_room(BOATS, BEN, present)


def test_an_address_without_a_player_gets_the_time_to_wait() -> None:
    limits = LimitsOnClock().limits
    assert [limits.use_at(CALLS, "192.0.2.9", 2) for _ in range(5)] == [0, 0, 0, 12_001, 12_001]
    assert limits.use_at(CALLS, "192.0.2.8", 2) == 0


def test_an_exceeded_bound_is_counted_and_logged_without_user_text(tmp_path: Path) -> None:
    now_ms, file = [0], tmp_path / "security.log"
    limits = Limits(lambda: now_ms[0], SecurityLog(lambda: now_ms[0], file))
    counter = metrics.LIMITS_REACHED.labels("calls", "guest")
    before = value_of(counter)
    is_allowed(limits, *[BEN] * 7, subject="my secret")
    assert value_of(counter) == before + 5
    now_ms[0] += QUIET_MS
    is_allowed(limits, *[BEN] * 4, subject="my secret")
    text = file.read_text(encoding="utf-8")
    entries = [json.loads(line) for line in text.splitlines()]
    assert [(each["event"], each["address"], each["limit"], each.get("repeated")) for each in entries] == [
        ("limit reached", "192.0.2.1", "calls", None),
        ("limit reached", "192.0.2.1", "calls", 4),
    ]
    assert "secret" not in text
    assert file.stat().st_mode & 0o777 == 0o600
