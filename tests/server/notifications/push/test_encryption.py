"""The encryption of push messages: the example of RFC 8291, and decryption of any message."""

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key, generate_private_key
from hypothesis import given
from hypothesis import strategies as st

from millrace.server.notifications.push.encryption import (
    MAX_PLAIN_BYTES,
    BadKeyError,
    BrowserKeys,
    encrypt,
    format_point,
    read_browser_keys,
)
from tests.server.notifications.push.stand_in import decode

EXAMPLE_PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
EXAMPLE_SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
EXAMPLE_OWN = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
EXAMPLE_SALT = "DGv6ra1nlYgDCS1FRnbzlw"
EXAMPLE_BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
"""RFC 8291, section 5, and its appendix A."""


def test_the_example_of_the_standard_is_reproduced() -> None:
    own = derive_private_key(int.from_bytes(decode(EXAMPLE_OWN)), SECP256R1())
    keys = read_browser_keys(EXAMPLE_PUBLIC, EXAMPLE_SECRET)
    body = encrypt(b"When I grow up, I want to be a watermelon", keys, own, decode(EXAMPLE_SALT))
    assert body == decode(EXAMPLE_BODY)


@given(st.binary(max_size=MAX_PLAIN_BYTES), st.binary(min_size=16, max_size=16))
def test_a_browser_can_read_a_message(message: bytes, salt: bytes) -> None:
    browser, secret = generate_private_key(SECP256R1()), b"0123456789abcdef"
    keys = BrowserKeys(format_point(browser.public_key()), secret)
    body = encrypt(message, keys, generate_private_key(SECP256R1()), salt)
    assert len(body) <= 4096
    assert http_ece.decrypt(body, private_key=browser, auth_secret=secret, version="aes128gcm") == message


@pytest.mark.parametrize(
    ("public", "secret"),
    [
        ("", EXAMPLE_SECRET),
        ("?", EXAMPLE_SECRET),
        (EXAMPLE_PUBLIC[:-4], EXAMPLE_SECRET),
        (EXAMPLE_PUBLIC.replace("C", "D", 1), EXAMPLE_SECRET),
        (EXAMPLE_PUBLIC, EXAMPLE_SECRET[:-2]),
    ],
)
def test_invalid_keys_are_refused(public: str, secret: str) -> None:
    with pytest.raises(BadKeyError):
        read_browser_keys(public, secret)
