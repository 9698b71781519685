"""Keep the conditional moves that players plan in matches by correspondence."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "plans",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", name="plans_pkey"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("plans")
