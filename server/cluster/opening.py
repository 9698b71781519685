"""Opens the bus that a setting names."""

from ..runtime.installation import install_command
from .bus import Bus, LocalBus
from .redis_address import BusAddressError, parse_address


def open_bus(address: str | None, node: str | None = None) -> Bus:
    """Return the bus at an address, or one for a server that runs alone. Raises: BusAddressError.

    `redis://[user:password@]host[:port][/number][?prefix=name]`; `rediss://` is encrypted. Without an id, the node gets
    a random one. Nothing connects before `run`.
    """
    if address is None:
        return LocalBus(node)
    parsed = parse_address(address)
    try:
        from .redis_bus import RedisBus  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        raise BusAddressError(f"A bus needs more packages: {install_command('cluster')} ({error})") from error
    return RedisBus(parsed, node)
