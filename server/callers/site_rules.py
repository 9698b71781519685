"""What admins decide about a running site: the announcement, blocked addresses, and features that are switched off.

Kept in memory, because every request and many messages ask. What is stored is the moderation log.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import NamedTuple, TypeAlias

from millrace.protocol import Announcement, Code, ModerationAction, Player, SwitchableFeature
from millrace.protocol.refusal import Refusal

from ..runtime.system_clock import NowMs

Network: TypeAlias = IPv4Network | IPv6Network

BLOCKED_TEXT = "This address is blocked. If that is a mistake, write to the operator of this site."
SITE_ACTIONS = frozenset(
    {
        *(ModerationAction.ANNOUNCE, ModerationAction.END_ANNOUNCEMENT),
        *(ModerationAction.BLOCK_ADDRESS, ModerationAction.UNBLOCK_ADDRESS),
        *(ModerationAction.SWITCH_OFF, ModerationAction.SWITCH_ON),
    }
)
"""Actions about the whole site."""
ENDED_BY = {
    ModerationAction.ANNOUNCE: ModerationAction.END_ANNOUNCEMENT,
    ModerationAction.BLOCK_ADDRESS: ModerationAction.UNBLOCK_ADDRESS,
    ModerationAction.SWITCH_OFF: ModerationAction.SWITCH_ON,
}
WIDEST = {4: 8, 6: 32}
"""Minimum length of the prefix of a blocked network, by the version of the protocol."""
MAPPED = IPv6Network("::ffff:0:0/96")
"""The IPv6 addresses that stand for IPv4 addresses."""
OWN: Sequence[Network] = [
    *map(IPv4Network, ("0.0.0.0/32", "127.0.0.0/8", "169.254.0.0/16")),
    *map(IPv6Network, ("::/127", "fe80::/10")),
]
"""Unspecified, loopback and link-local addresses: of every machine and its health probes and proxies."""
_NO_ANNOUNCEMENT = Announcement("", None)


class SiteAction(NamedTuple):
    """An action of an admin about the whole site."""

    action: ModerationAction
    subject: str
    """The network of addresses or the feature; empty for announcements."""
    reason: str
    """The text of an announcement; what players are told about a feature that is switched off."""
    until_ms: int | None


class SiteRules:
    """What is in force, as this node knows it."""

    def __init__(self, now_ms: NowMs) -> None:
        self._now_ms = now_ms
        self._announcement: SiteAction | None = None
        self._off: dict[str, SiteAction] = {}
        self._blocked: dict[Network, SiteAction] = {}
        self.at_block: Callable[[], None] = lambda: None
        """Called when an address has been blocked, to close connections that have no session yet."""

    def apply(self, site: SiteAction) -> None:
        """Apply an action that was stored. Applying it again changes nothing."""
        match site.action:
            case ModerationAction.ANNOUNCE:
                self._announcement = site
            case ModerationAction.END_ANNOUNCEMENT:
                self._announcement = None
            case ModerationAction.SWITCH_OFF:
                self._off[site.subject] = site
            case ModerationAction.SWITCH_ON:
                self._off.pop(site.subject, None)
            case ModerationAction.BLOCK_ADDRESS:
                self._blocked[ip_network(site.subject)] = site
                self.at_block()
            case ModerationAction.UNBLOCK_ADDRESS:
                self._blocked.pop(ip_network(site.subject), None)
            case _:
                pass

    @property
    def announcement(self) -> Announcement:
        """The announcement; without text if there is none."""
        shown = self._announcement
        return Announcement(shown.reason, shown.until_ms) if self._is_active(shown) and shown else _NO_ANNOUNCEMENT

    @property
    def active(self) -> tuple[SiteAction, ...]:
        """Everything in force: the announcement, the features that are switched off, and the blocked addresses."""
        found = (self._announcement, *self._off.values(), *self._blocked.values())
        return tuple(each for each in found if each is not None and self._is_active(each))

    def require_on(self, feature: SwitchableFeature, player: Player) -> None:
        """Refuse a message of a feature that is switched off for the player. Raises: Refusal."""
        if not self._off:
            return
        asked = [feature]
        if feature is SwitchableFeature.MATCHES and not player.registered:
            asked.append(SwitchableFeature.GUESTS)
        for each in asked:
            if self._is_active(found := self._off.get(each)) and found is not None:
                raise Refusal(Code.SWITCHED_OFF, "This is switched off at the moment: {reason}", reason=found.reason)

    def require_unblocked(self, address: str) -> None:
        """Refuse the client of a blocked network. Raises: Refusal."""
        if self.is_blocked(address):
            raise Refusal(Code.ADDRESS_BLOCKED, BLOCKED_TEXT)

    def is_blocked(self, address: str) -> bool:
        """Return whether the network of a client is blocked (`server.players.accounts.cookies.network_of`)."""
        if not self._blocked:
            return False
        client = _network_of(address)
        return client is not None and any(
            _contains(network, client) and self._is_active(site) for network, site in self._blocked.items()
        )

    def _is_active(self, site: SiteAction | None) -> bool:
        return site is not None and (site.until_ms is None or self._now_ms() < site.until_ms)


def subject_of(action: ModerationAction, text: str) -> str:
    """Return the subject of an action about the whole site as it is stored. Raises: Refusal.

    >>> subject_of(ModerationAction.BLOCK_ADDRESS, "2001:db8::1")
    '2001:db8::/64'
    >>> subject_of(ModerationAction.BLOCK_ADDRESS, "::ffff:192.0.2.7")
    '192.0.2.7/32'
    """
    if action in (ModerationAction.SWITCH_OFF, ModerationAction.SWITCH_ON):
        if text not in tuple(SwitchableFeature):
            names = ", ".join(SwitchableFeature)
            raise Refusal(Code.MALFORMED, "There is no such feature. Choose one of: {names}.", names=names)
        return text
    if action in (ModerationAction.BLOCK_ADDRESS, ModerationAction.UNBLOCK_ADDRESS):
        network = _parse_network(text)
        if action is ModerationAction.BLOCK_ADDRESS:
            _require_blockable(network)
        return str(network)
    return ""


def _parse_network(text: str) -> Network:
    """Return a network as clients' networks are compared with it. Raises: Refusal."""
    try:
        network = ip_network(text.strip(), strict=False)
    except ValueError:
        raise Refusal(Code.MALFORMED, "Name an address or a network, such as 192.0.2.7 or 192.0.2.0/24.") from None
    if isinstance(network, IPv6Network):
        if network.subnet_of(MAPPED):
            return IPv4Network((int(network.network_address) & 0xFFFF_FFFF, network.prefixlen - MAPPED.prefixlen))
        if network.prefixlen > 64:
            return network.supernet(new_prefix=64)
    return network


def _require_blockable(network: Network) -> None:
    """Refuse to block half the world, or what every machine uses for itself. Raises: Refusal."""
    if network.prefixlen < WIDEST[network.version] or any(network.overlaps(own) for own in OWN):
        raise Refusal(
            Code.NOT_ALLOWED,
            "This network is too large, or includes loopback or link-local addresses of the server itself.",
        )


@lru_cache(maxsize=4096)
def _network_of(address: str) -> Network | None:
    try:
        return ip_network(address)
    except ValueError:
        return None


def _contains(network: Network, client: Network) -> bool:
    if isinstance(network, IPv4Network):
        return isinstance(client, IPv4Network) and client.subnet_of(network)
    return isinstance(client, IPv6Network) and client.subnet_of(network)
