"""Create the table of studies."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "studies",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("match", sa.Text),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("updated_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="studies_pkey"),
    )
    op.create_index("studies_identity", "studies", ["identity", "updated_ms"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("studies_identity", "studies")
    op.drop_table("studies")
