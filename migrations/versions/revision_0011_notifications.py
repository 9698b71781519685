"""Create the table of notifications, and store which kinds of them a player has turned on or off."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create the table and the column."""
    op.create_table(
        "notices",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("match", sa.Text),
        sa.Column("game", sa.Text),
        sa.Column("player", sa.Text),
        sa.Column("player_name", sa.Text),
        sa.Column("player_registered", sa.Boolean, nullable=False),
        sa.Column("player_bot", sa.Boolean, nullable=False),
        sa.Column("player_level", sa.SmallInteger),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("is_read", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("identity", "kind", "subject", name="notices_pkey"),
    )
    op.create_index("notices_identity", "notices", ["identity", "at_ms"])
    op.create_index("notices_at", "notices", ["at_ms"])
    op.create_index("notices_player", "notices", ["player"])
    op.add_column("people", sa.Column("toggled_notices", sa.Text))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("people", "toggled_notices")
    op.drop_table("notices")
