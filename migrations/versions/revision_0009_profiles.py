"""Create the tables of profiles and follows."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "people",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("bio", sa.Text),
        sa.Column("country", sa.Text),
        sa.Column("is_hidden", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("seen_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("identity", name="people_pkey"),
    )
    op.create_table(
        "follows",
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("whom", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("by", "whom", name="follows_pkey"),
    )
    op.create_index("follows_whom", "follows", ["whom"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("follows")
    op.drop_table("people")
