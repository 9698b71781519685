"""Who somebody is: a secret token that only its holder has, and the public identity that follows from it.

A guest's identity is a hash of the token, so that a guest needs no row in a database, and nothing that the server
stores or tells lets anyone act for another. Whom the tokens of accounts let in the store knows, by their hashes.
"""

import hashlib
import re
import secrets

from ..protocol import IdentityId, Player
from .names import ADJECTIVES, NOUNS
from .presence import Credential

_SECRET_PATTERN = re.compile(r"(guest|session|ticket|api)_[A-Za-z0-9_-]{43}")


class BadTokenError(ValueError):
    """A token that this server never gave out."""


def new_secret(kind: str) -> str:
    """Return 256 random bits, as text that says what it is for: `guest`, `session`, `ticket` or `api`."""
    return f"{kind}_{secrets.token_urlsafe(32)}"


def kind_of(secret: str) -> str:
    """Return what a secret is for. Raises: BadTokenError."""
    if _SECRET_PATTERN.fullmatch(secret) is None:
        raise BadTokenError("This token is not one of this server's.")
    return secret.partition("_")[0]


def credential_of(secret: str) -> Credential:
    """Return the hash by which a secret is stored. With 256 random bits nobody finds the secret from it."""
    return Credential(hashlib.sha256(secret.encode()).hexdigest())


def identify(token: str) -> Player:
    """Return who the holder of a guest's token is. Raises: BadTokenError."""
    if kind_of(token) != "guest":
        raise BadTokenError("This token is not a guest's.")
    digest = hashlib.sha256(token.encode()).digest()
    adjective = ADJECTIVES[digest[30] % len(ADJECTIVES)]
    noun = NOUNS[digest[31] % len(NOUNS)]
    return Player(IdentityId(f"guest-{digest[:12].hex()}"), f"{adjective} {noun}")


def new_nobody() -> Player:
    """Return who sits in the matches of a deleted account: an identity that leads nowhere."""
    return Player(IdentityId(f"deleted-{secrets.token_hex(12)}"), "Deleted player")
