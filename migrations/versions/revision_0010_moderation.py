"""Add roles, restrictions, the outcomes of reports, and the log of moderation actions."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add columns and tables."""
    op.add_column("accounts", sa.Column("role", sa.Text))
    _change_reports()
    op.create_table(
        "measures",
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("until_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("identity", "kind", name="measures_pkey"),
    )
    op.create_table(
        "moderation_log",
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("by_name", sa.Text, nullable=False),
        sa.Column("command_id", sa.Text, nullable=False),
        sa.Column("deed", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("player", sa.Text),
        sa.Column("player_name", sa.Text),
        sa.Column("match", sa.Text),
        sa.Column("line", sa.Integer),
        sa.Column("until_ms", sa.BigInteger),
        sa.Column("detail", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="moderation_log_pkey"),
    )
    op.create_index("moderation_log_command", "moderation_log", ["by", "command_id"], unique=True)
    op.create_index("moderation_log_player", "moderation_log", ["player"])


def _change_reports() -> None:
    with op.batch_alter_table("reports") as reports:
        reports.alter_column("match", existing_type=sa.Text, nullable=True)
        reports.add_column(sa.Column("reporter_name", sa.Text, nullable=False, server_default=sa.text("''")))
        reports.add_column(sa.Column("player_name", sa.Text, nullable=False, server_default=sa.text("''")))
        reports.add_column(sa.Column("taken_by", sa.Text))
        reports.add_column(sa.Column("outcome", sa.Text))
        reports.add_column(sa.Column("settled_by", sa.BigInteger))
    op.create_index("reports_player", "reports", ["player"])
    is_open = sa.text("outcome IS NULL")
    op.create_index("reports_open", "reports", ["at_ms"], sqlite_where=is_open, postgresql_where=is_open)


def downgrade() -> None:
    """Drop them; reports without a match go."""
    for table in ("moderation_log", "measures"):
        op.drop_table(table)
    op.execute("DELETE FROM reports WHERE match IS NULL")
    op.drop_index("reports_open", "reports")
    op.drop_index("reports_player", "reports")
    with op.batch_alter_table("reports") as reports:
        reports.alter_column("match", existing_type=sa.Text, nullable=False)
        for column in ("settled_by", "outcome", "taken_by", "player_name", "reporter_name"):
            reports.drop_column(column)
    op.drop_column("accounts", "role")
