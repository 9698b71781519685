"""Keep which match each request for a quick pairing led to, so that one sent again after a crash finds it."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "pairings",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("command_id", sa.Text, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("identity", "command_id", name="pairings_pkey"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("pairings")
