"""What is stored about the owner of an account, as one document: for the owner, and for operators who are asked for it.

Secrets are left out: hashes of passwords and tokens, keys of push messages, and what others have stored about the
player, such as who blocks or reports them.
"""

import re
import secrets
from collections.abc import AsyncGenerator, Mapping
from http import HTTPStatus
from typing import NamedTuple

import msgspec

from millrace.protocol import Code, CommandId, IdentityId, ModerationAction, Player
from millrace.protocol.refusal import Refusal

from ..archive.downloads import TOO_MANY, Downloads
from ..archive.exports import written
from ..archive.forms import FORMS
from ..callers.feature import Feature
from ..callers.names import skeleton_of
from ..callers.resources import ResourceRequest, ResourceResponse, SenderOf, StreamedResponse, error_response
from ..journal.unavailable import refusing_failures
from ..moderation.actions import ActionRequest, ModerationActions
from ..moderation.permissions import Actor, require_admin
from ..runtime.slices import in_slices
from .stores import Stores

DOWNLOADED = "Downloaded from the page."
"""The reason in the log when an admin downloads a player's data there."""
_STATUSES = {Code.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE, Code.UNKNOWN_PLAYER: HTTPStatus.NOT_FOUND}


class Personal(NamedTuple):
    """A table with rows about players."""

    identity: str = "identity"
    """The column that names the player."""
    left_out: tuple[str, ...] = ()
    """Columns that are secret, or about others."""


PERSONAL: Mapping[str, Personal] = {
    "accounts": Personal("id", ("password_hash", "skeleton")),
    "email_addresses": Personal(),
    "mails": Personal(),
    "grants": Personal(left_out=("credential",)),
    "profiles": Personal(),
    "follows": Personal("by"),
    "blocks": Personal("by"),
    "mutes": Personal("by"),
    "restrictions": Personal(),
    "moderation_log": Personal("player", ("by", "by_name", "command_id")),
    "reports": Personal("reporter", ("taken_by",)),
    "notifications": Personal(),
    "push_subscriptions": Personal(left_out=("credential", "key", "secret")),
    "chat_lines": Personal(),
    "ratings": Personal(),
    "rating_history": Personal(),
    "puzzle_solvers": Personal(),
    "puzzle_attempts": Personal(),
    "ending_trainees": Personal(),
    "storms": Personal(),
    "racers": Personal(),
    "mistakes": Personal(),
    "studies": Personal(),
    "study_editors": Personal(),
    "searches": Personal(),
    "pairings": Personal(),
    "match_players": Personal(),
    "tournaments": Personal("by"),
    "tournament_players": Personal(),
    "ladder_players": Personal(),
    "vacations": Personal(),
}
"""The tables of which an owner gets the rows."""

NOT_INCLUDED = {
    "answers": "copies of what the other tables hold, sealed",
}
"""Further tables with identities, and why they are left out."""


async def account_document(stores: Stores, identity: IdentityId) -> AsyncGenerator[bytes, None]:
    """Yield the parts of a JSON document: the rows of each table, then the matches. Raises: StorageError."""
    begin = b'{"%b":['
    for table, personal in PERSONAL.items():
        yield begin % table.encode()
        separator = b""
        async for rows in stores.overview.rows_about(table, personal.identity, identity, personal.left_out):
            yield separator + b",".join([msgspec.json.encode(row) async for row in in_slices(rows)])
            separator = b","
        begin = b'],\n"%b":['
    yield begin % b"matches"
    separator = b""
    async for match, recorded in stores.archive.load_each(await stores.journal.matches_of(identity)):
        record = await stores.archive.record(match, recorded)
        yield separator + await written(record, FORMS["json"], "")
        separator = b","
    yield b"]}\n"


class AccountDataHandler(Feature):
    """Serves the download of an account's data, for its owner and for admins, who name a `player`."""

    def __init__(self, stores: Stores, owner_of: SenderOf, downloads: Downloads, actions: ModerationActions) -> None:
        """`owner_of` refuses a request from someone who is not signed in."""
        self._stores = stores
        self._owner_of = owner_of
        self._downloads = downloads
        self._actions = actions
        self.resources = ((re.compile("/account/data[.]json"), self.own),)

    async def own(self, asked: ResourceRequest) -> ResourceResponse | StreamedResponse:
        """Answer with the data of the caller, or of the player that an admin names."""
        try:
            owner = await self._owner_of(asked.headers)
            name = asked.query.get("player")
            identity = owner.id if name is None else await self._player_of(owner, name)
        except Refusal as refusal:
            return error_response(_STATUSES.get(refusal.code, HTTPStatus.FORBIDDEN), refusal.message)
        hold = self._downloads.begin(asked.address, owner.id)
        if hold is None:
            return TOO_MANY
        headers = {
            "Content-Disposition": 'attachment; filename="millrace-account.json"',
            "Cache-Control": "private, no-store",
        }
        parts = self._downloads.in_turns(account_document(self._stores, identity), asked.address, owner.id)
        return StreamedResponse(parts, "application/json", headers, hold.release)

    async def _player_of(self, admin: Player, name: str) -> IdentityId:
        """Return the player that an admin asks about, and note it in the log. Raises: Refusal."""
        with refusing_failures("account not exported", "read this"):
            account = await self._stores.accounts.find_named(skeleton_of(name))
            actor = Actor(admin.id, admin.name, await self._stores.accounts.role_of(admin.id))
            require_admin(actor.role)
            if account is None:
                raise Refusal(Code.UNKNOWN_PLAYER, "There is no player called {name}.", name=name)
            command_id = CommandId(secrets.token_urlsafe(12))
            request = ActionRequest(ModerationAction.EXPORT_ACCOUNT, DOWNLOADED, command_id, account.id)
            await self._actions.perform(actor, request)
        return account.id
