"""What the database holds, as SQLAlchemy Core tables.

Not how it got there (`migrations`, which a test holds equal to this) and not the SQL (`server.storage.statements`).

No foreign key joins events to matches: an event is inserted only behind its predecessor, and the first one only with
its match, so that the key could refuse nothing, and would be looked up for every move.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    false,
    text,
)

metadata = MetaData()

matches = Table(
    "matches",
    metadata,
    Column("id", Text, nullable=False),
    Column("origin_by", Text, nullable=False),
    Column("origin_command", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    Column("archived_ms", BigInteger),
    Column("rated", Boolean),
    Column("plies", Integer),
    Column("termination", Text),
    Column("result", Text),
    Column("imported", Boolean, nullable=False, server_default=false()),
    PrimaryKeyConstraint("id", name="matches_pkey"),
)
"""One row for each match; `ended_ms` is when its `Ended` event was stored, null while it is played.

The other columns are stored with the end (`server.journal.store.Finish`). `archived_ms` is the same moment for matches
that the archive finds: not those called off before a ply, nor imports. An import has the time of its match there, since
searches sort and filter by it."""

Index("matches_origin", matches.c.origin_by, matches.c.origin_command, unique=True)
Index(
    "matches_unfinished",
    matches.c.created_ms,
    sqlite_where=matches.c.ended_ms.is_(None),
    postgresql_where=matches.c.ended_ms.is_(None),
)

Index("matches_ended", matches.c.ended_ms)

_FILTERS = ("rated", "result")
Index("matches_archive", matches.c.archived_ms, matches.c.id, *(matches.c[name] for name in _FILTERS))
Index(
    "matches_archive_game", matches.c.game, matches.c.archived_ms, matches.c.id, *(matches.c[name] for name in _FILTERS)
)
"""The archive is read along these, the latest first; by the columns behind, whatever does not fit is passed over
without a look at its row."""

events = Table(
    "events",
    metadata,
    Column("match", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("command_id", Text),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("match", "seq", name="events_pkey"),
)
"""One row for each event: `seq` from 1 without gaps in its match, `body` the event's JSON, and whose command it was."""

Index(
    "events_command",
    events.c.match,
    events.c.seat,
    events.c.command_id,
    unique=True,
    sqlite_where=events.c.command_id.is_not(None),
    postgresql_where=events.c.command_id.is_not(None),
)

