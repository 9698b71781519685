"""Builds the limits of a server from its settings."""

from ..callers.limits import Limits
from ..runtime.security_log import SecurityLog
from ..runtime.settings import Settings
from ..runtime.system_clock import NowMs


def limits_of(settings: Settings, now_ms: NowMs) -> Limits:
    """Return the limits of a server."""
    security_log = SecurityLog(now_ms, settings.security_log)
    return Limits(now_ms, security_log, settings.limits, settings.address_factor)
