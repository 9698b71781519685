"""Who somebody is: a secret token that only its holder has, and the public identity that follows from it.

A guest's identity is a hash of the token, so that a guest needs no row in a database, and nothing that the server
stores or tells lets anyone act for another. Imported by `server.session`.
"""

import hashlib
import re
import secrets

from server.protocol import IdentityId, Player

_TOKEN_PATTERN = re.compile(r"guest_[A-Za-z0-9_-]{43}")

_ADJECTIVES = (
    *("Amber", "Bold", "Brisk", "Calm", "Clever", "Copper", "Gentle", "Golden", "Hazel", "Ivory", "Jolly", "Keen"),
    *("Lively", "Lucky", "Mellow", "Merry", "Nimble", "Patient", "Quick", "Quiet", "Silver", "Steady", "Swift", "Wise"),
)
_NOUNS = (
    *("Badger", "Beaver", "Crane", "Dipper", "Falcon", "Ferret", "Finch", "Fox", "Hare", "Heron", "Kestrel", "Lark"),
    *("Marten", "Miller", "Otter", "Owl", "Pike", "Raven", "Robin", "Salmon", "Sparrow", "Swan", "Trout", "Wren"),
)


class BadTokenError(ValueError):
    """A token that this server never gave out."""


def new_token() -> str:
    """Return a secret for a new guest: 256 random bits."""
    return f"guest_{secrets.token_urlsafe(32)}"


def identify(token: str) -> Player:
    """Return who the holder of a token is. Raises: BadTokenError."""
    if _TOKEN_PATTERN.fullmatch(token) is None:
        raise BadTokenError("This token is not one of this server's.")
    digest = hashlib.sha256(token.encode()).digest()
    adjective = _ADJECTIVES[digest[30] % len(_ADJECTIVES)]
    noun = _NOUNS[digest[31] % len(_NOUNS)]
    return Player(IdentityId(f"guest-{digest[:12].hex()}"), f"{adjective} {noun}")
