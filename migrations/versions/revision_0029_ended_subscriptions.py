"""Note which subscriptions to push messages their push services have ended."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
oldest_compatible = "0026"


def upgrade() -> None:
    """Add the column."""
    op.add_column("push_subscriptions", sa.Column("ended_ms", sa.BigInteger))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("push_subscriptions", "ended_ms")
