"""Keep the answers to commands, for those that are sent again, and the mails to be sent."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
oldest_compatible = "0026"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "answers",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("command_id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("identity", "command_id", "kind", name="answers_pkey"),
    )
    op.create_index("answers_at", "answers", ["at_ms"])
    op.create_table(
        "mails",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("next_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="mails_pkey"),
    )
    op.create_index("mails_next", "mails", ["next_ms"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("mails")
    op.drop_table("answers")
