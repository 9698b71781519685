"""The host names of this server, and which requests come from its own machine. Pure.

Another site can make its name resolve to this server's address (DNS rebinding), so that its pages act as pages of this
server. The `Host` header still has the other site's name. An address cannot be redirected in this way, so every address
is allowed, and so are the names of the machine itself.
"""

from collections.abc import Iterable, Mapping
from ipaddress import ip_address

FORWARDING = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP")
"""Headers that show that a proxy forwarded a request."""
LOCAL_DOMAINS = ("local", "lan", "home.arpa", "internal")
"""Domains of local networks, in which a machine is known by its own name."""


class Hosts:
    """The names of one server.

    `machine` are the names of the machine; `allowed` are further ones: `*.example.org` allows every name in a domain,
    `*` allows all. A proxy serves only its configured names, so behind one all are allowed unless some are given.
    """

    def __init__(
        self, allowed: Iterable[str] = (), machine: Iterable[str] = (), *, is_behind_proxy: bool = False
    ) -> None:
        names = [name.lower().rstrip(".") for name in allowed]
        self._are_all_allowed = "*" in names or (is_behind_proxy and not names)
        self._domains = tuple(name[1:] for name in names if name.startswith("*."))
        machines = [name.lower().rstrip(".") for name in machine if name]
        own = {name.partition(".")[0] for name in machines}
        local = (f"{name}.{domain}" for name in own for domain in LOCAL_DOMAINS)
        self._names = frozenset((*names, "localhost", *machines, *own, *local))

    def allow(self, host: str) -> bool:
        """Return whether a `Host` header names this server."""
        name = name_of(host)
        if self._are_all_allowed or name in self._names or _is_address(name):
            return True
        return name.endswith((".localhost", *self._domains))


def is_from_this_machine(peer: str, headers: Mapping[str, str]) -> bool:
    """Return whether a program on this machine sent a request to it directly, not through a proxy."""
    if any(name in headers for name in FORWARDING) or not _is_loopback(peer):
        return False
    name = name_of(headers.get("Host", ""))
    return name == "localhost" or _is_loopback(name)


def name_of(host: str) -> str:
    """Return the name or address in a `Host` header, in lower case and without the port.

    >>> name_of("Play.Example.org.:8000"), name_of("[::1]:8000"), name_of("127.0.0.1")
    ('play.example.org', '::1', '127.0.0.1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower().rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(address: str) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    mapped = getattr(parsed, "ipv4_mapped", None)
    return bool((mapped or parsed).is_loopback)