match_players = Table(
    "match_players",
    metadata,
    Column("match", Text, nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("identity", Text, nullable=False),
    Column("archived_ms", BigInteger),
    Column("game", Text),
    Column("rated", Boolean),
    Column("rank", SmallInteger),
    Column("result", Text),
    PrimaryKeyConstraint("match", "seat", name="match_players_pkey"),
)
"""Who holds each seat, as the `Seated` events say; bots too. To find somebody's matches.

What follows is told with the end, for matches in the archive and of each player's seats the first, so that nobody finds
a match twice: `game` and `rated` as of the match, `rank` and `result` (won, drawn, lost, none) of the seat."""

Index("match_players_identity", match_players.c.identity, match_players.c.match, match_players.c.seat)
Index(
    "match_players_archive",
    match_players.c.identity,
    match_players.c.archived_ms,
    match_players.c.match,
    match_players.c.game,
    match_players.c.rated,
    match_players.c.result,
    match_players.c.rank,
)
"""Somebody's matches in the archive, the latest first, with all that a search asks of them."""

accounts = Table(
    "accounts",
    metadata,
    Column("id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("skeleton", Text, nullable=False),
    Column("password_hash", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("deleted_ms", BigInteger),
    Column("is_bot", Boolean, nullable=False, server_default=false()),
    Column("role", Text),
    PrimaryKeyConstraint("id", name="accounts_pkey"),
)
"""One row for each account. Of one that was deleted the skeleton of the name is left, so that nobody takes it soon."""

Index("accounts_skeleton", accounts.c.skeleton, unique=True)

grants = Table(
    "grants",
    metadata,
    Column("credential", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("expires_ms", BigInteger),
    Column("label", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("used_ms", BigInteger),
    PrimaryKeyConstraint("credential", name="grants_pkey"),
)
"""What lets the owners of accounts in: hashes of the secrets of sessions, tickets and API tokens."""

Index("grants_identity", grants.c.identity)

blocks = Table(
    "blocks",
    metadata,
    Column("by", Text, nullable=False),
    Column("whom", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("by", "whom", name="blocks_pkey"),
)
"""Who never wants to meet whom."""

chat_lines = Table(
    "chat_lines",
    metadata,
    Column("match", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("room", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("registered", Boolean, nullable=False),
    Column("command_id", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("bot", Boolean, nullable=False, server_default=false()),
    PrimaryKeyConstraint("match", "number", name="chat_lines_pkey"),
)
"""What was said beside each match, numbered from 1."""

Index("chat_lines_command", chat_lines.c.identity, chat_lines.c.command_id, unique=True)

mutes = Table(
    "mutes",
    metadata,
    Column("by", Text, nullable=False),
    Column("whom", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("by", "whom", name="mutes_pkey"),
)
"""Who does not want to hear whom."""

reports = Table(
    "reports",
    metadata,
    Column("reporter", Text, nullable=False),
    Column("command_id", Text, nullable=False),
    Column("match", Text),
    Column("player", Text, nullable=False),
    Column("line", Integer),
    Column("text", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("reporter_name", Text, nullable=False, server_default=text("''")),
    Column("player_name", Text, nullable=False, server_default=text("''")),
    Column("taken_by", Text),
    Column("outcome", Text),
    Column("settled_by", BigInteger),
    PrimaryKeyConstraint("reporter", "command_id", name="reports_pkey"),
)
"""What was reported, with the text that it is about: it stays though the line may go. A report is open while it has no
`outcome`; `taken_by` is the moderator who sees to it, `settled_by` the entry of the log that settled it."""

Index("reports_at", reports.c.at_ms)
Index("reports_player", reports.c.player)
Index(
    "reports_open",
    reports.c.at_ms,
    sqlite_where=reports.c.outcome.is_(None),
    postgresql_where=reports.c.outcome.is_(None),
)

measures = Table(
    "measures",
    metadata,
    Column("identity", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("until_ms", BigInteger),
    PrimaryKeyConstraint("identity", "kind", name="measures_pkey"),
)
"""Who is muted, and whose account is closed, with the reason that they are told."""

moderation_log = Table(
    "moderation_log",
    metadata,
    Column("number", BigInteger, nullable=False, autoincrement=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
    Column("by_name", Text, nullable=False),
    Column("command_id", Text, nullable=False),
    Column("deed", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("player", Text),
    Column("player_name", Text),
    Column("match", Text),
    Column("line", Integer),
    Column("until_ms", BigInteger),
    Column("detail", Text, nullable=False),
    PrimaryKeyConstraint("number", name="moderation_log_pkey"),
)
"""What moderators did, numbered from 1 without gaps in the order of commit; rows are only ever added. `by` is empty for
the command line."""

Index("moderation_log_command", moderation_log.c.by, moderation_log.c.command_id, unique=True)
Index("moderation_log_player", moderation_log.c.player)

ratings = Table(
    "ratings",
    metadata,
    Column("identity", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("seats", SmallInteger, nullable=False),
    Column("speed", Text, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("identity", "game", "seats", "speed", name="ratings_pkey"),
)
"""How strong somebody is in matches of a kind, and on how many results that rests."""

Index("ratings_leaders", ratings.c.game, ratings.c.seats, ratings.c.speed, ratings.c.mu)

rating_history = Table(
    "rating_history",
    metadata,
    Column("match", Text, nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("identity", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("seats", SmallInteger, nullable=False),
    Column("speed", Text, nullable=False),
    Column("rank", SmallInteger, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu_after", Double, nullable=False),
    Column("sigma_after", Double, nullable=False),
    PrimaryKeyConstraint("match", "seat", name="rating_history_pkey"),
)
"""What each match that counted has changed: a match counts once."""

Index("rating_history_identity", rating_history.c.identity, rating_history.c.at_ms)

match_analyses = Table(
    "match_analyses",
    metadata,
    Column("match", Text, nullable=False),
    Column("engine", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("match", name="match_analyses_pkey"),
)
"""How the plies of matches were judged, as JSON, and by which version of the engine."""

people = Table(
    "people",
    metadata,
    Column("identity", Text, nullable=False),
    Column("bio", Text),
    Column("country", Text),
    Column("is_hidden", Boolean, nullable=False, server_default=false()),
    Column("seen_ms", BigInteger),
    Column("toggled_notices", Text),
    PrimaryKeyConstraint("identity", name="people_pkey"),
)
"""What the owners of accounts say of themselves, whether they hide that they are online, when they last were, and the
kinds of notices, divided by spaces, that they get though they are not usual, or do not get though they are."""

notices = Table(
    "notices",
    metadata,
    Column("identity", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("match", Text),
    Column("game", Text),
    Column("player", Text),
    Column("player_name", Text),
    Column("player_registered", Boolean, nullable=False),
    Column("player_bot", Boolean, nullable=False),
    Column("player_level", SmallInteger),
    Column("words", Text, nullable=False),
    Column("is_read", Boolean, nullable=False),
    PrimaryKeyConstraint("identity", "kind", "subject", name="notices_pkey"),
)
"""What somebody is to be told: one notice of a kind about each match or player; `player` is the other in it."""

Index("notices_identity", notices.c.identity, notices.c.at_ms)
Index("notices_at", notices.c.at_ms)
Index("notices_player", notices.c.player)

follows = Table(
    "follows",
    metadata,
    Column("by", Text, nullable=False),
    Column("whom", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("by", "whom", name="follows_pkey"),
)
"""Who follows whom."""

Index("follows_whom", follows.c.whom)

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("node", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("node", name="heartbeats_pkey"),
)
"""When each server node last noted that it was alive."""
