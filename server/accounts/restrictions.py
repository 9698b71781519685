"""How everybody stands: roles, mutes, closures and names that were removed, held in memory, since they are asked for at
every line of talk.

Not what is stored, which is read once and followed by the log (`server.moderation.enforcement`).
"""

from ..protocol import Code, Deed, IdentityId, Role, Standing
from ..protocol.refusal import Refusal
from ..system_clock import NowMs
from .restriction_store import ActionRecord, Restriction, RestrictionKind, RestrictionStore
from .restriction_texts import closed_words, muted_words

_ROLES = {Deed.MAKE_ADMIN: Role.ADMIN, Deed.MAKE_MODERATOR: Role.MODERATOR}


class Standings:
    """Roles and measures."""

    def __init__(self, store: RestrictionStore, now_ms: NowMs) -> None:
        self._store = store
        self._now_ms = now_ms
        self._roles: dict[IdentityId, Role] = {}
        self._measures: dict[tuple[IdentityId, RestrictionKind], Restriction] = {}
        self._nameless: set[IdentityId] = set()
        """Whose name was removed, and who have not chosen another."""

    async def load(self) -> None:
        """Read what is stored. Raises: StorageError."""
        self._roles = dict(await self._store.roles())
        self._measures = {(each.identity, each.kind): each.measure for each in await self._store.measures()}
        self._nameless = set(await self._store.nameless())

    def role_of(self, identity: IdentityId) -> Role | None:
        """Return what somebody may do beyond what everybody may."""
        return self._roles.get(identity)

    def mute_of(self, identity: IdentityId) -> Restriction | None:
        """Return why somebody may not talk, or None if that is allowed."""
        mute = self._measures.get((identity, RestrictionKind.MUTE))
        return mute if mute is not None and mute.holds(self._now_ms()) else None

    def closure_of(self, identity: IdentityId) -> Restriction | None:
        """Return why somebody's account is closed, or None if it is open."""
        return self._measures.get((identity, RestrictionKind.CLOSURE))

    def require_voice(self, identity: IdentityId) -> None:
        """Let somebody talk. Raises: Refusal."""
        mute = self.mute_of(identity)
        if mute is not None:
            raise Refusal(Code.MUTED, muted_words(mute))

    def require_open(self, identity: IdentityId) -> None:
        """Let somebody into the account. Raises: Refusal."""
        closure = self.closure_of(identity)
        if closure is not None:
            raise Refusal(Code.CLOSED, closed_words(closure))

    def standing_of(self, identity: IdentityId) -> Standing:
        """Return what somebody is told of it."""
        mute = self.mute_of(identity)
        words, until_ms = ("", None) if mute is None else (muted_words(mute), mute.until_ms)
        return Standing(self.role_of(identity), words, until_ms, identity in self._nameless)

    def follow(self, record: ActionRecord) -> None:
        """Take in what was done."""
        if record.player is None:
            return
        identity, deed = record.player.id, record.deed
        match deed:
            case Deed.MAKE_ADMIN | Deed.MAKE_MODERATOR:
                self._roles[identity] = _ROLES[deed]
            case Deed.TAKE_ROLE:
                self._roles.pop(identity, None)
            case Deed.MUTE:
                self._measures[identity, RestrictionKind.MUTE] = Restriction(record.reason, record.until_ms)
            case Deed.CLOSE:
                self._measures[identity, RestrictionKind.CLOSURE] = Restriction(record.reason)
            case Deed.UNMUTE:
                self._measures.pop((identity, RestrictionKind.MUTE), None)
            case Deed.REMOVE_NAME:
                self._nameless.add(identity)
            case Deed.CHOOSE_NAME:
                self._nameless.discard(identity)
            case Deed.REOPEN:
                self._measures.pop((identity, RestrictionKind.CLOSURE), None)
            case _:
                pass

    def forget(self, identity: IdentityId) -> None:
        """Forget somebody who is no more."""
        self._roles.pop(identity, None)
        self._nameless.discard(identity)
        for kind in RestrictionKind:
            self._measures.pop((identity, kind), None)
