"""Create the table of vacations."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
oldest_compatible = "0026"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "vacations",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("identity", "number", name="vacations_pkey"),
    )
    op.create_index("vacations_until", "vacations", ["until_ms"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("vacations_until", "vacations")
    op.drop_table("vacations")
