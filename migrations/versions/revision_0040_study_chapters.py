"""Give studies chapters and editors."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
oldest_compatible = "0026"
"""An older release shows each chapter as a study."""


def upgrade() -> None:
    """Add the columns of chapters and their index, and create the table of editors."""
    op.add_column("studies", sa.Column("part_of", sa.Text))
    op.add_column("studies", sa.Column("name", sa.Text, nullable=False, server_default=""))
    op.add_column("studies", sa.Column("place", sa.Integer, nullable=False, server_default="0"))
    op.create_index("studies_part_of", "studies", ["part_of"])
    op.create_table(
        "study_editors",
        sa.Column("study", sa.Text, nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("study", "identity", name="study_editors_pkey"),
    )
    op.create_index("study_editors_identity", "study_editors", ["identity"])


def downgrade() -> None:
    """Drop them. Each chapter becomes a study."""
    op.drop_table("study_editors")
    op.drop_index("studies_part_of", "studies")
    for name in ("part_of", "name", "place"):
        op.drop_column("studies", name)
