"""Hide from the archive the matches that were called off before every seat had made a ply."""

from alembic import op

revision = "0016"
down_revision = "0015"

_CALLED_OFF = (
    "SELECT id FROM matches WHERE termination IN ('aborted', 'no_show') AND plies > 0 AND plies <"
    " (SELECT count(*) FROM match_players WHERE match_players.match = matches.id AND match_players.seat >= 0)"
)
_FOUND_BEFORE = f"{_CALLED_OFF} AND id IN (SELECT match FROM match_players WHERE game IS NOT NULL)"
"""Without those of bots alone, whose seats have no game: the archive never found them."""


def upgrade() -> None:
    """Take the time by which the archive finds them."""
    op.execute(f"UPDATE match_players SET archived_ms = NULL WHERE match IN ({_CALLED_OFF})")
    op.execute(f"UPDATE matches SET archived_ms = NULL WHERE id IN ({_CALLED_OFF})")


def downgrade() -> None:
    """Give it back."""
    op.execute(f"UPDATE matches SET archived_ms = ended_ms WHERE id IN ({_FOUND_BEFORE})")
    ended = "SELECT ended_ms FROM matches WHERE matches.id = match_players.match"
    op.execute(f"UPDATE match_players SET archived_ms = ({ended}) WHERE game IS NOT NULL AND match IN ({_CALLED_OFF})")
