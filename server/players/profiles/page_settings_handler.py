"""The handler of an account's page settings: the look and sound of the page on every device."""

from millrace.protocol import Code, Done, GetPageSettings, SetPageSettings, YourPageSettings

from ...callers.caller import Caller, account_of
from ...callers.feature import Access, Feature, Route
from ...callers.limit import MINUTE_MS, Limit
from ...callers.limits import Limits
from ...journal.unavailable import refusing_failures
from .profile_store import ProfileStore

PAGE_SETTINGS_CHANGES = Limit(
    name="page_settings_changes",
    counts="changes of an account's page settings",
    refusal="You have changed your settings too often.",
    code=Code.RATE_LIMITED,
    window_ms=MINUTE_MS,
    account=60,
    address=600,
)


class PageSettingsHandler(Feature):
    """Stores the page's settings with the account."""

    def __init__(self, store: ProfileStore, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self.routes = (
            Route(GetPageSettings, self.get, Access.SIGNED_IN),
            Route(SetPageSettings, self.set, Access.SIGNED_IN),
        )

    async def get(self, command: GetPageSettings, caller: Caller) -> None:
        """Answer with the player's settings. Raises: Refusal."""
        owner = account_of(caller)
        with refusing_failures("settings not read", "look this up"):
            settings = await self._store.page_settings(owner.id)
        caller.send(YourPageSettings(command.id, settings))

    async def set(self, command: SetPageSettings, caller: Caller) -> None:
        """Replace the player's settings. Raises: Refusal."""
        owner = account_of(caller)
        self._limits.use(PAGE_SETTINGS_CHANGES, caller)
        with refusing_failures("settings not stored"):
            await self._store.set_page_settings(owner.id, command.settings)
        caller.send(Done(command.id))
