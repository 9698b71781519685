"""Keep the records of imported matches as they were read."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
oldest_compatible = "0026"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "imported_records",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match", name="imported_records_pkey"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("imported_records")
