"""The processor time that players may spend on analyses, with times made up by the tests."""

from types import SimpleNamespace
from typing import cast

from millrace.server.analysis.time_allowance import ACCOUNT_MS, GUEST_MS, REFILL_MS, Allowances
from millrace.server.identity.caller import Caller, ConnectionInfo
from millrace.server.protocol import IdentityId, Player


def caller(name: str, address: str = "192.0.2.1", *, registered: bool = False) -> Caller:
    player = Player(IdentityId(name), name, registered=registered)
    return cast(Caller, SimpleNamespace(player=player, connection_info=ConnectionInfo(address)))


def test_spent_time_refills() -> None:
    allowance = Allowances().of(caller("ann"))
    allowance.spend(GUEST_MS, 0)
    assert allowance.left_ms(0) == 0
    assert allowance.left_ms(REFILL_MS // 3) == GUEST_MS // 3
    assert allowance.left_ms(10**9) == GUEST_MS


def test_a_caller_learns_how_long_to_wait() -> None:
    allowance = Allowances().of(caller("ann"))
    assert allowance.wait_ms(1_000, 0) == 0
    allowance.spend(GUEST_MS, 0)
    assert allowance.wait_ms(1_000, 0) == 3_000
    assert allowance.left_ms(3_000) == 1_000


def test_each_account_has_its_own_allowance() -> None:
    allowances = Allowances()
    allowances.of(caller("ann", registered=True)).spend(5_000, 0)
    assert allowances.of(caller("ben", registered=True)).left_ms(0) == ACCOUNT_MS


def test_guests_at_one_address_share_an_allowance() -> None:
    allowances = Allowances()
    allowances.of(caller("otter")).spend(5_000, 0)
    assert allowances.of(caller("heron")).left_ms(0) == GUEST_MS - 5_000
    assert allowances.of(caller("robin", "192.0.2.2")).left_ms(0) == GUEST_MS


def test_a_server_may_give_more() -> None:
    allowance = Allowances(2.0).of(caller("ann"))
    assert allowance.left_ms(0) == 2 * GUEST_MS
    allowance.spend(2 * GUEST_MS, 0)
    assert allowance.left_ms(60_000) == 40_000
    assert allowance.wait_ms(41_000, 60_000) == 1_500
