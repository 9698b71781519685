"""Give tables, columns and stored values the names that the code and the messages use.

Stored analyses are deleted, since the fields of their JSON have other names now; they are
made again when a player asks.
"""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_TABLES = {"people": "profiles", "measures": "restrictions", "notices": "notifications"}
_COLUMNS = {
    "people": {"toggled_notices": "toggled_notifications"},
    "measures": {"words": "reason"},
    "notices": {"words": "explanation"},
    "reports": {"words": "note"},
    "moderation_log": {"deed": "action"},
}
_VALUES = {
    ("restrictions", "kind"): {"closure": "ban"},
    ("moderation_log", "action"): {"close": "ban", "reopen": "unban", "take_role": "remove_role"},
    ("chat_lines", "room"): {"watchers": "spectators"},
}


def upgrade() -> None:
    """Rename tables, columns and values."""
    for old, new in _TABLES.items():
        _move_table(old, new, _COLUMNS[old])
    for table in ("reports", "moderation_log"):
        _rename_columns(table, _COLUMNS[table])
    for (table, column), values in _VALUES.items():
        _replace_values(table, column, values)
    op.execute("DELETE FROM match_analyses")


def downgrade() -> None:
    """Rename them back."""
    for (table, column), values in _VALUES.items():
        _replace_values(table, column, _inverted(values))
    for table in ("reports", "moderation_log"):
        _rename_columns(table, _inverted(_COLUMNS[table]))
    for old, new in _TABLES.items():
        _move_table(new, old, _inverted(_COLUMNS[old]))
    op.execute("DELETE FROM match_analyses")


def _move_table(old: str, new: str, renamed: Mapping[str, str]) -> None:
    """Create a table, copy the rows and drop the old table: SQLite cannot rename a constraint."""
    table = sa.Table(old, sa.MetaData(), autoload_with=op.get_bind())
    indexes = [(str(index.name), [column.name for column in index.columns]) for index in table.indexes]
    columns = [
        sa.Column(
            renamed.get(each.name, each.name), each.type, nullable=each.nullable, server_default=_default_of(each)
        )
        for each in table.columns
    ]
    key = [column.name for column in table.primary_key.columns]
    op.create_table(new, *columns, sa.PrimaryKeyConstraint(*key, name=f"{new}_pkey"))
    old_names, new_names = list(table.columns.keys()), [column.name for column in columns]
    op.execute(f"INSERT INTO {new} ({_quoted(new_names)}) SELECT {_quoted(old_names)} FROM {old}")
    op.drop_table(old)
    for name, of_columns in indexes:
        op.create_index(name.replace(old, new), new, of_columns)


def _default_of(column: sa.Column[object]) -> sa.TextClause | None:
    default = column.server_default
    return sa.text(str(default.arg)) if isinstance(default, sa.DefaultClause) else None


def _rename_columns(table: str, renamed: Mapping[str, str]) -> None:
    for old, new in renamed.items():
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")


def _replace_values(table: str, column: str, values: Mapping[str, str]) -> None:
    stored = sa.table(table, sa.column(column))
    for old, new in values.items():
        op.execute(sa.update(stored).where(stored.c[column] == old).values({column: new}))


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _inverted(names: Mapping[str, str]) -> dict[str, str]:
    return {new: old for old, new in names.items()}
