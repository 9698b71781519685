"""The services that every session uses."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from millrace.protocol import Message

from ..callers.caller import Authentication, ConnectionInfo
from ..callers.feature import Feature, Routes
from ..callers.limits import Limits
from ..callers.presence import Presence
from ..callers.site_rules import SiteRules
from ..runtime.system_clock import NowMs


@dataclass(frozen=True, slots=True)
class SessionServices:
    """The services used by every session."""

    authenticate: Callable[[str, ConnectionInfo], Awaitable[Authentication]]
    """Returns the player who says `Hello` with a token. Raises: Refusal."""
    features: Sequence[Feature]
    routes: Routes
    presence: Presence
    now_ms: NowMs
    limits: Limits
    is_behind_proxy: bool
    site_rules: SiteRules
    answered: set[type[Message]] = field(default_factory=set)
    """The kinds of messages answered since the start. The first answer of a kind loads what it needs, which takes time
    that is not its caller's."""
