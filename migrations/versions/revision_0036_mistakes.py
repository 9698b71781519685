"""Create the table of mistakes: which of their own mistakes players have solved or missed, and when."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
oldest_compatible = "0026"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "mistakes",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("identity", "match", "ply", name="mistakes_pkey"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("mistakes")
