"""Keep when a rematch was last answered and has not started, so that one that was agreed on starts after a crash."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "rematch_answers",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", name="rematch_answers_pkey"),
    )
    op.create_index("rematch_answers_at", "rematch_answers", ["at_ms"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("rematch_answers")
