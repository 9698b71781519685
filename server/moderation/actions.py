"""What moderators do: whether it may be done, and how it is stored together with its entry in the log.

What follows from it in a running server is in `server.moderation.enforcement`, which learns of it from the log: so a
deed is the same whoever does it, and where.
"""

import secrets
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from msgspec.structs import replace

from ..accounts.restriction_store import ActionRecord, Restriction, RestrictionKind
from ..accounts.restriction_texts import NAME_CHOSEN, VOIDED
from ..identity.names import skeleton_of
from ..identity.user_text import require_showable
from ..journal.store import Entry, Journal
from ..profiles.store import ProfileStore
from ..protocol import (
    Code,
    CommandId,
    Created,
    Deed,
    Ended,
    IdentityId,
    MatchId,
    Named,
    Role,
    Seated,
    Voided,
)
from ..protocol.refusal import Refusal
from ..ratings.store import RatingStore
from ..ratings.voiding import rating_without
from ..system_clock import NowMs
from .permissions import PERSON_DEEDS, Actor, check_deed, check_reports_about
from .store import (
    Change,
    ClearBio,
    GiveRole,
    Impose,
    Known,
    Lift,
    OrderStore,
    RemoveLine,
    Rename,
    ReportStore,
    Restored,
    VoidMatch,
)

ATTEMPTS = 5
"""So many times something is decided anew after another was quicker."""

MOST_OPEN = 1_000
"""So many of the latest open reports are looked through for those that an order is to settle."""

_MEASURES = {
    Deed.MUTE: RestrictionKind.MUTE,
    Deed.UNMUTE: RestrictionKind.MUTE,
    Deed.CLOSE: RestrictionKind.CLOSURE,
    Deed.REOPEN: RestrictionKind.CLOSURE,
}
_ROLES = {Deed.MAKE_ADMIN: Role.ADMIN, Deed.MAKE_MODERATOR: Role.MODERATOR, Deed.TAKE_ROLE: None}


class Order(NamedTuple):
    """What is to be done."""

    deed: Deed
    reason: str
    command_id: CommandId
    player: IdentityId | None = None
    match: MatchId | None = None
    line: int | None = None
    for_ms: int | None = None
    """How long a mute lasts; None for good."""
    reports: tuple[str, ...] = ()
    """That are settled by it."""


class _Decided(NamedTuple):
    """What an order comes to, for the log and for the rest of what is stored."""

    change: Change | None
    player: Named | None
    detail: str = ""
    until_ms: int | None = None


