"""Create the index of openings, for which every match in the archive that has a result is due."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

_IS_DUE = sa.text("openings_due != 0")


def upgrade() -> None:
    """Create the table, and the column that says which matches are due."""
    op.create_table(
        "opening_moves",
        sa.Column("position", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("people", sa.Boolean, nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
        sa.Column("latest", sa.Text),
        sa.Column("latest_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("position", "move", "people", name="opening_moves_pkey"),
    )
    op.add_column("matches", sa.Column("openings_due", sa.SmallInteger, nullable=False, server_default=sa.text("0")))
    op.execute("UPDATE matches SET openings_due = 1 WHERE archived_ms IS NOT NULL AND result <> 'none'")
    op.create_index("matches_openings_due", "matches", ["id"], sqlite_where=_IS_DUE, postgresql_where=_IS_DUE)


def downgrade() -> None:
    """Drop them."""
    op.drop_index("matches_openings_due", "matches")
    op.drop_column("matches", "openings_due")
    op.drop_table("opening_moves")
