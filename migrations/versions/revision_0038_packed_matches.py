"""Create the tables of packed matches: the events of finished matches in few bytes, and how far packing has come."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
oldest_compatible = "0026"
"""Until the first match is packed: an older release does not find what is packed."""


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "packed_matches",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("format", sa.SmallInteger, nullable=False),
        sa.Column("last_seq", sa.Integer, nullable=False),
        sa.Column("rest", sa.LargeBinary, nullable=False),
        sa.Column("plies", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("match", name="packed_matches_pkey"),
    )
    op.create_table(
        "packing_progress",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="packing_progress_pkey"),
    )


def downgrade() -> None:
    """Drop them. Raises: ValueError if matches are packed, which would be lost."""
    if op.get_bind().scalar(sa.text("SELECT EXISTS (SELECT 1 FROM packed_matches)")):
        raise ValueError("matches are packed, and an older version cannot read them")
    op.drop_table("packing_progress")
    op.drop_table("packed_matches")
