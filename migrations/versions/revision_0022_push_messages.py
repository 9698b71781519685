"""Keep the browsers that want push messages, which notifications were pushed, and the key of the server."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Create the tables; what is in the inboxes already is not pushed."""
    op.create_table(
        "push_subscriptions",
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("credential", sa.Text),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("endpoint", name="push_subscriptions_pkey"),
    )
    op.create_index("push_subscriptions_identity", "push_subscriptions", ["identity", "created_ms"])
    op.create_table(
        "server_keys",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="server_keys_pkey"),
    )
    op.add_column("notifications", sa.Column("is_pushed", sa.Boolean, nullable=False, server_default=sa.true()))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("notifications", "is_pushed")
    op.drop_table("server_keys")
    op.drop_table("push_subscriptions")
