"""Add the seat to the index of match players, so that the archive finds opponents without reading rows."""

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
