"""Recovery codes: each lets an owner who forgot the password choose a new one, once.

A code has 79 random bits. It is shown when created, and stored as a hash.
"""

import hashlib
import secrets

from ...callers.presence import Credential

CODES = 8
"""Number of codes of an account."""
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Without letters that people confuse: 0 and o, 1, i and l."""
_GROUPS, _GROUP_LETTERS = 4, 4


def new_code() -> str:
    """Return a code in groups of letters, easy to copy."""
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_GROUP_LETTERS)) for _ in range(_GROUPS))
    return "-".join(groups)


def credential_of_code(code: str) -> Credential:
    """Return the hash under which a code is stored, for any spelling of it.

    >>> credential_of_code(" K7M2 p9qa4xzt 2345") == credential_of_code("k7m2-p9qa-4xzt-2345")
    True
    """
    letters = "".join(letter for letter in code.casefold() if letter.isalnum())
    return Credential(hashlib.sha256(f"recovery {letters}".encode()).hexdigest())
