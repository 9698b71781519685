"""All limits of the server, each declared beside the code that it protects. Run it to write docs/limits.md."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from millrace.protocol.durations import duration_text

from ..archive.downloads import EXPORTS
from ..archive.import_handler import IMPORTED_TEXTS, IMPORTS
from ..callers.limit import Bound, Limit
from ..chat.chat_handler import FOLLOWED_CHATS, LINES, MUTED_PLAYERS, MUTES, REPEATED_LINES
from ..learning.analysis.match_review import REVIEWS, REVIEWS_RUNNING
from ..learning.analysis.searches import ANALYSIS_MS
from ..learning.endings.ending_handler import ENDING_REQUESTS
from ..learning.mistakes.mistake_handler import MISTAKE_REQUESTS
from ..learning.puzzles.puzzle_handler import PUZZLES_TRIED
from ..learning.races.race_handler import RACES_JOINED
from ..learning.storms.storm_handler import STORMS_STARTED
from ..learning.studies.study_handler import STUDIES_SAVED, STUDY_CHANGES
from ..learning.studies.study_news import FOLLOWED_STUDIES
from ..lobby.lobby_handler import GUEST_JOINS
from ..lobby.match_creation import BOT_MATCHES, CHALLENGES, MATCHES_CREATED, WAITING_CHALLENGES, WAITING_MATCHES
from ..moderation.reports import REPORTS
from ..notifications.push.push_handler import PUSH_SUBSCRIPTIONS
from ..players.accounts.account_handler import REGISTRATIONS
from ..players.accounts.email_handler import (
    EMAIL_CHANGES,
    MAILS_TO_ADDRESS,
    RECOVERY_MAILS,
    RECOVERY_MAILS_AT_KNOWN_ADDRESS,
    RECOVERY_MAILS_OF_ACCOUNT,
)
from ..players.accounts.hashing import HASHES
from ..players.accounts.password_login import (
    FAILED_SIGN_INS,
    SIGN_INS,
    WRONG_PASSWORDS,
    WRONG_PASSWORDS_AT_KNOWN_ADDRESS,
    WRONG_PASSWORDS_OF_KNOWN_PLAYER,
)
from ..players.accounts.tokens import API_TOKENS
from ..players.profiles.block_handler import BLOCKS
from ..players.profiles.blocks import BLOCKED_PLAYERS
from ..players.profiles.follows import FOLLOWED_PLAYERS
from ..players.profiles.profile_handler import FOLLOWS, PAGE_SETTINGS_CHANGES, PROFILE_CHANGES
from ..players.vacations.vacation_handler import VACATIONS_SET
from ..rooms.match_handler import WATCHED_BOT_MATCHES, WATCHED_MATCHES
from ..tournaments.ladders.ladder_handler import LADDER_CHALLENGES, LADDER_JOINS
from ..tournaments.tournament_handler import (
    PAIRINGS_FORBIDDEN,
    PLANNED_TOURNAMENTS,
    SIMUL_PLAYERS_CHANGED,
    TOURNAMENT_JOINS,
    TOURNAMENTS_CREATED,
)
from ..web.message_limit import MESSAGES
from ..web.open_connections import CONNECTIONS, REQUESTS
from ..web.outboxes import OUTBOX_KIB
from ..web.previews.renderer import PICTURES

LIMITS = (
    CONNECTIONS,
    REQUESTS,
    OUTBOX_KIB,
    MESSAGES,
    SIGN_INS,
    FAILED_SIGN_INS,
    WRONG_PASSWORDS,
    WRONG_PASSWORDS_AT_KNOWN_ADDRESS,
    WRONG_PASSWORDS_OF_KNOWN_PLAYER,
    HASHES,
    REGISTRATIONS,
    EMAIL_CHANGES,
    MAILS_TO_ADDRESS,
    RECOVERY_MAILS,
    RECOVERY_MAILS_OF_ACCOUNT,
    RECOVERY_MAILS_AT_KNOWN_ADDRESS,
    API_TOKENS,
    MATCHES_CREATED,
    GUEST_JOINS,
    WAITING_MATCHES,
    CHALLENGES,
    WAITING_CHALLENGES,
    BOT_MATCHES,
    TOURNAMENTS_CREATED,
    PLANNED_TOURNAMENTS,
    PAIRINGS_FORBIDDEN,
    SIMUL_PLAYERS_CHANGED,
    TOURNAMENT_JOINS,
    LADDER_JOINS,
    LADDER_CHALLENGES,
    VACATIONS_SET,
    WATCHED_MATCHES,
    WATCHED_BOT_MATCHES,
    LINES,
    REPEATED_LINES,
    FOLLOWED_CHATS,
    MUTES,
    MUTED_PLAYERS,
    REPORTS,
    PROFILE_CHANGES,
    PAGE_SETTINGS_CHANGES,
    FOLLOWS,
    FOLLOWED_PLAYERS,
    BLOCKS,
    BLOCKED_PLAYERS,
    ANALYSIS_MS,
    REVIEWS,
    REVIEWS_RUNNING,
    PUZZLES_TRIED,
    ENDING_REQUESTS,
    STORMS_STARTED,
    RACES_JOINED,
    MISTAKE_REQUESTS,
    STUDIES_SAVED,
    STUDY_CHANGES,
    FOLLOWED_STUDIES,
    PUSH_SUBSCRIPTIONS,
    IMPORTS,
    IMPORTED_TEXTS,
    EXPORTS,
    PICTURES,
)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "limits.md"

_HEAD = """\
# Limits

