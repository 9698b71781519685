"""Keep the nodes of a cluster, and their leases."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "nodes",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("beat_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="nodes_pkey"),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("node", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="leases_pkey"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("leases")
    op.drop_table("nodes")
