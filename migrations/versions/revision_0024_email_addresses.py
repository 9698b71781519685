"""Keep the confirmed e-mail addresses of accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "email_addresses",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("confirmed_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("identity", name="email_addresses_pkey"),
    )


def downgrade() -> None:
    """Drop it, and the codes that earlier versions do not know."""
    op.execute("DELETE FROM grants WHERE kind IN ('email', 'mailed_recovery')")
    op.drop_table("email_addresses")
