"""Mark the accounts of bots, and their chat lines."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("accounts", sa.Column("is_bot", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("chat_lines", sa.Column("bot", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("chat_lines", "bot")
    op.drop_column("accounts", "is_bot")
