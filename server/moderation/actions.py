"""Moderation actions: whether one may be taken, and storing it with its log entry.

`server.moderation.enforcement` follows the log and applies actions to a running server. So an action has the same
effect whether it was taken on this server, on another one, or on the command line.
"""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from msgspec.structs import replace

from millrace.engine.games import title_of
from millrace.protocol import (
    Code,
    CommandId,
    Created,
    Ended,
    IdentityId,
    MatchId,
    ModerationAction,
    NamedPlayer,
    Player,
    Role,
    Seated,
    Voided,
)
from millrace.protocol.moderation import MOST_REASON_CHARACTERS
from millrace.protocol.refusal import Refusal

from ..archive.import_store import removing_record_step
from ..callers.credentials import new_deleted_player, new_scrubbed_identity
from ..callers.names import skeleton_of
from ..callers.restriction_store import Restriction, RestrictionKind, imposing_steps, lifting_step
from ..callers.site_rules import ENDED_BY, SITE_ACTIONS, SiteRules, subject_of
from ..callers.user_text import require_showable
from ..chat.chat_store import ChatStore, line_removing_step
from ..journal.clearing_store import import_clearing_steps
from ..journal.entries import Entry
from ..journal.journal_store import Journal, voiding_steps
from ..learning.studies.study_store import StudyStore, clearing_steps, removing_steps, text_without_comments
from ..players.accounts.account_store import role_step
from ..players.profiles.profile_store import ProfileStore, bio_clearing_step
from ..ratings.formula import rating_without
from ..ratings.rating_store import RatingStore, restoring_steps, reverting_step
from ..runtime.system_clock import NowMs
from ..storage.database import Step
from .moderation_store import ActionRecord, ActionTarget, ModerationStore
from .permissions import PLAYER_ACTIONS, Actor, check_action, check_reports_about
from .report_store import ReportStore

ATTEMPTS = 5
"""Maximum attempts to decide an action after a write conflict."""

MAX_OPEN_REPORTS = 1_000
"""Number of the latest open reports searched for those that an action settles."""

VOIDED = "a moderator has voided the match: its result does not count"
GUEST = "Guest"
"""Stands for the name of a guest of whom only a study or an import is known."""
NAME_CHOSEN = "The previous name was removed."
"""The reason in the log when a player chooses a new name."""

_ROLES = {
    ModerationAction.MAKE_ADMIN: Role.ADMIN,
    ModerationAction.MAKE_MODERATOR: Role.MODERATOR,
    ModerationAction.REMOVE_ROLE: None,
}


class ActionRequest(NamedTuple):
    """A moderator's requested action."""

    action: ModerationAction
    reason: str
    command_id: CommandId
    player: IdentityId | None = None
    match: MatchId | None = None
    line: int | None = None
    duration_ms: int | None = None
    """The length of a mute. None for a permanent one."""
    reports: tuple[str, ...] = ()
    """Open reports that the action settles."""
    study: str | None = None
    subject: str = ""
    """The network of addresses or the feature of an action about the whole site."""


class _Decision(NamedTuple):
    """The changes of an action, and its log entry."""

    changes: Sequence[Step]
    player: NamedPlayer | None
    detail: str = ""
    until_ms: int | None = None


