"""Create the tables of the journal: matches, events and heartbeats."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "matches",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("origin_by", sa.Text, nullable=False),
        sa.Column("origin_command", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="matches_pkey"),
    )
    op.create_index("matches_origin", "matches", ["origin_by", "origin_command"], unique=True)
    unfinished = sa.text("ended_ms IS NULL")
    op.create_index(
        "matches_unfinished", "matches", ["created_ms"], sqlite_where=unfinished, postgresql_where=unfinished
    )
    op.create_table(
        "events",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("command_id", sa.Text),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match", "seq", name="events_pkey"),
    )
    commanded = sa.text("command_id IS NOT NULL")
    op.create_index(
        "events_command",
        "events",
        ["match", "seat", "command_id"],
        unique=True,
        sqlite_where=commanded,
        postgresql_where=commanded,
    )
    op.create_table(
        "heartbeats",
        sa.Column("node", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("node", name="heartbeats_pkey"),
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in ("heartbeats", "events", "matches"):
        op.drop_table(table)
