"""Create the tables as they were before 0.1.0: what its first revisions, which are gone, did step by step."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "matches",
        _required("id"),
        _required("origin_by"),
        _required("origin_command"),
        _required("game"),
        _required("created_ms", sa.BigInteger),
        _optional("ended_ms", sa.BigInteger),
        _optional("archived_ms", sa.BigInteger),
        _optional("rated", sa.Boolean),
        _optional("plies", sa.Integer),
        _optional("termination"),
        _optional("result"),
        _required("imported", sa.Boolean, server_default=sa.false()),
        sa.PrimaryKeyConstraint("id", name="matches_pkey"),
    )
    op.create_index("matches_archive", "matches", ["archived_ms", "id", "rated", "result"])
    op.create_index("matches_archive_game", "matches", ["game", "archived_ms", "id", "rated", "result"])
    op.create_index("matches_ended", "matches", ["ended_ms"])
    op.create_index("matches_origin", "matches", ["origin_by", "origin_command"], unique=True)
    op.create_index(
        "matches_unfinished",
        "matches",
        ["created_ms"],
        sqlite_where=sa.text("ended_ms IS NULL"),
        postgresql_where=sa.text("ended_ms IS NULL"),
    )
    op.create_table(
        "events",
        _required("match"),
        _required("seq", sa.Integer),
        _required("at_ms", sa.BigInteger),
        _required("seat", sa.SmallInteger),
        _optional("command_id"),
        _required("body"),
        sa.PrimaryKeyConstraint("match", "seq", name="events_pkey"),
    )
    op.create_index(
        "events_command",
        "events",
        ["match", "seat", "command_id"],
        unique=True,
        sqlite_where=sa.text("command_id IS NOT NULL"),
        postgresql_where=sa.text("command_id IS NOT NULL"),
    )
    op.create_table(
        "heartbeats",
        _required("node"),
        _required("at_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("node", name="heartbeats_pkey"),
    )
    op.create_table(
        "match_players",
        _required("match"),
        _required("seat", sa.SmallInteger),
        _required("identity"),
        _optional("archived_ms", sa.BigInteger),
        _optional("game"),
        _optional("rated", sa.Boolean),
        _optional("rank", sa.SmallInteger),
        _optional("result"),
        sa.PrimaryKeyConstraint("match", "seat", name="match_players_pkey"),
    )
    op.create_index(
        "match_players_archive",
        "match_players",
        ["identity", "archived_ms", "match", "game", "rated", "result", "rank"],
    )
    op.create_index("match_players_identity", "match_players", ["identity", "match", "seat"])
    op.create_table(
        "accounts",
        _required("id"),
        _required("name"),
        _required("skeleton"),
        _required("password_hash"),
        _required("created_ms", sa.BigInteger),
        _optional("deleted_ms", sa.BigInteger),
        _required("is_bot", sa.Boolean, server_default=sa.false()),
        _optional("role"),
        sa.PrimaryKeyConstraint("id", name="accounts_pkey"),
    )
    op.create_index("accounts_skeleton", "accounts", ["skeleton"], unique=True)
    op.create_table(
        "grants",
        _required("credential"),
        _required("id"),
        _required("identity"),
        _required("kind"),
        _required("created_ms", sa.BigInteger),
        _optional("expires_ms", sa.BigInteger),
        _required("label"),
        _required("scopes"),
        _optional("used_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("credential", name="grants_pkey"),
    )
    op.create_index("grants_identity", "grants", ["identity"])
    op.create_table(
        "blocks",
        _required("by"),
        _required("whom"),
        _required("created_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("by", "whom", name="blocks_pkey"),
    )
    op.create_table(
        "mutes",
        _required("by"),
        _required("whom"),
        _required("created_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("by", "whom", name="mutes_pkey"),
    )
    op.create_table(
        "follows",
        _required("by"),
        _required("whom"),
        _required("created_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("by", "whom", name="follows_pkey"),
    )
    op.create_index("follows_whom", "follows", ["whom"])
    op.create_table(
        "people",
        _required("identity"),
        _optional("bio"),
        _optional("country"),
        _required("is_hidden", sa.Boolean, server_default=sa.false()),
        _optional("seen_ms", sa.BigInteger),
        _optional("toggled_notices"),
        sa.PrimaryKeyConstraint("identity", name="people_pkey"),
    )
    op.create_table(
        "chat_lines",
        _required("match"),
        _required("number", sa.Integer),
        _required("room"),
        _required("identity"),
        _required("name"),
        _required("registered", sa.Boolean),
        _required("command_id"),
        _required("text"),
        _required("at_ms", sa.BigInteger),
        _required("bot", sa.Boolean, server_default=sa.false()),
        sa.PrimaryKeyConstraint("match", "number", name="chat_lines_pkey"),
    )
    op.create_index("chat_lines_command", "chat_lines", ["identity", "command_id"], unique=True)
    op.create_table(
        "reports",
        _required("reporter"),
        _required("command_id"),
        _optional("match"),
        _required("player"),
        _optional("line", sa.Integer),
        _required("text"),
        _required("reason"),
        _required("words"),
        _required("at_ms", sa.BigInteger),
        _required("reporter_name", server_default=sa.text("''")),
        _required("player_name", server_default=sa.text("''")),
        _optional("taken_by"),
        _optional("outcome"),
        _optional("settled_by", sa.BigInteger),
        sa.PrimaryKeyConstraint("reporter", "command_id", name="reports_pkey"),
    )
    op.create_index("reports_at", "reports", ["at_ms"])
    op.create_index(
        "reports_open",
        "reports",
        ["at_ms"],
        sqlite_where=sa.text("outcome IS NULL"),
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.create_index("reports_player", "reports", ["player"])
    op.create_table(
        "measures",
        _required("identity"),
        _required("kind"),
        _required("words"),
        _optional("until_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("identity", "kind", name="measures_pkey"),
    )
    op.create_table(
        "moderation_log",
        _required("number", sa.BigInteger, autoincrement=False),
        _required("at_ms", sa.BigInteger),
        _required("by"),
        _required("by_name"),
        _required("command_id"),
        _required("deed"),
        _required("reason"),
        _optional("player"),
        _optional("player_name"),
        _optional("match"),
        _optional("line", sa.Integer),
        _optional("until_ms", sa.BigInteger),
        _required("detail"),
        sa.PrimaryKeyConstraint("number", name="moderation_log_pkey"),
    )
    op.create_index("moderation_log_command", "moderation_log", ["by", "command_id"], unique=True)
    op.create_index("moderation_log_player", "moderation_log", ["player"])
    op.create_table(
        "ratings",
        _required("identity"),
        _required("game"),
        _required("seats", sa.SmallInteger),
        _required("speed"),
        _required("mu", sa.Double),
        _required("sigma", sa.Double),
        _required("matches", sa.Integer),
        _required("updated_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("identity", "game", "seats", "speed", name="ratings_pkey"),
    )
    op.create_index("ratings_leaders", "ratings", ["game", "seats", "speed", "mu"])
    op.create_table(
        "rating_history",
        _required("match"),
        _required("seat", sa.SmallInteger),
        _required("identity"),
        _required("game"),
        _required("seats", sa.SmallInteger),
        _required("speed"),
        _required("rank", sa.SmallInteger),
        _required("plies", sa.Integer),
        _required("at_ms", sa.BigInteger),
        _required("mu_before", sa.Double),
        _required("sigma_before", sa.Double),
        _required("mu_after", sa.Double),
        _required("sigma_after", sa.Double),
        sa.PrimaryKeyConstraint("match", "seat", name="rating_history_pkey"),
    )
    op.create_index("rating_history_identity", "rating_history", ["identity", "at_ms"])
    op.create_table(
        "match_analyses",
        _required("match"),
        _required("engine"),
        _required("body"),
        _required("at_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("match", name="match_analyses_pkey"),
    )
    op.create_table(
        "notices",
        _required("identity"),
        _required("kind"),
        _required("subject"),
        _required("at_ms", sa.BigInteger),
        _optional("match"),
        _optional("game"),
        _optional("player"),
        _optional("player_name"),
        _required("player_registered", sa.Boolean),
        _required("player_bot", sa.Boolean),
        _optional("player_level", sa.SmallInteger),
        _required("words"),
        _required("is_read", sa.Boolean),
        sa.PrimaryKeyConstraint("identity", "kind", "subject", name="notices_pkey"),
    )
    op.create_index("notices_at", "notices", ["at_ms"])
    op.create_index("notices_identity", "notices", ["identity", "at_ms"])
    op.create_index("notices_player", "notices", ["player"])


def _required(name: str, kind: type[sa.types.TypeEngine[Any]] = sa.Text, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False, **options)


def _optional(name: str, kind: type[sa.types.TypeEngine[Any]] = sa.Text) -> sa.Column[Any]:
    return sa.Column(name, kind)
