"""Create the tables of races, and of the players' parts in them."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
oldest_compatible = "0026"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "races",
        *(sa.Column(name, sa.Text, nullable=False) for name in ("id", "game", "puzzles")),
        sa.Column("duration_ms", sa.Integer, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("opened_ms", "starts_ms")),
        sa.Column("next", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="races_pkey"),
    )
    op.create_index("races_opened", "races", ["opened_ms"])
    op.create_table(
        "racers",
        sa.Column("race", sa.Text, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("identity", "name")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("number", "plies", "score", "combo")),
        sa.PrimaryKeyConstraint("race", "place", name="racers_pkey"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("racers")
    op.drop_table("races")