@dataclass(eq=False)
class ModerationActions:
    """Decides and stores moderation actions."""

    _store: ModerationStore
    _reports: ReportStore
    _profiles: ProfileStore
    _ratings: RatingStore
    _journal: Journal
    _chat: ChatStore
    _studies: StudyStore
    _now_ms: NowMs

    async def perform(self, actor: Actor, request: ActionRequest) -> None:
        """Take an action, unless the same command has already taken it. Raises: Refusal, StorageError."""
        request = request._replace(reason=" ".join(request.reason.split()))
        if not request.reason:
            raise Refusal(Code.BAD_TEXT, "Please give a reason. It is kept in the log.")
        if (count := len(request.reason)) > MOST_REASON_CHARACTERS:
            raise Refusal(
                Code.BAD_TEXT,
                "This text has {count} characters; at most {most} are allowed.",
                count=count,
                most=MOST_REASON_CHARACTERS,
            )
        require_showable(request.reason)
        if not await self._record(actor, request, lambda: self._decide(actor, request)):
            raise Refusal(Code.UNAVAILABLE, "The server is too busy. Nothing was changed; please try again.")

    async def choose_name(self, identity: IdentityId, name: str, command_id: CommandId) -> None:
        """Rename an account whose name was removed, unless the same command has already done so.

        Raises: Refusal, StorageError.
        """
        target = await self._find(identity)
        request = ActionRequest(ModerationAction.CHOOSE_NAME, NAME_CHOSEN, command_id, identity)
        actor = Actor(identity, target.player.name, target.role)
        if not await self._record(actor, request, lambda: self._choose_name(identity, name)):
            raise Refusal(Code.NAME_TAKEN, "That name, or one that looks like it, is taken; please choose another.")

    async def _record(self, actor: Actor, request: ActionRequest, decide: Callable[[], Awaitable[_Decision]]) -> bool:
        """Decide and store an action. Returns False, with nothing stored, if every attempt met a conflict."""
        for _ in range(ATTEMPTS):
            if await self._store.was_recorded(actor.identity or "", request.command_id):
                return True
            try:
                decision = await decide()
            except Refusal:
                # Perhaps because the same command has just been carried out.
                if await self._store.was_recorded(actor.identity or "", request.command_id):
                    return True
                raise
            done = (request.command_id, request.action, request.reason)
            player = (None, None) if decision.player is None else (decision.player.id, decision.player.name)
            about = (*player, request.match, request.line, decision.until_ms, decision.detail, request.study)
            record = ActionRecord(self._now_ms(), actor.identity or "", actor.name, *done, *about)
            if await self._store.record(record, decision.changes, request.reports):
                return True
        return False

    async def _decide(self, actor: Actor, request: ActionRequest) -> _Decision:
        action = request.action
        await self._find_open_reports(actor, request)
        if action in PLAYER_ACTIONS:
            target = await self._find(request.player)
            check_action(actor, action, target)
            return await self._decide_for_player(target, request)
        if action is ModerationAction.REMOVE_LINE:
            return await self._remove_line(actor, request)
        if action in (ModerationAction.REMOVE_STUDY, ModerationAction.CLEAR_STUDY):
            return await self._change_study(actor, request)
        if action is ModerationAction.CLEAR_IMPORT:
            return await self._clear_import(actor, request)
        check_action(actor, action, None)
        if action in SITE_ACTIONS:
            return await self._control_site(request)
        decide = self._void_match if action is ModerationAction.VOID else self._settle_reports
        return await decide(actor, request)

    async def _find(self, identity: IdentityId | None) -> ActionTarget:
        target = None if identity is None else await self._store.find(identity)
        if target is None:
            raise Refusal(Code.UNKNOWN_PLAYER, "There is no such player.")
        return target

    # Actions against a player

    async def _decide_for_player(self, target: ActionTarget, request: ActionRequest) -> _Decision:  # noqa: PLR0911
        match request.action:
            case ModerationAction.MUTE:
                return self._mute(target, request)
            case ModerationAction.UNMUTE:
                return _lift(target, RestrictionKind.MUTE, f"{target.player.name} is not muted.")
            case ModerationAction.BAN:
                return _ban(target, request)
            case ModerationAction.UNBAN:
                return _lift(target, RestrictionKind.BAN, f"{target.player.name} is not banned.")
            case ModerationAction.CLEAR_BIO:
                return await self._clear_bio(target)
            case ModerationAction.REMOVE_NAME:
                return await self._remove_name(target)
            case ModerationAction.EXPORT_ACCOUNT:
                return _Decision((), _named(target))
            case ModerationAction.DELETE_ACCOUNT:
                return await self._delete_account(target)
            case _:
                return _change_role(target, _ROLES[request.action])

    def _mute(self, target: ActionTarget, request: ActionRequest) -> _Decision:
        until_ms = self._end_of(request)
        steps = imposing_steps(target.player.id, RestrictionKind.MUTE, Restriction(request.reason, until_ms))
        return _Decision(steps, _named(target), until_ms=until_ms)

    def _end_of(self, request: ActionRequest) -> int | None:
        return None if request.duration_ms is None else self._now_ms() + request.duration_ms

    async def _delete_account(self, target: ActionTarget) -> _Decision:
        """Delete an account. The log keeps who stands in its place, but not its name."""
        replacement = new_deleted_player()
        given = (target.player.id, replacement, new_scrubbed_identity(), self._now_ms())
        steps = await self._store.deletion_steps(*given)
        return _Decision(steps, NamedPlayer(target.player.id, replacement.name), replacement.id)

    async def _clear_bio(self, target: ActionTarget) -> _Decision:
        bio = (await self._profiles.find(target.player.id)).bio
        if not bio:
            raise Refusal(Code.NOTHING_TO_DO, "The profile of {name} has no text.", name=target.player.name)
        return _Decision([bio_clearing_step(target.player.id)], _named(target), bio)

    async def _remove_name(self, target: ActionTarget) -> _Decision:
        before = target.player
        renamed = replace(before, name=f"Player{secrets.randbelow(900_000) + 100_000}")
        reserved = IdentityId(f"removed-{secrets.token_hex(12)}")
        steps = await self._store.rename_steps(renamed, skeleton_of(before.name), self._now_ms(), reserved)
        return _Decision(steps, _named(target), renamed.name)

    async def _choose_name(self, identity: IdentityId, name: str) -> _Decision:
        target = await self._find(identity)
        if identity not in await self._store.removed_names():
            raise Refusal(Code.NOTHING_TO_DO, "You can choose a new name only once, after moderators removed yours.")
        before = target.player
        steps = await self._store.rename_steps(replace(before, name=name), skeleton_of(before.name), self._now_ms())
        return _Decision(steps, _named(target), name)

    # Actions about the whole site

    async def _control_site(self, request: ActionRequest) -> _Decision:
        rules = SiteRules(self._now_ms)
        for each in await self._store.site_actions():
            rules.apply(each)
        subject = subject_of(request.action, request.subject)
        ended = next((action for action, end in ENDED_BY.items() if end is request.action), None)
        if ended is not None and (ended, subject) not in {(each.action, each.subject) for each in rules.active}:
            raise Refusal(Code.NOTHING_TO_DO, "This is not in force.")
        return _Decision((), None, subject, self._end_of(request))

    # Actions against lines and matches

    async def _remove_line(self, actor: Actor, request: ActionRequest) -> _Decision:
        if request.match is None or request.line is None:
            raise Refusal(Code.UNKNOWN_LINE, "Please name the match and the line.")
        found = await self._chat.lines_around(request.match, request.line, 0)
        if not found:
            raise Refusal(Code.UNKNOWN_LINE, "There is no such line.")
        (line,) = found
        check_action(actor, request.action, await self._store.find(line.player.id) or ActionTarget(line.player))
        if not line.text:
            raise Refusal(Code.NOTHING_TO_DO, "That line has been removed already.")
        removing = line_removing_step(request.match, line.number)
        return _Decision([removing], NamedPlayer(line.player.id, line.player.name), line.text)

    async def _change_study(self, actor: Actor, request: ActionRequest) -> _Decision:
        study = None if request.study is None else await self._studies.find(request.study)
        if study is None:
            raise Refusal(Code.UNKNOWN_STUDY, "There is no such study.")
        owner = await self._author(study.identity)
        check_action(actor, request.action, owner)
        removed = "\n".join(filter(None, (study.title, study.name, study.text)))
        if request.action is ModerationAction.REMOVE_STUDY:
            return _Decision(removing_steps(study), _named(owner), removed)
        cleared = study._replace(title="", name="", text=text_without_comments(study.text))
        if cleared == study:
            raise Refusal(Code.NOTHING_TO_DO, "That study has neither a title nor comments.")
        return _Decision(clearing_steps(study, cleared), _named(owner), removed)

    async def _clear_import(self, actor: Actor, request: ActionRequest) -> _Decision:
        recorded = [] if request.match is None else await self._journal.load(request.match)
        created = recorded[0].entry.event if recorded else None
        if request.match is None or not isinstance(created, Created) or not created.imported:
            raise Refusal(Code.UNKNOWN_MATCH, "There is no such imported match.")
        importer = await self._author(await self._journal.importer_of(request.match))
        check_action(actor, request.action, importer)
        names = ", ".join(each.entry.event.player.name for each in recorded if isinstance(each.entry.event, Seated))
        clearing = import_clearing_steps(request.match, recorded)
        if not clearing:
            raise Refusal(Code.NOTHING_TO_DO, "The names and comments of that match have been removed already.")
        return _Decision([*clearing, removing_record_step(request.match)], _named(importer), names)

    async def _author(self, identity: IdentityId) -> ActionTarget:
        """Return who has saved or imported something, who may be a guest. Raises: StorageError."""
        return await self._store.find(identity) or ActionTarget(Player(identity, GUEST))

    async def _void_match(self, actor: Actor, request: ActionRequest) -> _Decision:
        recorded = [] if request.match is None else await self._journal.load(request.match)
        events = [each.entry.event for each in recorded]
        if request.match is None or not events:
            raise Refusal(Code.UNKNOWN_MATCH, "There is no such match.")
        if any(isinstance(event, Voided) for event in events):
            raise Refusal(Code.NOTHING_TO_DO, "That match has been voided already.")
        if not any(isinstance(event, Ended) for event in events):
            raise Refusal(Code.NOT_OVER, "That match is still being played; you can void it when it is over.")
        players = {event.seat: event.player for event in events if isinstance(event, Seated)}
        if any(player.id == actor.identity for player in players.values()):
            raise Refusal(Code.NOT_ALLOWED, "You played in that match; please ask another moderator.")
        created = events[0]
        assert isinstance(created, Created)
        entry = Entry(Voided(VOIDED), self._now_ms())
        voiding = [*voiding_steps(request.match, recorded[-1].seq + 1, entry), reverting_step(request.match)]
        about = f"{title_of(created.game)}: {', '.join(players[seat].name for seat in sorted(players))}"
        return _Decision([*voiding, *await self._restoring_steps(request.match)], None, about)

    async def _restoring_steps(self, match: MatchId) -> list[Step]:
        """Return the steps that undo the changes of ratings by a match. Raises: StorageError."""
        steps: list[Step] = []
        for change in await self._ratings.changes_of(match):
            stored = await self._ratings.ratings_of(change.kind, [change.identity])
            current = stored.get(change.identity)
            if current is not None:
                steps += restoring_steps(change, current, rating_without(current, change.before, change.after))
        return steps

    # Reports

    async def _settle_reports(self, actor: Actor, request: ActionRequest) -> _Decision:
        """Settle reports about one player without any other change."""
        assert request.action in (ModerationAction.UPHOLD, ModerationAction.DISMISS)
        target = await self._find(request.player)
        check_reports_about(actor, target.player.id)
        if not await self._find_open_reports(actor, request):
            raise Refusal(Code.NOTHING_TO_DO, "These reports have been settled already.")
        return _Decision((), _named(target))

    async def _find_open_reports(self, actor: Actor, request: ActionRequest) -> bool:
        """Return whether any report of a request is open. Raises: Refusal if another moderator has taken one."""
        if not request.reports:
            return False
        open_reports = await self._reports.open(MAX_OPEN_REPORTS, MAX_OPEN_REPORTS)
        wanted = [each for each in open_reports if each.report.id in request.reports]
        for taken_by in (each.taken_by for each in wanted):
            if taken_by is not None and taken_by.id != actor.identity:
                raise Refusal(Code.REPORTS_TAKEN, "{name} is handling these reports.", name=taken_by.name)
        return bool(wanted)


def _named(target: ActionTarget) -> NamedPlayer:
    return NamedPlayer(target.player.id, target.player.name)


def _ban(target: ActionTarget, request: ActionRequest) -> _Decision:
    if RestrictionKind.BAN in target.restrictions:
        raise Refusal(Code.NOTHING_TO_DO, "{name} is banned already.", name=target.player.name)
    steps = imposing_steps(target.player.id, RestrictionKind.BAN, Restriction(request.reason))
    return _Decision(steps, _named(target))


def _lift(target: ActionTarget, kind: RestrictionKind, explanation: str) -> _Decision:
    if kind not in target.restrictions:
        raise Refusal(Code.NOTHING_TO_DO, explanation)
    return _Decision([lifting_step(target.player.id, kind)], _named(target))


def _change_role(target: ActionTarget, role: Role | None) -> _Decision:
    if target.role is role:
        state = "has no role" if role is None else f"is {'an' if role is Role.ADMIN else 'a'} {role} already"
        raise Refusal(Code.NOTHING_TO_DO, f"{target.player.name} {state}.")
    return _Decision([role_step(target.player.id, target.role, role)], _named(target))
