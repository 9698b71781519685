"""Leases in the database: how nodes take them, and how a transaction is fenced off once a lease has another holder.

`server.cluster` decides who holds which.
"""

from typing import NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Executable, Text, bindparam, literal_column, select, true
from sqlalchemy.dialects import postgresql

from .tables import define_table, required


class Fence(NamedTuple):
    """The lease under which something is done (`server.cluster.leases`), for the database to check."""

    lease: str
    """Its name."""
    number: int = 0
    """One more with each new holder; 0 on a server that is alone, where nothing is checked."""


leases = define_table(
    "leases",
    ["name"],
    *required(Text, "name", "node"),
    *required(BigInteger, "number", "expires_ms"),
)
"""Which node may do what only one of them does at a time, and until when by the clock of the database. `number` is one
more with each new holder."""

NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

TAKE_LEASES = f"""
INSERT INTO leases (name, node, number, expires_ms)
SELECT wanted, $1, 1, {NOW_MS} + $3 FROM unnest($2::text[]) AS wanted
WHERE NOT EXISTS (SELECT FROM leases WHERE name = wanted AND node <> $1 AND expires_ms > {NOW_MS})
ORDER BY wanted
ON CONFLICT (name) DO UPDATE SET
    node = excluded.node,
    number = leases.number + (leases.node <> excluded.node)::int,
    expires_ms = excluded.expires_ms
WHERE leases.node = excluded.node OR leases.expires_ms <= {NOW_MS}
RETURNING name, number
"""
"""Looks before it takes: a node that has no lease then writes nothing. All nodes take them in one order, so that none
waits for another that waits for it."""

GIVE_UP_LEASES = "UPDATE leases SET expires_ms = 0 WHERE node = $1"

_NOTHING: ColumnElement[str] = literal_column("''")
_ZERO: ColumnElement[int] = literal_column("0")


def require_lease() -> Executable:
    """Return an insert that changes nothing, and violates a constraint unless a lease has that number.

    Until the end of the transaction nobody can take the lease: what is stored under it is there to be seen by its next
    holder. `server.storage.failures.is_stale_lease` knows the violation.
    """
    name, number = leases.c.name, leases.c.number
    wanted = select(
        bindparam("lease", type_=name.type).label("lease"), bindparam("number", type_=number.type).label("number")
    ).subquery("wanted")
    present = select(number).where(name == wanted.c.lease, number == wanted.c.number).with_for_update(read=True)
    # SQLite takes `ON` for that of a join, unless a condition is in between.
    row = select(wanted.c.lease, _NOTHING, present.scalar_subquery(), _ZERO).where(true())
    return postgresql.insert(leases).from_select(["name", "node", "number", "expires_ms"], row).on_conflict_do_nothing()
