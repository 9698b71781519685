"""The tables of matches and their events.

No foreign key joins events to matches: an event is inserted only behind its predecessor, and the first one only with
its match. The key could refuse nothing, and would be looked up for every move.
"""

from sqlalchemy import Column, Index, false, text
from sqlalchemy.types import BigInteger, Boolean, Integer, LargeBinary, SmallInteger, Text

from ..storage.tables import define_table, optional, required

matches = define_table(
    "matches",
    ["id"],
    *required(Text, "id", "origin_by", "origin_command", "game"),
    *required(BigInteger, "created_ms"),
    *optional(BigInteger, "ended_ms", "archived_ms"),
    *optional(Boolean, "rated"),
    *optional(Integer, "plies"),
    *optional(Text, "termination", "result"),
    Column("imported", Boolean, nullable=False, server_default=false()),
    Column("openings_due", SmallInteger, nullable=False, server_default=text("0")),
)
"""One row for each match. `ended_ms` is when its `Ended` event was stored; it is null while the match is played.

The other columns are stored with the end (`server.journal.entries.Finish`). `archived_ms` equals `ended_ms` for matches
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

events = define_table(
    "events",
    ["match", "seq"],
    *required(Text, "match"),
    *required(Integer, "seq"),
    *required(BigInteger, "at_ms"),
    *required(SmallInteger, "seat"),
    *optional(Text, "command_id"),
    *required(Text, "body"),
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

SEATS = range(4)
"""The seats that a match can have."""

packed_matches = define_table(
    "packed_matches",
    ["match"],
    *required(Text, "match"),
    *required(SmallInteger, "format"),
    *required(Integer, "last_seq"),
    *required(LargeBinary, "rest", "plies"),
    *optional(BigInteger, "created_ms", "ended_ms", "origin", *(f"seat_{seat}" for seat in SEATS)),
    *optional(Integer, "ply_count"),
    *optional(SmallInteger, "game", "result", *(f"standing_{seat}" for seat in SEATS), "openings_due"),
    *optional(Boolean, "rated"),
)
"""One row for each packed match: its events up to `last_seq` (`server.journal.packed_form`), which have no rows in
`events`. What happens to it later has rows again, from the next number on.

The other columns are the facts of its rows in `matches` and `match_players`, which are deleted then, as numbers of a
few bytes (`server.journal.packed_facts`). They are null for a match that an earlier version has packed, which still has
those rows. `result` is null if the archive does not find the match, `standing_N` also for a player's further seats."""

Index("packed_matches_origin", packed_matches.c.origin, unique=True)
Index("packed_matches_archive", *(packed_matches.c[name] for name in ("game", "ended_ms", "rated", "result")))
for _seat in SEATS:
    _identity = packed_matches.c[f"seat_{_seat}"]
    Index(
        f"packed_matches_seat_{_seat}",
        *(_identity, *(packed_matches.c[name] for name in ("ended_ms", "game", "rated", f"standing_{_seat}"))),
        sqlite_where=_identity.is_not(None),
        postgresql_where=_identity.is_not(None),
    )
"""A seat's matches and a game's, the latest first; by the last columns, searches skip what does not fit without reading
its row. In PostgreSQL an entry is as long without them, a multiple of eight bytes."""

Index(
    "packed_matches_openings_due",
    packed_matches.c.match,
    sqlite_where=packed_matches.c.openings_due != 0,
    postgresql_where=packed_matches.c.openings_due != 0,
)

packed_games = define_table(
    "packed_games",
    ["number"],
    Column("number", SmallInteger, nullable=False, autoincrement=False),
    *required(Text, "game"),
)
"""The games of packed matches, numbered from 1."""

packing_progress = define_table(
    "packing_progress",
    ["name"],
    *required(Text, "name"),
    *required(BigInteger, "ended_ms"),
)
"""Matches that ended before this moment need not be looked at again in order to pack them, or to delete them by a rule
of retention."""

match_players = define_table(
    "match_players",
    ["match", "seat"],
    *required(Text, "match"),
    *required(SmallInteger, "seat"),
    *required(Text, "identity"),
    *optional(BigInteger, "archived_ms"),
    *optional(Text, "game"),
    *optional(Boolean, "rated"),
    *optional(SmallInteger, "rank"),
    *optional(Text, "result"),
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

rematch_answers = define_table(
    "rematch_answers",
    ["match"],
    *required(Text, "match"),
    *required(BigInteger, "at_ms"),
)
"""The matches whose players have lately offered or declined a rematch that has not started, and when."""

Index("rematch_answers_at", rematch_answers.c.at_ms)

heartbeats = define_table(
    "heartbeats",
    ["node"],
    *required(Text, "node"),
    *required(BigInteger, "at_ms"),
)
"""When each server node was last known to be alive."""
