"""The services that the features of a server share."""

from ..archive.downloads import Downloads
from ..bots.background_process import BackgroundProcess
from ..bots.requests import Bots
from ..callers.answers import Answers
from ..callers.limits import Limits
from ..callers.presence import Presence
from ..callers.restrictions import Restrictions
from ..callers.site_rules import SiteRules
from ..cluster.bus import Bus
from ..cluster.membership import Membership
from ..notifications.inbox import Inbox
from ..notifications.match_notifier import InboxNotifier
from ..notifications.preferences import NotificationPreferences
from ..notifications.push.sender import PushSender
from ..players.accounts.authentication import Authenticator
from ..players.accounts.known_places import KnownPlaces
from ..players.profiles.blocks import Blocks
from ..players.profiles.directory import Visibility
from ..players.profiles.follows import Follows
from ..ratings.ratings import Ratings
from ..rooms.rooms import Rooms
from ..runtime.settings import Settings
from ..runtime.system_clock import NowMs
from .stores import Stores


class Services:
    """Services shared by the features."""

    def __init__(
        self,
        settings: Settings,
        stores: Stores,
        bots: Bots,
        now_ms: NowMs,
        limits: Limits,
        bus: Bus,
        membership: Membership,
    ) -> None:
        self.settings, self.stores, self.bots, self.now_ms = settings, stores, bots, now_ms
        self.limits, self.bus, self.membership = limits, bus, membership
        self.background, self.downloads = BackgroundProcess(), Downloads(limits)
        self.presence = presence = Presence(bus)
        self.answers = Answers(stores.answers, now_ms)
        self.restrictions = Restrictions(now_ms)
        self.site_rules = SiteRules(now_ms)
        self.places = KnownPlaces(bus)
        self.authenticator = Authenticator(stores.accounts, now_ms, self.places)
        self.ratings = Ratings(stores.ratings, bus, now_ms)
        self.blocks, self.follows, self.visibility = (
            Blocks(stores.blocks, bus),
            Follows(stores.profiles, bus),
            Visibility(),
        )
        self.notification_preferences = NotificationPreferences(stores.notifications, bus)
        self.push_sender = PushSender(stores.push, presence, membership.lease("push"), now_ms)
        self.inbox = Inbox(
            stores.notifications, self.notification_preferences, presence, bus, now_ms, self.push_sender.wake
        )
        self.notifier = InboxNotifier(self.inbox, presence, self.visibility, self.follows, self.blocks)
        self.rooms = Rooms(
            stores.journal,
            stores.plans,
            bots,
            self.ratings,
            self.notifier,
            bus,
            membership,
            now_ms,
            settings.patience,
            settings.bot_pace_seconds,
        )
