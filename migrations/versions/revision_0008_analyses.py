"""Create the table of match analyses."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "match_analyses",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("engine", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", name="match_analyses_pkey"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("match_analyses")
