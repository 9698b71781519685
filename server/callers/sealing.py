"""Sealing: answers with secrets are stored so that only the token of the player who got them can open them.

The server does not store tokens, so a copy of its database opens nothing.
"""

import base64
import hmac
import secrets
from collections.abc import Sequence
from typing import NewType

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

SealingKey = NewType("SealingKey", bytes)

_NONCE_BYTES = 12


def sealing_key_of(token: str) -> SealingKey:
    """Return the key of a token, which has 256 random bits."""
    return SealingKey(hmac.digest(token.encode(), b"sealed answers", "sha256"))


def seal(text: bytes, command: bytes, key: SealingKey) -> str:
    """Return the answer to a command as text that only the same key can open, for the same command.

    >>> key = sealing_key_of("session_x")
    >>> unseal(seal(b"secret", b"command", key), b"command", [sealing_key_of("session_y"), key])
    b'secret'
    >>> unseal(seal(b"secret", b"command", key), b"another command", [key]) is None
    True
    """
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return base64.b64encode(nonce + AESGCM(key).encrypt(nonce, text, command)).decode()


def unseal(sealed: str, command: bytes, keys: Sequence[SealingKey]) -> bytes | None:
    """Return what was sealed; None if it was with none of these keys, or for another command."""
    content = base64.b64decode(sealed)
    for key in keys:
        try:
            return AESGCM(key).decrypt(content[:_NONCE_BYTES], content[_NONCE_BYTES:], command)
        except InvalidTag:
            continue
    return None
