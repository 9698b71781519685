"""Create the tables of chat: lines, mutes and reports."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "chat_lines",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("registered", sa.Boolean, nullable=False),
        sa.Column("command_id", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "number", name="chat_lines_pkey"),
    )
    op.create_index("chat_lines_command", "chat_lines", ["identity", "command_id"], unique=True)
    op.create_table(
        "mutes",
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("whom", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("by", "whom", name="mutes_pkey"),
    )
    op.create_table(
        "reports",
        sa.Column("reporter", sa.Text, nullable=False),
        sa.Column("command_id", sa.Text, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("line", sa.Integer),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("reporter", "command_id", name="reports_pkey"),
    )
    op.create_index("reports_at", "reports", ["at_ms"])


def downgrade() -> None:
    """Drop the tables."""
    for table in ("reports", "mutes", "chat_lines"):
        op.drop_table(table)
