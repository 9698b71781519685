"""Note with the revision which releases can work with the tables, so that an older one may run beside a newer one."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
oldest_compatible = "0026"


def upgrade() -> None:
    """Add the column, which `migrations.env` fills."""
    op.add_column("alembic_version", sa.Column("oldest_compatible", sa.Text))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("alembic_version", "oldest_compatible")
