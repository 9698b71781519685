"""The key of this server: it proves to push services that a message comes from where the browser subscribed (RFC 8292).

It is created at the first start and stored in the database, since browsers remember it.
"""

import json
from typing import NamedTuple
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_der_private_key,
)

from .encryption import format_base64, format_point

VALID_S = 12 * 3600
"""Validity of a token; push services allow a day."""
_SCALAR_BYTES = 32


class ServerKey(NamedTuple):
    """The key pair of a server, and a contact."""

    private: EllipticCurvePrivateKey
    contact: str = ""
    """An address of the operator, such as `mailto:admin@example.org`; empty for none."""

    @property
    def public_text(self) -> str:
        """The public key, in the format for browsers."""
        return format_base64(format_point(self.private.public_key()))

    def authorization(self, endpoint: str, now_s: int) -> str:
        """Return the header `Authorization` of a message to an endpoint."""
        address = urlsplit(endpoint)
        claims = {"aud": f"{address.scheme}://{address.netloc}", "exp": now_s + VALID_S}
        if self.contact:
            claims["sub"] = self.contact
        signed = f"{_part({'typ': 'JWT', 'alg': 'ES256'})}.{_part(claims)}"
        r, s = decode_dss_signature(self.private.sign(signed.encode(), ECDSA(hashes.SHA256())))
        signature = format_base64(r.to_bytes(_SCALAR_BYTES) + s.to_bytes(_SCALAR_BYTES))
        return f"vapid t={signed}.{signature}, k={self.public_text}"


def new_private_key() -> bytes:
    """Return a new key in stored form."""
    key = generate_private_key(SECP256R1())
    return key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())


def read_private_key(stored: bytes) -> EllipticCurvePrivateKey:
    """Return a stored key."""
    key = load_der_private_key(stored, password=None)
    assert isinstance(key, EllipticCurvePrivateKey)
    return key


def _part(fields: dict[str, object]) -> str:
    return format_base64(json.dumps(fields, separators=(",", ":")).encode())
