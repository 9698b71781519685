"""Every limit of the server, which are declared beside what they protect; writes docs/limits.md when it is run."""

from pathlib import Path

from ..accounts.email_handler import EMAIL_CHANGES, MAILS_TO_ADDRESS, RECOVERY_MAILS, RECOVERY_MAILS_OF_ACCOUNT
from ..accounts.handler import REGISTRATIONS
from ..accounts.hashing import HASHES
from ..accounts.password_login import (
    FAILED_SIGN_INS,
    SIGN_INS,
    WRONG_PASSWORDS,
    WRONG_PASSWORDS_AT_KNOWN_ADDRESS,
    WRONG_PASSWORDS_OF_KNOWN_PLAYER,
)
from ..accounts.tokens import API_TOKENS
from ..analysis.match_review import REVIEWS
from ..analysis.time_allowance import ANALYSIS_MS
from ..archive.import_handler import IMPORTED_TEXTS, IMPORTS
from ..chat.handler import FOLLOWED_CHATS, LINES, MUTED_PLAYERS, MUTES, REPEATED_LINES
from ..http.message_limit import MESSAGES
from ..http.open_connections import CONNECTIONS
from ..http.outboxes import OUTBOX_KIB
from ..http.request_limit import REQUESTS
from ..limits.page import write_page
from ..lobby.handler import GUEST_JOINS
from ..lobby.match_creation import BOT_MATCHES, CHALLENGES, MATCHES_CREATED, WAITING_CHALLENGES, WAITING_MATCHES
from ..moderation.reports import REPORTS
from ..profiles.block_handler import BLOCKS
from ..profiles.blocks import BLOCKED_PLAYERS
from ..profiles.follows import FOLLOWED_PLAYERS
from ..profiles.handler import FOLLOWS, PROFILE_CHANGES
from ..profiles.page_settings_handler import PAGE_SETTINGS_CHANGES
from ..push.handler import PUSH_SUBSCRIPTIONS
from ..puzzles.handler import PUZZLES_TRIED
from ..rooms.handler import WATCHED_BOT_MATCHES, WATCHED_MATCHES
from ..studies.handler import STUDIES_SAVED

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
    API_TOKENS,
    MATCHES_CREATED,
    GUEST_JOINS,
    WAITING_MATCHES,
    CHALLENGES,
    WAITING_CHALLENGES,
    BOT_MATCHES,
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
    PUZZLES_TRIED,
    STUDIES_SAVED,
    PUSH_SUBSCRIPTIONS,
    IMPORTS,
    IMPORTED_TEXTS,
)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "limits.md"

if __name__ == "__main__":
    PAGE.write_text(write_page(LIMITS), encoding="utf-8")
