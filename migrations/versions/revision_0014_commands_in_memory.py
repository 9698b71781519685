"""Drop the index of commands from SQLite files: the server that appends to one finds repeated commands in memory.

PostgreSQL keeps it, since several servers may share the database.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Drop it."""
    if op.get_bind().dialect.name == "sqlite":
        op.drop_index("events_command", "events")


def downgrade() -> None:
    """Create it."""
    if op.get_bind().dialect.name == "sqlite":
        has_command = sa.text("command_id IS NOT NULL")
        columns = ["match", "seat", "command_id"]
        op.create_index("events_command", "events", columns, unique=True, sqlite_where=has_command)
