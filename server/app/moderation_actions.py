"""Builds the service for moderation actions, for the application and the command line."""

from ..moderation.actions import ModerationActions
from ..runtime.system_clock import NowMs
from .stores import Stores


def moderation_actions(stores: Stores, now_ms: NowMs) -> ModerationActions:
    """Return a service that takes moderation actions in these stores."""
    return ModerationActions(
        stores.moderation, stores.reports, stores.profiles, stores.ratings, stores.journal, stores.chat, now_ms
    )
