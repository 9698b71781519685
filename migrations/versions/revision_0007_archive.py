"""Store how each match ended, so that the archive finds it, and fill this in for the matches that are over."""

import json
from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_MATCHES = sa.text(
    "SELECT id, game, ended_ms FROM matches WHERE ended_ms IS NOT NULL AND id > :last ORDER BY id LIMIT 500"
)
_EVENTS = sa.text("""SELECT body FROM events WHERE match = :match AND body NOT LIKE '{"type":"moved"%' ORDER BY seq""")
_MOVED = sa.text("""SELECT count(*) FROM events WHERE match = :match AND body LIKE '{"type":"moved"%'""")
_SEATS = sa.text("SELECT seat, identity FROM match_players WHERE match = :match ORDER BY seat")
_END_MATCH = sa.text(
    "UPDATE matches SET archived_ms = :archived_ms, rated = :rated, plies = :plies, termination = :termination,"
    " result = :result WHERE id = :match"
)
_END_SEAT = sa.text(
    "UPDATE match_players SET archived_ms = :archived_ms, game = :game, rated = :rated, rank = :rank, result = :result"
    " WHERE match = :match AND seat = :seat"
)


def upgrade() -> None:
    """Add the columns, fill them, and index them."""
    for name, kind in (
        ("archived_ms", sa.BigInteger),
        ("rated", sa.Boolean),
        ("plies", sa.Integer),
        ("termination", sa.Text),
        ("result", sa.Text),
    ):
        op.add_column("matches", sa.Column(name, kind))
    op.add_column("matches", sa.Column("imported", sa.Boolean, nullable=False, server_default=sa.false()))
    for name, kind in (
        ("archived_ms", sa.BigInteger),
        ("game", sa.Text),
        ("rated", sa.Boolean),
        ("rank", sa.SmallInteger),
        ("result", sa.Text),
    ):
        op.add_column("match_players", sa.Column(name, kind))
    _fill(op.get_bind())
    op.create_index("matches_archive", "matches", ["archived_ms", "id", "rated", "result"])
    op.create_index("matches_archive_game", "matches", ["game", "archived_ms", "id", "rated", "result"])
    op.create_index(
        "match_players_archive",
        "match_players",
        ["identity", "archived_ms", "match", "game", "rated", "result", "rank"],
    )


def downgrade() -> None:
    """Drop the indexes and the columns."""
    op.drop_index("match_players_archive", "match_players")
    for index in ("matches_archive_game", "matches_archive"):
        op.drop_index(index, "matches")
    for name in ("result", "rank", "rated", "game", "archived_ms"):
        op.drop_column("match_players", name)
    for name in ("imported", "result", "termination", "plies", "rated", "archived_ms"):
        op.drop_column("matches", name)


def _fill(connection: sa.Connection) -> None:
    last = ""
    while rows := connection.execute(_MATCHES, {"last": last}).all():
        for match, game, ended_ms in rows:
            _fill_match(connection, match, game, ended_ms)
        last = rows[-1][0]


def _fill_match(connection: sa.Connection, match: str, game: str, ended_ms: int) -> None:
    events = [json.loads(body) for (body,) in connection.execute(_EVENTS, {"match": match})]
    created = next(event for event in events if event["type"] == "created")
    ended = next(event for event in events if event["type"] == "ended")
    moved = connection.execute(_MOVED, {"match": match}).scalar_one()
    plies = moved - sum(event["plies"] for event in events if event["type"] == "taken_back")
    ranks = ended["ranks"]
    facts = {
        "match": match,
        "archived_ms": ended_ms if plies > 0 or ranks is not None else None,
        "rated": bool(created.get("rated", False)),
    }
    end = {"plies": plies, "termination": ended["reason"], "result": _result(ranks)}
    connection.execute(_END_MATCH, {**facts, **end})
    met = set()
    for seat, identity in connection.execute(_SEATS, {"match": match}).all():
        if facts["archived_ms"] is not None and identity not in met:
            rank = None if ranks is None else ranks[seat]
            own = {"game": game, "seat": seat, "rank": rank, "result": _seat_result(ranks, seat)}
            connection.execute(_END_SEAT, {**facts, **own})
        met.add(identity)


def _result(ranks: Sequence[int] | None) -> str:
    if ranks is None:
        return "none"
    return "drawn" if set(ranks) == {1} else "decided"


def _seat_result(ranks: Sequence[int] | None, seat: int) -> str:
    if ranks is None or _result(ranks) == "drawn":
        return _result(ranks)
    return "won" if ranks[seat] == 1 else "lost"
