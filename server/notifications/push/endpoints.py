"""The endpoints of browsers: addresses sent by clients, to which this server connects.

A client must not make the server connect to its own network. So an endpoint is https at a public address, which is
resolved only once (a second look-up might give another one), and redirects are not followed.
"""

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

MAX_ENDPOINT_CHARACTERS = 1_024
_TRANSLATED = tuple(ip_network(text) for text in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"))
"""IPv6 addresses that stand for IPv4 addresses, perhaps private ones."""
_PORTS = {"https": 443, "http": 80}


class BadEndpointError(ValueError):
    """A refused endpoint; the text says why."""


class Endpoint(NamedTuple):
    """Where a push service accepts messages for a browser."""

    scheme: str
    host: str
    port: int
    target: str
    """Path and query."""

    @property
    def authority(self) -> str:
        """The host, and the port unless it is the usual one, as in the header `Host`.

        >>> Endpoint("https", "push.example.org", 443, "/").authority, Endpoint("http", "::1", 8080, "/").authority
        ('push.example.org', '[::1]:8080')
        """
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def parse_endpoint(address: str, *, is_local_allowed: bool = False) -> Endpoint:
    """Return an endpoint. Raises: BadEndpointError.

    `is_local_allowed` also allows plain http and other ports, for a push service in the operator's own network.
    """
    if len(address) > MAX_ENDPOINT_CHARACTERS or not all("!" <= each <= "~" for each in address):
        raise BadEndpointError("An endpoint is an address of at most 1,024 ASCII characters.")
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise BadEndpointError("The endpoint is not an address.") from error
    schemes = ("https", "http") if is_local_allowed else ("https",)
    if parts.scheme not in schemes or not host or "@" in parts.netloc or parts.fragment:
        raise BadEndpointError("An endpoint is an https address.")
    if not is_local_allowed and port not in (None, 443):
        raise BadEndpointError("An endpoint has the usual port.")
    if not is_local_allowed and not is_public_name(host):
        raise BadEndpointError("An endpoint is at a public host.")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Endpoint(parts.scheme, host, port or _PORTS[parts.scheme], target)


async def resolve(endpoint: Endpoint, *, is_local_allowed: bool = False) -> str:
    """Return the address to connect to. Raises: BadEndpointError if it is not public, OSError."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM)
    for *_, place in found:
        address = str(place[0])
        if is_local_allowed or is_public(address):
            return address
    raise BadEndpointError(f"{endpoint.host} has no public address.")


def is_public_name(host: str) -> bool:
    """Return whether a host may be on the internet.

    >>> is_public_name("push.example.org"), is_public_name("localhost"), is_public_name("10.0.0.1")
    (True, False, False)
    """
    try:
        return is_public(str(ip_address(host)))
    except ValueError:
        return "." in host.strip(".")


def is_public(address: str) -> bool:
    """Return whether an address is on the internet, and does not stand for another one.

    >>> is_public("93.184.216.34"), is_public("::ffff:127.0.0.1"), is_public("169.254.169.254")
    (True, False, False)
    """
    parsed: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return is_public(str(parsed.ipv4_mapped))
        if any(parsed in network for network in _TRANSLATED):
            return False
    return parsed.is_global and not parsed.is_multicast
