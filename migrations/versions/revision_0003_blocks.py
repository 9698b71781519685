"""Create the tables of blocks."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "blocks",
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("whom", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("by", "whom", name="blocks_pkey"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("blocks")
