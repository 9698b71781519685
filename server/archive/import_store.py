"""The records of imported matches as they were read, which say more than the matches' events."""

from typing import NamedTuple

import msgspec
from sqlalchemy import Text, delete, insert, select
from sqlalchemy.sql import Select

from millrace.protocol import MatchId

from ..storage.appends import Insertion, Statement, parameters
from ..storage.database import Step
from ..storage.tables import define_table, required
from .record import MatchRecord

imported_records = define_table("imported_records", ["match"], *required(Text, "match", "record"))
"""One row for each imported match; `record` is its `MatchRecord` in JSON."""

INSERT_RECORD = Statement(
    insert(imported_records).values(parameters(imported_records)), tuple(imported_records.c.keys())
)
STATEMENTS = (INSERT_RECORD,)
"""In the order in which a batch of the journal runs them."""


class RecordRow(NamedTuple):
    """A stored record."""

    record: str


def encode_record(record: MatchRecord) -> str:
    """Return a record in JSON, as it is stored."""
    return msgspec.json.encode(record).decode()


def record_insertion(match: MatchId, encoded: str) -> Insertion:
    """Return what stores the encoded record of a match together with its events."""
    return Insertion(INSERT_RECORD, [(match, encoded)])


def removing_record_step(match: MatchId) -> Step:
    """Return the step that removes the record of a match, whose events alone are exported then."""
    return Step(delete(imported_records).where(imported_records.c.match == match))


def find_record(match: MatchId) -> Select[str]:
    """Return the query for the record of a match."""
    return select(imported_records.c.record).where(imported_records.c.match == match)
