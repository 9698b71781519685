"""Create the tables of ratings, and the index of matches by their end."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the tables and the index."""
    op.create_index("matches_ended", "matches", ["ended_ms"])
    op.create_table(
        "ratings",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("seats", sa.SmallInteger, nullable=False),
        sa.Column("speed", sa.Text, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("updated_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("identity", "game", "seats", "speed", name="ratings_pkey"),
    )
    op.create_index("ratings_leaders", "ratings", ["game", "seats", "speed", "mu"])
    op.create_table(
        "rating_history",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("seats", sa.SmallInteger, nullable=False),
        sa.Column("speed", sa.Text, nullable=False),
        sa.Column("rank", sa.SmallInteger, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("mu_before", sa.Double, nullable=False),
        sa.Column("sigma_before", sa.Double, nullable=False),
        sa.Column("mu_after", sa.Double, nullable=False),
        sa.Column("sigma_after", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", name="rating_history_pkey"),
    )
    op.create_index("rating_history_identity", "rating_history", ["identity", "at_ms"])


def downgrade() -> None:
    """Drop the tables and the index."""
    for table in ("rating_history", "ratings"):
        op.drop_table(table)
    op.drop_index("matches_ended", "matches")
