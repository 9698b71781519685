"""Add columns for searching packed matches, so that packing can delete their rows in other tables.

Only adds what is empty: the rows move when their matches are packed, or by `millrace archive pack` if they are already.
"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
oldest_compatible = "0026"
"""Until the first match is packed: an older release does not find what is packed."""

_SEATS = range(4)


def upgrade() -> None:
    """Add the columns and their indexes, and create the table of games."""
    for name in ("created_ms", "ended_ms", "origin", *(f"seat_{seat}" for seat in _SEATS)):
        op.add_column("packed_matches", sa.Column(name, sa.BigInteger))
    op.add_column("packed_matches", sa.Column("ply_count", sa.Integer))
    for name in ("game", "result", *(f"standing_{seat}" for seat in _SEATS), "openings_due"):
        op.add_column("packed_matches", sa.Column(name, sa.SmallInteger))
    op.add_column("packed_matches", sa.Column("rated", sa.Boolean))
    op.create_index("packed_matches_origin", "packed_matches", ["origin"], unique=True)
    op.create_index("packed_matches_archive", "packed_matches", ["game", "ended_ms", "rated", "result"])
    for seat in _SEATS:
        columns = [f"seat_{seat}", "ended_ms", "game", "rated", f"standing_{seat}"]
        _create_partial(f"packed_matches_seat_{seat}", columns, f"seat_{seat} IS NOT NULL")
    _create_partial("packed_matches_openings_due", ["match"], "openings_due != 0")
    op.create_table(
        "packed_games",
        sa.Column("number", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="packed_games_pkey"),
    )


def _create_partial(name: str, columns: list[str], condition: str) -> None:
    where = sa.text(condition)
    op.create_index(name, "packed_matches", columns, sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    """Drop them. Raises: ValueError if matches have no other rows, and would not be found any more."""
    if op.get_bind().scalar(sa.text("SELECT EXISTS (SELECT 1 FROM packed_matches WHERE ended_ms IS NOT NULL)")):
        raise ValueError("matches are packed, and an older version cannot read them")
    op.drop_table("packed_games")
    for name in ("origin", "archive", *(f"seat_{seat}" for seat in _SEATS), "openings_due"):
        op.drop_index(f"packed_matches_{name}", "packed_matches")
    names = ("created_ms", "ended_ms", "origin", *(f"seat_{seat}" for seat in _SEATS), "ply_count", "game", "result")
    for name in (*names, *(f"standing_{seat}" for seat in _SEATS), "openings_due", "rated"):
        op.drop_column("packed_matches", name)
