"""Keep the searches for a quick pairing, so that any server can pair any players."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "searches",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("command_id", sa.Text, nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
        sa.Column("node", sa.Text, nullable=False),
        sa.Column("details", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("identity", name="searches_pkey"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("searches")
