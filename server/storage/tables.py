"""The tables of the database, as SQLAlchemy Core has them.

How a database gets them is in `migrations`; a test holds the two equal.

No foreign key joins events to matches: an event is inserted only behind its predecessor, and the first one only with
its match. The key could refuse nothing, and would be looked up for every move.
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
    true,
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
    Column("openings_due", SmallInteger, nullable=False, server_default=text("0")),
    PrimaryKeyConstraint("id", name="matches_pkey"),
)
"""One row for each match. `ended_ms` is when its `Ended` event was stored; it is null while the match is played.

The other columns are stored with the end (`server.journal.journal.Finish`). `archived_ms` equals `ended_ms` for matches
that the archive finds, and is null for imports and for those that were called off before every seat had made a ply. An
import has the time of the imported match in `ended_ms`, since searches sort and filter by it. `openings_due` is 1 for a
match that `opening_moves` does not count yet, -1 for one that it must not count any more, and else 0."""

Index("matches_origin", matches.c.origin_by, matches.c.origin_command, unique=True)
Index(
    "matches_unfinished",
    matches.c.created_ms,
    sqlite_where=matches.c.ended_ms.is_(None),
    postgresql_where=matches.c.ended_ms.is_(None),
)

Index("matches_ended", matches.c.ended_ms)
Index(
    "matches_openings_due",
    matches.c.id,
    sqlite_where=matches.c.openings_due != 0,
    postgresql_where=matches.c.openings_due != 0,
)

_FILTERS = ("rated", "result")
Index("matches_archive", matches.c.archived_ms, matches.c.id, *(matches.c[name] for name in _FILTERS))
Index(
    "matches_archive_game", matches.c.game, matches.c.archived_ms, matches.c.id, *(matches.c[name] for name in _FILTERS)
)
"""Searches of the archive read these, the latest first; by the last columns they skip what does not fit without reading
its row."""

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
"""One row for each event. `seq` counts from 1 without gaps in each match, `body` is the event's JSON, and `seat` and
`command_id` name the command that led to it."""

Index(
    "events_command",
    events.c.match,
    events.c.seat,
    events.c.command_id,
    unique=True,
    postgresql_where=events.c.command_id.is_not(None),
)
"""Only PostgreSQL has it: in an SQLite file, `server.storage.sqlite_batches` finds repeated commands without it."""

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
"""Who holds each seat, as the `Seated` events say, including bots; by it a player's matches are found.

A player who left before the start has a row with minus the number of that event for the seat, by which the match is
still found when the player's name changes.

The other columns are stored with the end, for matches in the archive and only for each player's first seat, so that no
player finds a match twice: `game` and `rated` of the match, `rank` and `result` (won, drawn, lost or none) of the
seat."""

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
"""A player's matches in the archive, the latest first, with every column that a search compares."""

pairings = Table(
    "pairings",
    metadata,
    Column("identity", Text, nullable=False),
    Column("command_id", Text, nullable=False),
    Column("match", Text, nullable=False),
    PrimaryKeyConstraint("identity", "command_id", name="pairings_pkey"),
)
"""The commands by which players asked for a quick pairing, or took the bot that was offered, and the match of each."""

searches = Table(
    "searches",
    metadata,
    Column("identity", Text, nullable=False),
    Column("command_id", Text, nullable=False),
    Column("since_ms", BigInteger, nullable=False),
    Column("node", Text, nullable=False),
    Column("details", Text, nullable=False),
    PrimaryKeyConstraint("identity", name="searches_pkey"),
)
"""The searches for a quick pairing, with the command that began each. `node` is where the player is connected."""

