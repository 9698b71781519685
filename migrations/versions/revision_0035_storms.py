"""Create the table of storms: each player's present one in each game, and the best scores."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
oldest_compatible = "0026"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "storms",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("ends_ms", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("puzzles", sa.Text, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("combo", sa.Integer, nullable=False),
        sa.Column("best", sa.Integer, nullable=False),
        sa.Column("best_of_day", sa.Integer, nullable=False),
        sa.Column("day", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("identity", "game", name="storms_pkey"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("storms")
