-- The tables at revision 0012, as the migrations 0001 to 0012 made them one by one.
CREATE TABLE accounts (
    id TEXT NOT NULL, name TEXT NOT NULL, skeleton TEXT NOT NULL, password_hash TEXT NOT NULL,
    created_ms BIGINT NOT NULL, deleted_ms BIGINT, is_bot BOOLEAN DEFAULT FALSE NOT NULL, role TEXT,
    CONSTRAINT accounts_pkey PRIMARY KEY (id)
);
CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE blocks (
    "by" TEXT NOT NULL, whom TEXT NOT NULL, created_ms BIGINT NOT NULL,
    CONSTRAINT blocks_pkey PRIMARY KEY ("by", whom)
);
CREATE TABLE chat_lines (
    "match" TEXT NOT NULL, number INTEGER NOT NULL, room TEXT NOT NULL, identity TEXT NOT NULL, name TEXT NOT NULL,
    registered BOOLEAN NOT NULL, command_id TEXT NOT NULL, text TEXT NOT NULL, at_ms BIGINT NOT NULL,
    bot BOOLEAN DEFAULT FALSE NOT NULL, CONSTRAINT chat_lines_pkey PRIMARY KEY ("match", number)
);
CREATE TABLE events (
    "match" TEXT NOT NULL, seq INTEGER NOT NULL, at_ms BIGINT NOT NULL, seat SMALLINT NOT NULL, command_id TEXT,
    body TEXT NOT NULL, CONSTRAINT events_pkey PRIMARY KEY ("match", seq)
);
CREATE TABLE follows (
    "by" TEXT NOT NULL, whom TEXT NOT NULL, created_ms BIGINT NOT NULL,
    CONSTRAINT follows_pkey PRIMARY KEY ("by", whom)
);
CREATE TABLE grants (
    credential TEXT NOT NULL, id TEXT NOT NULL, identity TEXT NOT NULL, kind TEXT NOT NULL,
    created_ms BIGINT NOT NULL, expires_ms BIGINT, label TEXT NOT NULL, scopes TEXT NOT NULL, used_ms BIGINT,
    CONSTRAINT grants_pkey PRIMARY KEY (credential)
);
CREATE TABLE heartbeats (
    node TEXT NOT NULL, at_ms BIGINT NOT NULL, CONSTRAINT heartbeats_pkey PRIMARY KEY (node)
);
CREATE TABLE match_analyses (
    "match" TEXT NOT NULL, engine TEXT NOT NULL, body TEXT NOT NULL, at_ms BIGINT NOT NULL,
    CONSTRAINT match_analyses_pkey PRIMARY KEY ("match")
);
CREATE TABLE match_players (
    "match" TEXT NOT NULL, seat SMALLINT NOT NULL, identity TEXT NOT NULL, archived_ms BIGINT, game TEXT,
    rated BOOLEAN, rank SMALLINT, result TEXT, CONSTRAINT match_players_pkey PRIMARY KEY ("match", seat)
);
CREATE TABLE matches (
    id TEXT NOT NULL, origin_by TEXT NOT NULL, origin_command TEXT NOT NULL, game TEXT NOT NULL,
    created_ms BIGINT NOT NULL, ended_ms BIGINT, archived_ms BIGINT, rated BOOLEAN, plies INTEGER, termination TEXT,
    result TEXT, imported BOOLEAN DEFAULT FALSE NOT NULL, CONSTRAINT matches_pkey PRIMARY KEY (id)
);
CREATE TABLE measures (
    identity TEXT NOT NULL, kind TEXT NOT NULL, words TEXT NOT NULL, until_ms BIGINT,
    CONSTRAINT measures_pkey PRIMARY KEY (identity, kind)
);
CREATE TABLE moderation_log (
    number BIGINT NOT NULL, at_ms BIGINT NOT NULL, "by" TEXT NOT NULL, by_name TEXT NOT NULL,
    command_id TEXT NOT NULL, deed TEXT NOT NULL, reason TEXT NOT NULL, player TEXT, player_name TEXT, "match" TEXT,
    line INTEGER, until_ms BIGINT, detail TEXT NOT NULL, CONSTRAINT moderation_log_pkey PRIMARY KEY (number)
);
CREATE TABLE mutes (
    "by" TEXT NOT NULL, whom TEXT NOT NULL, created_ms BIGINT NOT NULL,
    CONSTRAINT mutes_pkey PRIMARY KEY ("by", whom)
);
CREATE TABLE notices (
    identity TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, at_ms BIGINT NOT NULL, "match" TEXT,
    game TEXT, player TEXT, player_name TEXT, player_registered BOOLEAN NOT NULL, player_bot BOOLEAN NOT NULL,
    player_level SMALLINT, words TEXT NOT NULL, is_read BOOLEAN NOT NULL,
    CONSTRAINT notices_pkey PRIMARY KEY (identity, kind, subject)
);
CREATE TABLE people (
    identity TEXT NOT NULL, bio TEXT, country TEXT, is_hidden BOOLEAN DEFAULT FALSE NOT NULL, seen_ms BIGINT,
    toggled_notices TEXT, CONSTRAINT people_pkey PRIMARY KEY (identity)
);
CREATE TABLE rating_history (
    "match" TEXT NOT NULL, seat SMALLINT NOT NULL, identity TEXT NOT NULL, game TEXT NOT NULL,
    seats SMALLINT NOT NULL, speed TEXT NOT NULL, rank SMALLINT NOT NULL, plies INTEGER NOT NULL,
    at_ms BIGINT NOT NULL, mu_before DOUBLE PRECISION NOT NULL, sigma_before DOUBLE PRECISION NOT NULL,
    mu_after DOUBLE PRECISION NOT NULL, sigma_after DOUBLE PRECISION NOT NULL,
    CONSTRAINT rating_history_pkey PRIMARY KEY ("match", seat)
);
CREATE TABLE ratings (
    identity TEXT NOT NULL, game TEXT NOT NULL, seats SMALLINT NOT NULL, speed TEXT NOT NULL,
    mu DOUBLE PRECISION NOT NULL, sigma DOUBLE PRECISION NOT NULL, matches INTEGER NOT NULL,
    updated_ms BIGINT NOT NULL, CONSTRAINT ratings_pkey PRIMARY KEY (identity, game, seats, speed)
);
CREATE TABLE reports (
    reporter TEXT NOT NULL, command_id TEXT NOT NULL, "match" TEXT, player TEXT NOT NULL, line INTEGER,
    text TEXT NOT NULL, reason TEXT NOT NULL, words TEXT NOT NULL, at_ms BIGINT NOT NULL,
    reporter_name TEXT DEFAULT '' NOT NULL, player_name TEXT DEFAULT '' NOT NULL, taken_by TEXT, outcome TEXT,
    settled_by BIGINT, CONSTRAINT reports_pkey PRIMARY KEY (reporter, command_id)
);
CREATE UNIQUE INDEX accounts_skeleton ON accounts (skeleton);
CREATE UNIQUE INDEX chat_lines_command ON chat_lines (identity, command_id);
CREATE UNIQUE INDEX events_command ON events ("match", seat, command_id) WHERE command_id IS NOT NULL;
CREATE INDEX follows_whom ON follows (whom);
CREATE INDEX grants_identity ON grants (identity);
CREATE INDEX match_players_archive ON match_players (identity, archived_ms, "match", game, rated, result, rank);
CREATE INDEX match_players_identity ON match_players (identity, "match", seat);
CREATE INDEX matches_archive ON matches (archived_ms, id, rated, result);
CREATE INDEX matches_archive_game ON matches (game, archived_ms, id, rated, result);
CREATE INDEX matches_ended ON matches (ended_ms);
CREATE UNIQUE INDEX matches_origin ON matches (origin_by, origin_command);
CREATE INDEX matches_unfinished ON matches (created_ms) WHERE ended_ms IS NULL;
CREATE UNIQUE INDEX moderation_log_command ON moderation_log ("by", command_id);
CREATE INDEX moderation_log_player ON moderation_log (player);
CREATE INDEX notices_at ON notices (at_ms);
CREATE INDEX notices_identity ON notices (identity, at_ms);
CREATE INDEX notices_player ON notices (player);
CREATE INDEX rating_history_identity ON rating_history (identity, at_ms);
CREATE INDEX ratings_leaders ON ratings (game, seats, speed, mu);
CREATE INDEX reports_at ON reports (at_ms);
CREATE INDEX reports_open ON reports (at_ms) WHERE outcome IS NULL;
CREATE INDEX reports_player ON reports (player);
INSERT INTO alembic_version VALUES ('0012');