rematch_answers = Table(
    "rematch_answers",
    metadata,
    Column("match", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("match", name="rematch_answers_pkey"),
)
"""The matches whose players have lately offered or declined a rematch that has not started, and when."""

Index("rematch_answers_at", rematch_answers.c.at_ms)

opening_moves = Table(
    "opening_moves",
    metadata,
    Column("position", BigInteger, nullable=False, autoincrement=False),
    Column("move", Text, nullable=False),
    Column("people", Boolean, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("latest", Text),
    Column("latest_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("position", "move", "people", name="opening_moves_pkey"),
)
"""How often each move was played in a position, by the result for its seat: the matches in which no bot played
(`people`) apart from all others. Derived from the archive by `server.learning.openings`."""

plans = Table(
    "plans",
    metadata,
    Column("match", Text, nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("lines", Text, nullable=False),
    PrimaryKeyConstraint("match", "seat", name="plans_pkey"),
)
"""The conditional moves of a seat in a match by correspondence: planned after event `seq`, from the position
after `ply` plies. `lines` is JSON, a list of lists of move texts."""

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
"""One row for each account. A deleted account keeps the skeleton of its name, which reserves the name for a while."""

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
"""Sessions, tickets and API tokens of accounts, by the hashes of their secrets."""

Index("grants_identity", grants.c.identity)

email_addresses = Table(
    "email_addresses",
    metadata,
    Column("identity", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("confirmed_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("identity", name="email_addresses_pkey"),
)
"""The confirmed e-mail addresses of accounts."""

blocks = Table(
    "blocks",
    metadata,
    Column("by", Text, nullable=False),
    Column("whom", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("by", "whom", name="blocks_pkey"),
)
"""Who blocks whom."""

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
"""The chat of each match, numbered from 1."""

Index("chat_lines_command", chat_lines.c.identity, chat_lines.c.command_id, unique=True)

mutes = Table(
    "mutes",
    metadata,
    Column("by", Text, nullable=False),
    Column("whom", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("by", "whom", name="mutes_pkey"),
)
"""Who has muted whom in chats."""

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
    Column("note", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("reporter_name", Text, nullable=False, server_default=text("''")),
    Column("player_name", Text, nullable=False, server_default=text("''")),
    Column("taken_by", Text),
    Column("outcome", Text),
    Column("settled_by", BigInteger),
    PrimaryKeyConstraint("reporter", "command_id", name="reports_pkey"),
)
"""Reports, with a copy of the reported text, which stays when a chat line is removed.

A report is open while `outcome` is null. `taken_by` is the moderator who handles it, `settled_by` the number of the
log entry that settled it."""

Index("reports_at", reports.c.at_ms)
Index("reports_player", reports.c.player)
Index(
    "reports_open",
    reports.c.at_ms,
    sqlite_where=reports.c.outcome.is_(None),
    postgresql_where=reports.c.outcome.is_(None),
)

restrictions = Table(
    "restrictions",
    metadata,
    Column("identity", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("until_ms", BigInteger),
    PrimaryKeyConstraint("identity", "kind", name="restrictions_pkey"),
)
"""Mutes and bans by moderators, with the reason that the player sees."""

moderation_log = Table(
    "moderation_log",
    metadata,
    Column("number", BigInteger, nullable=False, autoincrement=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
    Column("by_name", Text, nullable=False),
    Column("command_id", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("player", Text),
    Column("player_name", Text),
    Column("match", Text),
    Column("line", Integer),
    Column("until_ms", BigInteger),
    Column("detail", Text, nullable=False),
    PrimaryKeyConstraint("number", name="moderation_log_pkey"),
)
"""Moderation actions, numbered from 1 without gaps in the order of commit. Rows are only added. `by` is empty for the
command line."""

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
"""A player's rating in matches of a kind, and the number of results that it rests on."""

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
"""How each rated match changed the ratings of its players."""

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
"""Analyses of matches as JSON, with the version of the engine that made them."""

profiles = Table(
    "profiles",
    metadata,
    Column("identity", Text, nullable=False),
    Column("bio", Text),
    Column("country", Text),
    Column("is_hidden", Boolean, nullable=False, server_default=false()),
    Column("seen_ms", BigInteger),
    Column("toggled_notifications", Text),
    Column("page_settings", Text),
    PrimaryKeyConstraint("identity", name="profiles_pkey"),
)
"""Profile texts and countries of accounts, whether they hide that they are online, and when they last were.

`toggled_notifications` holds the kinds of notifications, separated by spaces, whose usual setting the player has
changed. `page_settings` is how the player wants the page to look, as the JSON of `PageSettings`."""

notifications = Table(
    "notifications",
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
    Column("explanation", Text, nullable=False),
    Column("is_read", Boolean, nullable=False),
    Column("is_pushed", Boolean, nullable=False, server_default=true()),
    PrimaryKeyConstraint("identity", "kind", "subject", name="notifications_pkey"),
)
"""Each player's inbox: at most one notification of a kind about each match or player; `player` is the other player.

`is_pushed` says that it was sent to the player's browsers as a push message, or need not be."""

Index("notifications_identity", notifications.c.identity, notifications.c.at_ms)
Index("notifications_at", notifications.c.at_ms)
Index("notifications_player", notifications.c.player)

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

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("endpoint", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("credential", Text),
    Column("key", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("endpoint", name="push_subscriptions_pkey"),
)
"""The browsers that want push messages, with their keys. `credential` is the session, null for a guest."""

Index("push_subscriptions_identity", push_subscriptions.c.identity, push_subscriptions.c.created_ms)

server_keys = Table(
    "server_keys",
    metadata,
    Column("name", Text, nullable=False),
    Column("content", Text, nullable=False),
    PrimaryKeyConstraint("name", name="server_keys_pkey"),
)
"""Private keys of the server, in base64."""

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("node", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("node", name="heartbeats_pkey"),
)
"""When each server node was last known to be alive."""

nodes = Table(
    "nodes",
    metadata,
    Column("id", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("beat_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("id", name="nodes_pkey"),
)
"""The nodes of a cluster, with their last sign of life by the clock of the database."""

leases = Table(
    "leases",
    metadata,
    Column("name", Text, nullable=False),
    Column("node", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("name", name="leases_pkey"),
)
"""Which node may do what only one of them does at a time, and until when by the clock of the database. `number` is one
more with each new holder."""

puzzle_solvers = Table(
    "puzzle_solvers",
    metadata,
    Column("identity", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("best_streak", Integer, nullable=False),
    PrimaryKeyConstraint("identity", "game", name="puzzle_solvers_pkey"),
)
"""How well each player solves the puzzles of a game. `matches` counts the rated attempts."""

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("game", Text, nullable=False),
    Column("puzzle", Text, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    PrimaryKeyConstraint("game", "puzzle", name="puzzle_ratings_pkey"),
)
"""How hard the puzzles are that have been tried."""

puzzle_attempts = Table(
    "puzzle_attempts",
    metadata,
    Column("identity", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("puzzle", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("points", Integer, nullable=False),
    PrimaryKeyConstraint("identity", "game", "puzzle", name="puzzle_attempts_pkey"),
)
"""Each player's first attempt at each puzzle, with the player's rating after it."""

Index("puzzle_attempts_at", puzzle_attempts.c.identity, puzzle_attempts.c.game, puzzle_attempts.c.at_ms)

studies = Table(
    "studies",
    metadata,
    Column("id", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("setup", Text, nullable=False),
    Column("match", Text),
    Column("text", Text, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("id", name="studies_pkey"),
)
"""Studies that players have saved: moves with variations and comments as text, from a set-up or the start of a match.
Everyone who knows an id may read the study."""

Index("studies_identity", studies.c.identity, studies.c.updated_ms)
