"""Store with an account how its owner wants the page to look and sound."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Add the column."""
    op.add_column("profiles", sa.Column("page_settings", sa.Text))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("profiles", "page_settings")
