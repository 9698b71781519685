"""Create the tables of endings: each player's present one and results, and how hard the grades are."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
oldest_compatible = "0026"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "ending_trainees",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("goal", sa.Text, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("mistakes", sa.Double, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("is_counted", sa.Boolean, nullable=False),
        sa.Column("is_over", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("identity", "game", name="ending_trainees_pkey"),
    )
    op.create_table(
        "ending_grades",
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("grade", sa.Text, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "grade", name="ending_grades_pkey"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("ending_grades")
    op.drop_table("ending_trainees")
