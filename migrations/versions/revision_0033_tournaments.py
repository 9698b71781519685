"""Create the tables of tournaments."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
oldest_compatible = "0026"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("ends_ms", sa.BigInteger, nullable=False),
        sa.Column("is_over", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="tournaments_pkey"),
    )
    op.create_index("tournaments_over", "tournaments", ["is_over", "ends_ms"])
    op.create_index("tournaments_by", "tournaments", ["by"])
    op.create_table(
        "tournament_events",
        sa.Column("tournament", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("tournament", "seq", name="tournament_events_pkey"),
    )
    op.create_table(
        "tournament_players",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("tournament", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("identity", "tournament", name="tournament_players_pkey"),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("tournament_players", "tournament_events", "tournaments"):
        op.drop_table(table)