class Moderation:
    """Does what moderators order."""

    def __init__(
        self,
        order: OrderStore,
        reports: ReportStore,
        people: ProfileStore,
        ratings: RatingStore,
        journal: Journal,
        now_ms: NowMs,
    ) -> None:
        self._order = order
        self._reports = reports
        self._people = people
        self._ratings = ratings
        self._journal = journal
        self._now_ms = now_ms

    async def carry_out(self, actor: Actor, order: Order) -> None:
        """Do something, unless the same command has done it before. Raises: Refusal, StorageError."""
        order = order._replace(reason=" ".join(order.reason.split()))
        if not order.reason:
            raise Refusal(Code.BAD_LINE, "Please give a reason: it is kept in the log.")
        require_showable(order.reason)
        if not await self._do(actor, order, lambda: self._decide(actor, order)):
            raise Refusal(Code.UNAVAILABLE, "Too much is done here at once; nothing was done, please try again.")

    async def choose_name(self, identity: IdentityId, name: str, command_id: CommandId) -> None:
        """Give an account another name in place of the neutral one that moderators gave it, unless the same command
        has done it before. Raises: Refusal, StorageError.
        """
        known = await self._find(identity)
        order = Order(Deed.CHOOSE_NAME, NAME_CHOSEN, command_id, identity)
        actor = Actor(identity, known.player.name, known.role)
        if not await self._do(actor, order, lambda: self._decide_choice(identity, name)):
            words = "That name, or one that looks like it, is taken; please choose another."
            raise Refusal(Code.NAME_TAKEN, words)

    async def _do(self, actor: Actor, order: Order, decide: Callable[[], Awaitable["_Decided"]]) -> bool:
        """Store what is decided; False, with nothing stored, if something was always in its way."""
        for _ in range(ATTEMPTS):
            if await self._order.was_recorded(actor.identity, order.command_id):
                return True
            decided = await decide()
            record = ActionRecord(
                self._now_ms(),
                actor.identity,
                actor.name,
                order.command_id,
                order.deed,
                order.reason,
                decided.player,
                order.match,
                order.line,
                decided.until_ms,
                decided.detail,
            )
            if await self._order.record(record, decided.change, order.reports):
                return True
        return False

    async def _decide(self, actor: Actor, order: Order) -> _Decided:
        deed = order.deed
        await self._open_reports(actor, order)
        if deed in PERSON_DEEDS:
            known = await self._find(order.player)
            check_deed(actor, deed, known)
            return await self._decide_upon(known, order)
        if deed is Deed.REMOVE_LINE:
            return await self._decide_line(actor, order)
        check_deed(actor, deed, None)
        if deed is Deed.VOID:
            return await self._decide_void(actor, order)
        return await self._decide_reports(actor, order)

    async def _find(self, identity: IdentityId | None) -> Known:
        known = None if identity is None else await self._order.find(identity)
        if known is None:
            raise Refusal(Code.UNKNOWN_PLAYER, "There is no such player here.")
        return known

    # Upon somebody

    async def _decide_upon(self, known: Known, order: Order) -> _Decided:
        player, deed = known.player, order.deed
        named = Named(player.id, player.name)
        match deed:
            case Deed.MAKE_ADMIN | Deed.MAKE_MODERATOR | Deed.TAKE_ROLE:
                return _Decided(_role_change(known, _ROLES[deed]), named)
            case Deed.MUTE:
                until_ms = None if order.for_ms is None else self._now_ms() + order.for_ms
                return _Decided(
                    Impose(player.id, _MEASURES[deed], Restriction(order.reason, until_ms)), named, "", until_ms
                )
            case Deed.CLOSE:
                return _Decided(self._imposed(known, order), named)
            case Deed.UNMUTE | Deed.REOPEN:
                return _Decided(_lifted(known, _MEASURES[deed]), named)
            case Deed.CLEAR_BIO:
                bio = (await self._people.find(player.id)).bio
                if not bio:
                    raise Refusal(Code.NOTHING_TO_DO, f"{player.name} has written nothing of themselves.")
                return _Decided(ClearBio(player.id), named, bio)
            case _:
                assert deed is Deed.REMOVE_NAME
                name = f"Player{secrets.randbelow(900_000) + 100_000}"
                reserved = IdentityId(f"removed-{secrets.token_hex(12)}")
                change = Rename(replace(player, name=name), skeleton_of(name), skeleton_of(player.name), reserved)
                return _Decided(change, named, name)

    def _imposed(self, known: Known, order: Order) -> Impose:
        if RestrictionKind.CLOSURE in known.measures:
            raise Refusal(Code.NOTHING_TO_DO, f"The account of {known.player.name} is closed already.")
        return Impose(known.player.id, RestrictionKind.CLOSURE, Restriction(order.reason))

    async def _decide_choice(self, identity: IdentityId, name: str) -> _Decided:
        known = await self._find(identity)
        if identity not in await self._order.nameless():
            raise Refusal(Code.NOTHING_TO_DO, "Only who has lost a name chooses another, and once.")
        before = known.player
        renamed = replace(before, name=name)
        change = Rename(renamed, skeleton_of(name), skeleton_of(before.name), None)
        return _Decided(change, Named(identity, before.name), name)

    # Lines

    async def _decide_line(self, actor: Actor, order: Order) -> _Decided:
        if order.match is None or order.line is None:
            raise Refusal(Code.UNKNOWN_LINE, "There is no such line.")
        found = await self._order.lines_around(order.match, order.line, 0)
        if not found:
            raise Refusal(Code.UNKNOWN_LINE, "There is no such line.")
        (line,) = found
        check_deed(actor, order.deed, await self._order.find(line.player.id) or Known(line.player))
        if not line.text:
            raise Refusal(Code.NOTHING_TO_DO, "That line has been removed already.")
        named = Named(line.player.id, line.player.name)
        return _Decided(RemoveLine(order.match, line.number), named, line.text)

    # Matches

    async def _decide_void(self, actor: Actor, order: Order) -> _Decided:
        if order.match is None:
            raise Refusal(Code.UNKNOWN_MATCH, "There is no such match.")
        recorded = await self._journal.load(order.match)
        events = [each.entry.event for each in recorded]
        if not events:
            raise Refusal(Code.UNKNOWN_MATCH, "There is no such match.")
        if any(isinstance(event, Voided) for event in events):
            raise Refusal(Code.NOTHING_TO_DO, "That match has been voided already.")
        if not any(isinstance(event, Ended) for event in events):
            raise Refusal(Code.NOT_OVER, "That match is still being played; it can be voided when it is over.")
        players = {event.seat: event.player for event in events if isinstance(event, Seated)}
        if any(player.id == actor.identity for player in players.values()):
            raise Refusal(Code.NOT_ALLOWED, "You have played in that match; please ask another moderator.")
        created = events[0]
        assert isinstance(created, Created)
        seq = recorded[-1].seq + 1
        change = VoidMatch(order.match, seq, Entry(Voided(VOIDED), self._now_ms()), await self._restored(order.match))
        names = ", ".join(players[seat].name for seat in sorted(players))
        return _Decided(change, None, f"{created.game}: {names}")

    async def _restored(self, match: MatchId) -> tuple[Restored, ...]:
        """Return what the ratings become without what a match has changed."""
        restored = []
        for change in await self._ratings.changes_of(match):
            stored = await self._ratings.ratings_of(change.kind, [change.identity])
            current = stored.get(change.identity)
            if current is not None:
                without = rating_without(current, change.before, change.after)
                restored.append(Restored(change, current, without))
        return tuple(restored)

    # Reports

    async def _decide_reports(self, actor: Actor, order: Order) -> _Decided:
        """Settle reports without doing anything else; they are about one player."""
        assert order.deed in (Deed.UPHOLD, Deed.DISMISS)
        known = await self._find(order.player)
        check_reports_about(actor, known.player.id)
        if not await self._open_reports(actor, order):
            raise Refusal(Code.NOTHING_TO_DO, "These reports have been settled already.")
        return _Decided(None, Named(known.player.id, known.player.name))

    async def _open_reports(self, actor: Actor, order: Order) -> bool:
        """Return whether any of the reports of an order is open. Raises: Refusal if another sees to it."""
        if not order.reports:
            return False
        entries = [entry for entry in await self._reports.open(MOST_OPEN) if entry.report.id in order.reports]
        for taker in (entry.taken_by for entry in entries):
            if taker is not None and taker.id != actor.identity:
                raise Refusal(Code.REPORTS_TAKEN, f"{taker.name} sees to these reports.")
        return bool(entries)


def _role_change(known: Known, role: Role | None) -> GiveRole:
    if known.role is role:
        words = "has no role" if role is None else f"is {'an' if role is Role.ADMIN else 'a'} {role} already"
        raise Refusal(Code.NOTHING_TO_DO, f"{known.player.name} {words}.")
    return GiveRole(known.player.id, known.role, role)


def _lifted(known: Known, kind: RestrictionKind) -> Lift:
    if kind not in known.measures:
        words = "is not muted" if kind is RestrictionKind.MUTE else "has an account that is open"
        raise Refusal(Code.NOTHING_TO_DO, f"{known.player.name} {words}.")
    return Lift(known.player.id, kind)
