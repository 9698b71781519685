"""Let the index of everybody's matches say who met whom without a look at the rows."""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Put the seat into the index."""
    op.drop_index("match_players_identity", "match_players")
    op.create_index("match_players_identity", "match_players", ["identity", "match", "seat"])


def downgrade() -> None:
    """Take it out again."""
    op.drop_index("match_players_identity", "match_players")
    op.create_index("match_players_identity", "match_players", ["identity", "match"])
