"""The page of limits is written from the server's limits, and lists all of them."""

import importlib
import pkgutil
import re
from contextlib import suppress
from pathlib import Path

import pytest

import millrace.server
from millrace.protocol import IdentityId
from millrace.protocol.refusal import Refusal
from millrace.server.app.limit_table import LIMITS, write_page
from millrace.server.archive.downloads import EXPORTS
from millrace.server.callers.caller import Caller
from millrace.server.callers.limit import Limit
from millrace.server.callers.limits import Limits
from tests.server.callers.users import LimitsOnClock, user

PAGE = Path(__file__).parents[3] / "docs" / "limits.md"


def test_the_page_is_up_to_date() -> None:
    command = "python -m millrace.server.app.limit_table"
    assert PAGE.read_text(encoding="utf-8") == write_page(LIMITS), f"docs/limits.md is out of date; run `{command}`."


def test_every_declared_limit_is_in_the_table_with_a_unique_name() -> None:
    declared: dict[int, Limit] = {}
    for module in pkgutil.walk_packages(millrace.server.__path__, "millrace.server."):
        if not module.name.endswith("__main__"):
            found = vars(importlib.import_module(module.name)).values()
            declared.update({id(each): each for each in found if isinstance(each, Limit)})
    assert sorted(each.name for each in declared.values()) == sorted(limit.name for limit in LIMITS)
    assert len({limit.name for limit in LIMITS}) == len(LIMITS)


def test_every_limit_bounds_an_address_or_a_players_stored_data() -> None:
    stored = {
        *("api_tokens", "muted_players", "followed_players", "blocked_players", "wrong_passwords_of_known_player"),
        "planned_tournaments",
    }
    unbounded = {limit.name for limit in LIMITS if limit.address is None and limit.guests is None}
    assert unbounded == stored


SHARED = [limit for limit in LIMITS if limit.everyone is not None]


@pytest.mark.parametrize("limit", SHARED, ids=[limit.name for limit in SHARED])
@pytest.mark.parametrize("are_registered", [True, False])
def test_what_everyone_shares_is_never_used_up_by_one_address(limit: Limit, are_registered: bool) -> None:
    """However many players and connections it has."""
    limits = LimitsOnClock().limits
    for number in range(2 * int(limit.everyone or 0)):
        with suppress(Refusal):
            use(limits, limit, user(f"ann{number}", "192.0.2.1", registered=are_registered))
    for number in range(int((limit.everyone or 0) // 2)):
        use(limits, limit, user(f"ben{number}", f"192.0.3.{number}", registered=are_registered))


AT_A_TIME = [
    limit for limit in SHARED if not limit.window_ms and limit.name not in ("outbox_kib", "waiting_challenges")
]
"""Without those counted otherwise: slow readers are disconnected, and the bound of challenges protects a recipient."""


@pytest.mark.parametrize("limit", AT_A_TIME, ids=[limit.name for limit in AT_A_TIME])
def test_what_everyone_shares_is_never_used_up_by_many_addresses(limit: Limit) -> None:
    """However many they are, and however much each of them uses."""
    limits = LimitsOnClock().limits
    for number in range(int(limit.everyone or 0)):
        for _ in range(int(limit.address or 0)):
            limits.hold_at(limit, f"192.0.2.{number}")
    assert limits.hold_at(limit, "192.0.2.1") is None
    last = limits.hold_at(limit, "2001:db8::/64")
    assert last is not None
    assert limits.hold_at(limit, "2001:db8::/64") is None


@pytest.mark.parametrize("user", [IdentityId("ann"), None])
def test_neither_an_account_nor_visitors_use_up_the_downloads_of_their_address(user: IdentityId | None) -> None:
    limits = LimitsOnClock().limits
    while limits.hold_at(EXPORTS, "192.0.2.1", user) is not None:
        pass
    assert limits.hold_at(EXPORTS, "192.0.2.1", IdentityId("ben")) is not None


def use(limits: Limits, limit: Limit, by: Caller) -> None:
    """Use a limit, of either kind. Raises: Refusal."""
    if limit.window_ms:
        limits.use(limit, by, subject="subject")
    else:
        limits.hold(limit, by, "subject")


def test_everything_that_waits_takes_turns_and_is_bounded_by_a_limit() -> None:
    """A semaphore serves requests in their order, so one user with many requests delays all others."""
    sources = {path.name: path.read_text() for path in Path(millrace.server.__file__).parent.rglob("*.py")}
    assert [name for name, source in sources.items() if re.search(r"Semaphore\(|Queue\(.*maxsize=", source)] == []
    assert "fair_turns.py" in sources
