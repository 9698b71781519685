"""Note which study a report or a moderation action is about."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
oldest_compatible = "0026"


def upgrade() -> None:
    """Add the columns."""
    for table in ("reports", "moderation_log"):
        op.add_column(table, sa.Column("study", sa.Text))


def downgrade() -> None:
    """Drop them."""
    for table in ("reports", "moderation_log"):
        op.drop_column(table, "study")
