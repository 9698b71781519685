"""Create the tables of ladders."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
oldest_compatible = "0026"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "ladder_events",
        sa.Column("ladder", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("ladder", "seq", name="ladder_events_pkey"),
    )
    op.create_table(
        "ladder_players",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("ladder", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("identity", "ladder", name="ladder_players_pkey"),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("ladder_players", "ladder_events"):
        op.drop_table(table)
