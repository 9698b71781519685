"""All limits of the server, each declared beside the code that it protects. Run it to write docs/limits.md."""

from pathlib import Path

from ..archive.import_handler import IMPORTED_TEXTS, IMPORTS
from ..callers.limit_page import write_page
from ..chat.chat_handler import FOLLOWED_CHATS, LINES, MUTED_PLAYERS, MUTES, REPEATED_LINES
from ..learning.analysis.match_review import REVIEWS
from ..learning.analysis.searches import ANALYSIS_MS
from ..learning.puzzles.puzzle_handler import PUZZLES_TRIED
from ..learning.studies.study_handler import STUDIES_SAVED
from ..lobby.lobby_handler import GUEST_JOINS
from ..lobby.match_creation import BOT_MATCHES, CHALLENGES, MATCHES_CREATED, WAITING_CHALLENGES, WAITING_MATCHES
from ..moderation.reports import REPORTS
from ..notifications.push.push_handler import PUSH_SUBSCRIPTIONS
from ..players.accounts.account_handler import REGISTRATIONS
from ..players.accounts.email_handler import EMAIL_CHANGES, MAILS_TO_ADDRESS, RECOVERY_MAILS, RECOVERY_MAILS_OF_ACCOUNT
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
from ..rooms.match_handler import WATCHED_BOT_MATCHES, WATCHED_MATCHES
from ..web.message_limit import MESSAGES
from ..web.open_connections import CONNECTIONS
from ..web.outboxes import OUTBOX_KIB
from ..web.request_limit import REQUESTS

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
