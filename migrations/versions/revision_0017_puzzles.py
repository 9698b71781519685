"""Create the tables of puzzles: how well players solve them, how hard they are, and every first attempt."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "puzzle_solvers",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.Column("streak", sa.Integer, nullable=False),
        sa.Column("best_streak", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("identity", "game", name="puzzle_solvers_pkey"),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("puzzle", sa.Text, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "puzzle", name="puzzle_ratings_pkey"),
    )
    op.create_table(
        "puzzle_attempts",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("puzzle", sa.Text, nullable=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("identity", "game", "puzzle", name="puzzle_attempts_pkey"),
    )
    op.create_index("puzzle_attempts_at", "puzzle_attempts", ["identity", "game", "at_ms"])


def downgrade() -> None:
    """Drop them."""
    op.drop_index("puzzle_attempts_at", "puzzle_attempts")
    op.drop_table("puzzle_attempts")
    op.drop_table("puzzle_ratings")
    op.drop_table("puzzle_solvers")
