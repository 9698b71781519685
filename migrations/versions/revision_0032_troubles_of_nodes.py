"""Keep what is wrong with the nodes of a cluster, so that the others make up for it."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
oldest_compatible = "0026"


def upgrade() -> None:
    """Add the column."""
    op.add_column("nodes", sa.Column("trouble", sa.Text))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("nodes", "trouble")
