"""Rows for every table, made from the tables themselves, so that a new one is filled too."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Double, Integer, LargeBinary, MetaData, SmallInteger, Text
from sqlalchemy.types import TypeEngine

from millrace.server.storage.address import parse_address
from millrace.server.storage.database import open_engine

TEXTS = (
    "",
    "plain",
    "Zoë's \u65e5\u672c \U0001f411",
    '{"quoted": "\\u0000 \\ud800"}',
    "line\r\nbreak\ttab\x01\x7f\uffff",
)


async def fill_tables(address: str, metadata: MetaData, rows: int) -> None:
    """Store rows in each table of a database."""
    engine = open_engine(parse_address(address))
    async with engine.begin() as connection:
        for table in metadata.sorted_tables:
            values = [_row(table.columns.values(), number) for number in range(1, rows + 1)]
            await connection.execute(table.insert(), values)
    await engine.dispose()


def _row(columns: Sequence[Column[object]], number: int) -> dict[str, object]:
    return {column.name: _value(column, number) for column in columns}


def _value(column: Column[object], number: int) -> object:
    if column.nullable and number % 3 == 0:
        return None
    sign = -1 if number % 2 else 1
    values: dict[type[TypeEngine[Any]], object] = {
        Text: f"{number:03}{TEXTS[number % len(TEXTS)]}",
        Boolean: number % 2 == 0,
        SmallInteger: sign * (2**15 - number),
        # Each match has one event here, which is not packed.
        Integer: {"seq": 1, "last_seq": 0}.get(column.name, sign * (2**31 - number)),
        BigInteger: sign * (2**63 - number),
        Double: sign / number,
        LargeBinary: number.to_bytes(4, "little") + b"\xff'",
    }
    assert type(column.type) in values, f"{column} has a type that no test copies into the other kind of database"
    return values[type(column.type)]


async def rows_of(address: str, metadata: MetaData) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of each table, sorted by their Python text."""
    engine = open_engine(parse_address(address))
    async with engine.connect() as connection:
        rows = {
            table.name: sorted(map(tuple, await connection.execute(table.select())), key=repr)
            for table in metadata.sorted_tables
        }
    await engine.dispose()
    return rows


async def run_on(address: str, *statements: str) -> None:
    """Run statements in one transaction."""
    engine = open_engine(parse_address(address))
    async with engine.begin() as connection:
        for statement in statements:
            await connection.exec_driver_sql(statement)
    await engine.dispose()
