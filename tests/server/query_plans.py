"""How SQLite would run a query."""

import sqlite3

from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.elements import ClauseElement


def plan_of(connection: sqlite3.Connection, statement: ClauseElement) -> list[str]:
    """Return the lines of a statement's plan; its parameters have values."""
    compiled = statement.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})
    return [str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {compiled}")]
