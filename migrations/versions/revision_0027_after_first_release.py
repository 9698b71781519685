"""Create what came after 0.1.0: puzzles, plans, openings, push messages, studies, e-mail addresses, and clusters."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0014"

_CALLED_OFF = (
    "SELECT id FROM matches WHERE termination IN ('aborted', 'no_show') AND plies > 0 AND plies <"
    " (SELECT count(*) FROM match_players WHERE match_players.match = matches.id AND match_players.seat >= 0)"
)
"""Matches called off before every seat had made a ply, which the archive does not find any more."""
_FOUND_BEFORE = f"{_CALLED_OFF} AND id IN (SELECT match FROM match_players WHERE game IS NOT NULL)"
"""Without those of bots alone, whose seats have no game: the archive never found them."""
_IS_DUE = sa.text("openings_due != 0")

_TABLES = (
    *("pairings", "puzzle_solvers", "puzzle_ratings", "puzzle_attempts", "plans", "rematch_answers", "opening_moves"),
    *("push_subscriptions", "server_keys", "studies", "email_addresses", "nodes", "leases", "searches"),
)


def upgrade() -> None:
    """Create the tables, indexes and columns."""
    op.execute(f"UPDATE match_players SET archived_ms = NULL WHERE match IN ({_CALLED_OFF})")
    op.execute(f"UPDATE matches SET archived_ms = NULL WHERE id IN ({_CALLED_OFF})")
    _create_lobby_and_matches()
    _create_puzzles()
    _create_openings()
    _create_push_messages()
    _create_accounts()
    _create_cluster()


def downgrade() -> None:
    """Drop them, and the codes that earlier versions do not know."""
    op.drop_column("alembic_version", "oldest_compatible")
    op.execute("DELETE FROM grants WHERE kind IN ('email', 'mailed_recovery')")
    op.drop_column("notifications", "is_pushed")
    op.drop_index("matches_openings_due", "matches")
    op.drop_column("matches", "openings_due")
    op.drop_column("profiles", "page_settings")
    for table in _TABLES:
        op.drop_table(table)
    op.execute(f"UPDATE matches SET archived_ms = ended_ms WHERE id IN ({_FOUND_BEFORE})")
    ended = "SELECT ended_ms FROM matches WHERE matches.id = match_players.match"
    op.execute(f"UPDATE match_players SET archived_ms = ({ended}) WHERE game IS NOT NULL AND match IN ({_CALLED_OFF})")


def _create_lobby_and_matches() -> None:
    _create("pairings", ["identity", "command_id"], *_required(sa.Text, "identity", "command_id", "match"))
    _create(
        "searches",
        ["identity"],
        *_required(sa.Text, "identity", "command_id"),
        *_required(sa.BigInteger, "since_ms"),
        *_required(sa.Text, "node", "details"),
    )
    _create(
        "plans",
        ["match", "seat"],
        *_required(sa.Text, "match"),
        *_required(sa.SmallInteger, "seat"),
        *_required(sa.Integer, "seq", "ply"),
        *_required(sa.Text, "lines"),
    )
    _create("rematch_answers", ["match"], *_required(sa.Text, "match"), *_required(sa.BigInteger, "at_ms"))
    op.create_index("rematch_answers_at", "rematch_answers", ["at_ms"])


def _create_puzzles() -> None:
    _create(
        "puzzle_solvers",
        ["identity", "game"],
        *_required(sa.Text, "identity", "game"),
        *_required(sa.Double, "mu", "sigma"),
        *_required(sa.Integer, "matches", "attempts", "solved", "streak", "best_streak"),
    )
    _create(
        "puzzle_ratings",
        ["game", "puzzle"],
        *_required(sa.Text, "game", "puzzle"),
        *_required(sa.Double, "mu", "sigma"),
        *_required(sa.Integer, "matches"),
    )
    _create(
        "puzzle_attempts",
        ["identity", "game", "puzzle"],
        *_required(sa.Text, "identity", "game", "puzzle", "mode"),
        *_required(sa.Boolean, "solved"),
        *_required(sa.BigInteger, "at_ms"),
        *_required(sa.Integer, "points"),
    )
    op.create_index("puzzle_attempts_at", "puzzle_attempts", ["identity", "game", "at_ms"])


def _create_openings() -> None:
    """Create the index of openings, for which every match in the archive that has a result is due, and studies."""
    _create(
        "opening_moves",
        ["position", "move", "people"],
        sa.Column("position", sa.BigInteger, nullable=False, autoincrement=False),
        *_required(sa.Text, "move"),
        *_required(sa.Boolean, "people"),
        *_required(sa.Integer, "won", "drawn", "lost"),
        sa.Column("latest", sa.Text),
        *_required(sa.BigInteger, "latest_ms"),
    )
    op.add_column("matches", sa.Column("openings_due", sa.SmallInteger, nullable=False, server_default=sa.text("0")))
    op.execute("UPDATE matches SET openings_due = 1 WHERE archived_ms IS NOT NULL AND result <> 'none'")
    op.create_index("matches_openings_due", "matches", ["id"], sqlite_where=_IS_DUE, postgresql_where=_IS_DUE)
    _create(
        "studies",
        ["id"],
        *_required(sa.Text, "id", "identity", "title", "game", "setup"),
        sa.Column("match", sa.Text),
        *_required(sa.Text, "text"),
        *_required(sa.BigInteger, "updated_ms"),
    )
    op.create_index("studies_identity", "studies", ["identity", "updated_ms"])


def _create_push_messages() -> None:
    """Create the tables of push messages; what is in the inboxes already is not pushed."""
    _create(
        "push_subscriptions",
        ["endpoint"],
        *_required(sa.Text, "endpoint", "identity"),
        sa.Column("credential", sa.Text),
        *_required(sa.Text, "key", "secret"),
        *_required(sa.BigInteger, "created_ms"),
    )
    op.create_index("push_subscriptions_identity", "push_subscriptions", ["identity", "created_ms"])
    _create("server_keys", ["name"], *_required(sa.Text, "name", "content"))
    op.add_column("notifications", sa.Column("is_pushed", sa.Boolean, nullable=False, server_default=sa.true()))


def _create_accounts() -> None:
    op.add_column("profiles", sa.Column("page_settings", sa.Text))
    address = _required(sa.Text, "identity", "address")
    _create("email_addresses", ["identity"], *address, *_required(sa.BigInteger, "confirmed_ms"))


def _create_cluster() -> None:
    """Create the tables of nodes and leases, and the column that `migrations.env` fills."""
    _create("nodes", ["id"], *_required(sa.Text, "id", "host", "version"), *_required(sa.BigInteger, "beat_ms"))
    _create("leases", ["name"], *_required(sa.Text, "name", "node"), *_required(sa.BigInteger, "number", "expires_ms"))
    op.add_column("alembic_version", sa.Column("oldest_compatible", sa.Text))


def _create(table: str, key: list[str], *columns: sa.Column[Any]) -> None:
    op.create_table(table, *columns, sa.PrimaryKeyConstraint(*key, name=f"{table}_pkey"))


def _required(kind: type[sa.types.TypeEngine[Any]], *names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=False) for name in names]
