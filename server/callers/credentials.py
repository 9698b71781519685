"""Tokens, and the identities and credentials derived from them.

A guest's identity is a hash of the guest's token, so guests need no database row, and nothing that the server stores or
sends lets one player act for another. The tokens of accounts are stored as hashes.
"""

import hashlib
import re
import secrets

from millrace.protocol import IdentityId, Player

from .names import ADJECTIVES, NOUNS
from .presence import Credential

DELETED_NAME = "Deleted player"
"""The name of a player whose account was deleted."""

_TOKEN_PATTERN = re.compile(r"(guest|session|ticket|api)_[A-Za-z0-9_-]{43}")


class BadTokenError(ValueError):
    """Not a token of this server."""


def new_token(kind: str) -> str:
    """Return a token of 256 random bits, prefixed with its kind: `guest`, `session`, `ticket` or `api`."""
    return f"{kind}_{secrets.token_urlsafe(32)}"


def kind_of(token: str) -> str:
    """Return the kind of a token. Raises: BadTokenError."""
    if _TOKEN_PATTERN.fullmatch(token) is None:
        raise BadTokenError("This is not a token of this server.")
    return token.partition("_")[0]


def credential_of(token: str) -> Credential:
    """Return the hash under which a token is stored. The token, 256 random bits, cannot be recovered from it."""
    return Credential(hashlib.sha256(token.encode()).hexdigest())


def identify(token: str) -> Player:
    """Return the guest with a guest token. Raises: BadTokenError."""
    if kind_of(token) != "guest":
        raise BadTokenError("This is not a guest's token.")
    digest = hashlib.sha256(token.encode()).digest()
    adjective = ADJECTIVES[digest[30] % len(ADJECTIVES)]
    noun = NOUNS[digest[31] % len(NOUNS)]
    return Player(IdentityId(f"guest-{digest[:12].hex()}"), f"{adjective} {noun}")


def new_deleted_player() -> Player:
    """Return the player who replaces a deleted account in its matches: an identity without an account."""
    return Player(IdentityId(f"deleted-{secrets.token_hex(12)}"), DELETED_NAME)


def new_scrubbed_identity() -> IdentityId:
    """Return the identity that keeps the name of a deleted account reserved."""
    return IdentityId(f"scrubbed-{secrets.token_hex(12)}")
