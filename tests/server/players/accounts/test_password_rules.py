"""Refused passwords, proper hashing, and a bounded number of hashes at once."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from argon2 import PasswordHasher

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal
from millrace.server.players.accounts.hashing import HASHES, THREADS, PasswordHasherPool
from millrace.server.players.accounts.password_rules import require_acceptable_password
from tests.server.callers.users import LimitsOnClock

HOME = "192.0.2.1"
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
async def hasher() -> AsyncIterator[PasswordHasherPool]:
    pool = PasswordHasherPool(LimitsOnClock().limits, CHEAP)
    yield pool
    pool.close()


REFUSED = {
    "short12": "at least 8",
    "": "at least 8",
    "x" * 129: "at most 128",
    "password": "most common",
    "PassWord123": "most common",
    "qwertyuiop": "most common",
    "!!!!!!!!!!": "most common",
    "beatrix-7": "your name",
    "Beatrix-7": "your name",
    "beatrix-7123!": "your name",
}


@pytest.mark.parametrize("password", REFUSED)
def test_a_password_that_is_easy_to_guess_is_refused_with_the_reason(password: str) -> None:
    with pytest.raises(Refusal, match=REFUSED[password]):
        require_acceptable_password(password, "Beatrix-7")


@pytest.mark.parametrize("password", ["beatrix goes home", "ein schöner Tag", "x8!kQ" * 25, "貓貓狗狗鳥鳥魚魚"])
def test_a_long_password_of_any_characters_is_accepted(password: str) -> None:
    require_acceptable_password(password, "Beatrix-7")


async def test_a_password_is_verified_in_any_unicode_composition(hasher: PasswordHasherPool) -> None:
    password_hash = await hasher.hash("Scho\N{COMBINING DIAERESIS}ner Tag", HOME)
    assert "ner Tag" not in password_hash
    assert await hasher.verify("Sch\N{LATIN SMALL LETTER O WITH DIAERESIS}ner Tag", password_hash, HOME)
    assert not await hasher.verify("Schoner Tag", password_hash, HOME)


async def test_a_password_without_an_account_is_never_right(hasher: PasswordHasherPool) -> None:
    assert not await hasher.verify("whatever it is", None, HOME)
    assert not await hasher.verify("", "no hash at all", HOME)


async def test_a_hash_with_another_cost_is_outdated(hasher: PasswordHasherPool) -> None:
    password_hash = await hasher.hash("a long password", HOME)
    assert not hasher.is_outdated(password_hash)
    dearer = PasswordHasherPool(LimitsOnClock().limits, PasswordHasher(time_cost=2, memory_cost=8, parallelism=1))
    assert dearer.is_outdated(password_hash)
    assert await dearer.verify("a long password", password_hash, HOME)
    dearer.close()


async def test_addresses_take_turns_regardless_of_arrival() -> None:
    begun = list[str]()

    class Noting(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            begun.append(str(password))
            return super().hash(password, salt=salt)

    pool = PasswordHasherPool(LimitsOnClock().limits, Noting(time_cost=1, memory_cost=8, parallelism=1))
    flood = [asyncio.ensure_future(pool.hash("flood", "flood")) for _ in range(20)]
    await asyncio.wait(flood, timeout=0)
    await asyncio.gather(*flood, pool.hash("home", HOME), pool.hash("school", "school"))
    pool.close()
    assert max(begun.index("home"), begun.index("school")) <= 2 * THREADS + 4, "they wait for two rounds of the others"


async def test_a_cancelled_request_gives_its_turn_to_the_next(hasher: PasswordHasherPool) -> None:
    asked = [asyncio.ensure_future(hasher.hash("a long password", HOME)) for _ in range(8)]
    await asyncio.wait(asked, timeout=0)
    for given_up in asked[THREADS + 1 : THREADS + 4]:
        given_up.cancel()
    hashes = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(each, str) for each in hashes) == 5
    assert await asyncio.gather(*(hasher.hash("a long password", HOME) for _ in range(3)))


async def test_beyond_an_addresss_maximum_further_requests_are_refused_and_others_are_not(
    hasher: PasswordHasherPool,
) -> None:
    most = int(HASHES.address or 0)
    asked = [asyncio.ensure_future(hasher.hash("a long password", HOME)) for _ in range(most)]
    await asyncio.wait(asked, timeout=0)
    with pytest.raises(Refusal) as refusal:
        await hasher.hash("a long password", HOME)
    assert refusal.value.code is Code.TOO_BUSY
    assert await hasher.hash("a long password", "elsewhere")
    assert len(set(await asyncio.gather(*asked))) == most
    assert await hasher.hash("a long password", HOME)
