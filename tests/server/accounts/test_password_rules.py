"""Which passwords are refused, and that they are hashed well and not too many at once."""

import asyncio

import pytest
from argon2 import PasswordHasher

from millrace.server.accounts.hashing import MAX_WAITING, THREADS, PasswordHasherPool
from millrace.server.accounts.password_rules import BadPasswordError, require_acceptable_password
from millrace.server.protocol import Code
from millrace.server.protocol.refusal import Refusal

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)

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
    with pytest.raises(BadPasswordError, match=REFUSED[password]):
        require_acceptable_password(password, "Beatrix-7")


@pytest.mark.parametrize("password", ["beatrix goes home", "ein schöner Tag", "x8!kQ" * 25, "貓貓狗狗鳥鳥魚魚"])
def test_a_long_password_of_any_characters_is_good(password: str) -> None:
    require_acceptable_password(password, "Beatrix-7")


async def test_a_password_is_verified_however_its_letters_are_composed() -> None:
    hasher = PasswordHasherPool(CHEAP)
    password_hash = await hasher.hash("Scho\N{COMBINING DIAERESIS}ner Tag")
    assert "ner Tag" not in password_hash
    assert await hasher.verify("Sch\N{LATIN SMALL LETTER O WITH DIAERESIS}ner Tag", password_hash)
    assert not await hasher.verify("Schoner Tag", password_hash)
    hasher.close()


async def test_nobodys_password_is_never_right() -> None:
    hasher = PasswordHasherPool(CHEAP)
    assert not await hasher.verify("whatever it is", None)
    assert not await hasher.verify("", "no hash at all")
    hasher.close()


async def test_a_hash_of_another_cost_is_outdated() -> None:
    hasher = PasswordHasherPool(CHEAP)
    password_hash = await hasher.hash("a long password")
    assert not hasher.is_outdated(password_hash)
    dearer = PasswordHasherPool(PasswordHasher(time_cost=2, memory_cost=8, parallelism=1))
    assert dearer.is_outdated(password_hash)
    assert await dearer.verify("a long password", password_hash)
    hasher.close()
    dearer.close()


async def test_when_too_many_wait_the_next_is_asked_to_come_back() -> None:
    hasher = PasswordHasherPool(CHEAP)
    asked = [asyncio.ensure_future(hasher.hash("a long password")) for _ in range(THREADS + MAX_WAITING)]
    await asyncio.wait(asked, timeout=0)
    with pytest.raises(Refusal) as refusal:
        await hasher.hash("a long password")
    assert refusal.value.code is Code.TOO_BUSY
    assert len(set(await asyncio.gather(*asked))) == THREADS + MAX_WAITING
    assert await hasher.hash("a long password")
    hasher.close()
