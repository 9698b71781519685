"""Create the index of match players, and the tables of accounts and of their sessions and tokens."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables, and index the matches that are there."""
    op.create_table(
        "match_players",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", name="match_players_pkey"),
    )
    _index_players()
    op.create_index("match_players_identity", "match_players", ["identity", "match"])
    op.create_table(
        "accounts",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("skeleton", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("deleted_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="accounts_pkey"),
    )
    op.create_index("accounts_skeleton", "accounts", ["skeleton"], unique=True)
    op.create_table(
        "grants",
        sa.Column("credential", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("expires_ms", sa.BigInteger),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("used_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("credential", name="grants_pkey"),
    )
    op.create_index("grants_identity", "grants", ["identity"])


def downgrade() -> None:
    """Drop the tables."""
    for table in ("grants", "accounts", "match_players"):
        op.drop_table(table)


def _index_players() -> None:
    connection = op.get_bind()
    events = sa.table("events", sa.column("match"), sa.column("body"))
    players = sa.table("match_players", sa.column("match"), sa.column("seat"), sa.column("identity"))
    seated = connection.execute(sa.select(events).where(events.c.body.like('{"type":"seated"%')))
    rows = [(match, json.loads(body)) for match, body in seated]
    if rows:
        values = [{"match": match, "seat": body["seat"], "identity": body["player"]["id"]} for match, body in rows]
        connection.execute(sa.insert(players), values)
