"""Addresses of Redis servers: `redis://[user:password@]host[:port][/number][?prefix=name]`, or `rediss://` for TLS."""

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

PREFIX = "prefix"
TLS_OPTIONS = frozenset({"ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs", "ssl_check_hostname"})
"""Options of redis-py that an address may have."""


class BusAddressError(ValueError):
    """The address of a bus cannot be used; the text says why and what is expected."""


class RedisAddress(NamedTuple):
    """The address of the bus, and the prefix of its channels."""

    url: str
    """The address for redis-py."""
    prefix: str
    """The prefix of this installation's channels: channels ignore database numbers."""
    shown: str
    """The address without its password, for logs."""


def parse_address(text: str) -> RedisAddress:
    """Return an address from its text. Raises: BusAddressError."""
    expected = "Expected is redis://host:6379/0, or rediss:// for TLS."
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise BusAddressError(f"The address of the bus cannot be read: {error}. {expected}") from None
    if parts.scheme not in ("redis", "rediss"):
        raise BusAddressError(f"The address of the bus does not begin with redis:// or rediss://. {expected}")
    if not host:
        raise BusAddressError(f"The address of the bus names no host. {expected}")
    number = parts.path.strip("/") or "0"
    if not re.fullmatch(r"\d{1,4}", number):
        raise BusAddressError(f"{number!r} in the address of the bus is no database number. {expected}")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    prefix = options.pop(PREFIX, "millrace")
    if not re.fullmatch(r"[\w.-]{1,64}", prefix, re.ASCII):
        raise BusAddressError(
            f"The prefix in the address of the bus is {prefix!r}: letters, digits, '_', '.' and '-' are allowed."
        )
    unknown = sorted(options.keys() - (TLS_OPTIONS if parts.scheme == "rediss" else frozenset()))
    if unknown:
        raise BusAddressError(f"The address of the bus has an unknown option: {', '.join(unknown)}.")
    url = urlunsplit(parts._replace(path=f"/{number}", query=urlencode(options), fragment=""))
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/{number}"
    return RedisAddress(url, f"{prefix}:{number}:", shown)