<!-- Written by `python -m millrace.server.app.limit_table`. Do not edit. -->

Every limit on what a client may do, with its default bounds. Uses are counted per connection, player and address, where
the table has a bound. Beyond a bound they are refused: by a `refused` with the code in the table, over HTTP with the
status 429.

- **connection**: one connection.
- **account, guest**: one player, on all connections together.
- **guests**: all guests at one address together.
- **address**: everyone at one address, which is an IPv4 address or a /64 network of IPv6. Behind a reverse proxy
  (`millrace serve --behind-proxy`) it is the address that the proxy reports.
- **everyone**: the whole server.

Several nodes count the uses of a player, an address and everyone together. They exchange counts within half a second,
so other nodes may exceed a bound in that time: each by at most the bound itself, if all are asked at once. Nodes that
cannot reach each other count separately.

One address gets at most half of what everyone shares, and an address that has nothing of it gets one even beyond
everyone's bound. What is bounded for one recipient, such as challenges, is not shared out: that bound protects the
recipient. Passwords, pictures, imports, downloads and e-mails that wait
for a processor or another server take turns by address, push messages by recipient, requests to bots by player or
match.

A bound over time, such as *20 in 1 minute*, may be used up at once, and refills steadily over that time.

`millrace serve --limit NAME=NUMBER` changes a bound. NAME is the limit and the column, such as `chat_lines.guest`; the
option can be repeated. `--address-factor 3` multiplies the bounds of *guests* and *address*, for a school or an office
whose players share an address. `millrace_limits_reached_total` counts refusals by limit and bound
([metrics](metrics.md)), and the security log names the address (`--security-log FILE`).
"""


def write_page(limits: Iterable[Limit]) -> str:
    """Return the text of the page."""
    each = tuple(limits)
    over_time, at_a_time = [x for x in each if x.window_ms], [x for x in each if not x.window_ms]
    return "\n".join((_HEAD, *_table("Over time", over_time), "", *_table("At a time", at_a_time), ""))


def _table(title: str, limits: Iterable[Limit]) -> Iterator[str]:
    columns = tuple(bound.value for bound in Bound)
    yield f"## {title}\n"
    yield f"| limit | counted | {' | '.join(columns)} | code |"
    yield f"|---|---|{'---|' * len(columns)}---|"
    for limit in limits:
        bounds = dict(limit.bounds())
        cells = (_cell(bounds.get(bound), limit.window_ms) for bound in Bound)
        yield f"| `{limit.name}` | {limit.counts} | {' | '.join(cells)} | `{limit.code}` |"


def _cell(value: float | None, window_ms: int) -> str:
    if value is None:
        return ""
    return f"{value:,g} in {duration_text(window_ms)}" if window_ms else f"{value:,g}"


if __name__ == "__main__":
    PAGE.write_text(write_page(LIMITS), encoding="utf-8")
