"""A server in health never answers `unavailable`: that promises that the same message may succeed later."""

import asyncio
import random
from http import HTTPStatus
from typing import Any, get_args

import pytest
from msgspec import inspect

from millrace.protocol import ClientMessage, Code, DeleteAccount, Hello, SignOut
from tests.server.in_process_server import Serve
from tests.server.players.accounts.registered_players import PASSWORD, register
from tests.server.web.get_requests import get
from tests.serving import PATIENCE_S

TEXTS = ("\0", "a\0b", "\U0010ffff", "'\"\\%_", "\x7f", " ", "Beatrix", "morris", "é" * 40)
NUMBERS = (0, 1, 2**31, 2**53 - 1, 2**63 - 1, -(2**63))
EACH = 12
"""Messages of each type."""


@pytest.fixture
def served_url(url: str) -> str:
    """The tests of this module run on every kind of database."""
    return url


def made_up(kind: Any, chance: random.Random) -> Any:  # noqa: PLR0911  # one case for each kind
    """Return a value of a type that a message may contain, as often as not an awkward one."""
    match kind:
        case inspect.IntType(ge=ge, le=le):
            return chance.choice([n for n in (*NUMBERS, ge, le) if n is not None and (ge or n) <= n <= (le or n)])
        case inspect.StrType(min_length=least, max_length=most, pattern=pattern):
            text = "~" if pattern else chance.choice(TEXTS)
            return (text * (least or 0) + text)[: max(1, most or 10)]
        case inspect.EnumType(cls=cls):
            return chance.choice(list(cls)).value
        case inspect.LiteralType(values=values):
            return chance.choice(values)
        case inspect.UnionType(types=types):
            return made_up(chance.choice(types), chance)
        case inspect.VarTupleType(item_type=item, min_length=least):
            return [made_up(item, chance) for _ in range(max(least or 0, chance.randrange(3)))]
        case inspect.StructType(fields=fields):
            chosen = [field for field in fields if field.required or chance.random() < 0.7]
            return {field.encode_name: made_up(field.type, chance) for field in chosen}
        case inspect.BoolType():
            return chance.random() < 0.5
        case _:
            return None


async def test_a_healthy_server_answers_no_message_with_unavailable(serve: Serve) -> None:
    chance = random.Random(1)
    served = await serve()
    types = [each for each in get_args(ClientMessage) if each not in (Hello, SignOut, DeleteAccount)]
    async with asyncio.timeout(PATIENCE_S):
        visitor, codes = await register(served), set()
        for kind in inspect.multi_type_info(types):
            assert isinstance(kind, inspect.StructType)
            for number in range(EACH):
                fields = made_up(kind, chance)
                if "id" in fields:
                    fields["id"] = chance.choice([f"{kind.tag}-{number}", f"command-{number}"])
                if "password" in fields and number % 2:
                    fields["password"] = PASSWORD
                visitor.read.clear()
                await visitor.say(str(kind.tag), **fields)
                await visitor.ping()
                refused = {frame["code"] for frame in visitor.read if frame["type"] == "refused"}
                assert Code.UNAVAILABLE not in refused, (kind.tag, fields)
                codes |= refused
        assert len(codes) > 20, codes


async def test_a_filter_that_no_column_can_hold_is_a_bad_request(serve: Serve) -> None:
    served = await serve()
    for query in ("player=a%00b", "game=%00", "since_ms=999999999999999"):
        status, _, _ = await get(served, f"/archive.txt?{query}")
        assert status < HTTPStatus.INTERNAL_SERVER_ERROR, query
