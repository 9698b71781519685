"""The encryption of push messages: the coding `aes128gcm` with a key that only the browser has (RFC 8188, RFC 8291).

Pure; the key pair and the salt of a message are arguments.
"""

import base64
import binascii
from typing import NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

RECORD_BYTES = 4_096
"""The size of a record; a message is one record, the maximum of push services."""
MAX_PLAIN_BYTES = RECORD_BYTES - 17 - 86
"""Maximum size of a message: a record minus its tag, delimiter and header."""
SALT_BYTES = 16
SECRET_BYTES = 16
_LAST_RECORD = b"\x02"


class BadKeyError(ValueError):
    """A browser's key or secret is invalid."""


class BrowserKeys(NamedTuple):
    """The keys with which a browser receives messages."""

    public: bytes
    """A point of the curve P-256, uncompressed."""
    secret: bytes


def read_browser_keys(public: str, secret: str) -> BrowserKeys:
    """Return a browser's keys from base64. Raises: BadKeyError."""
    keys = BrowserKeys(_decode(public), _decode(secret))
    if len(keys.secret) != SECRET_BYTES:
        raise BadKeyError("the secret does not have 16 bytes")
    _read_point(keys.public)
    return keys


def encrypt(message: bytes, keys: BrowserKeys, own: EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """Return the body of a push message. `own` and `salt` must be new for each message. Raises: BadKeyError."""
    assert len(message) <= MAX_PLAIN_BYTES
    own_point = format_point(own.public_key())
    shared = own.exchange(ECDH(), _read_point(keys.public))
    info = b"WebPush: info\0" + keys.public + own_point
    material = _derive(shared, keys.secret, info, 32)
    content_key = _derive(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(material, salt, b"Content-Encoding: nonce\0", 12)
    record = AESGCM(content_key).encrypt(nonce, message + _LAST_RECORD, None)
    return salt + RECORD_BYTES.to_bytes(4) + bytes([len(own_point)]) + own_point + record


def format_point(key: EllipticCurvePublicKey) -> bytes:
    """Return a public key as an uncompressed point."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def format_base64(content: bytes) -> str:
    """Return bytes in base64 for addresses, without padding.

    >>> format_base64(bytes([251, 255]))
    '-_8'
    """
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _derive(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(material)


def _read_point(point: bytes) -> EllipticCurvePublicKey:
    try:
        return EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)
    except ValueError as error:
        raise BadKeyError("the key is no point of the curve") from error


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadKeyError("the key is not base64") from error
