"""How SQLite would run a query."""

import sqlite3

from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ClauseElement


def plan_of(connection: sqlite3.Connection, statement: ClauseElement) -> list[str]:
    compiled = statement.compile(dialect=sqlite.dialect(), compile_kwargs={"render_postcompile": True})
    assert isinstance(compiled, SQLCompiler)
    values = [compiled.params[name] for name in compiled.positiontup or ()]
    rows = connection.execute(f"EXPLAIN QUERY PLAN {compiled}", values)
    return [str(row[3]) for row in rows]
