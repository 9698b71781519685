"""The desk for talk: who hears what beside a match, and what may be said there.

Store, then tell, as with moves. What may be said is judged in `server.chat.limits`. Imported by `server.door.session`
and `server.house`.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

import structlog
from msgspec.structs import replace

from server.bus import Bus
from server.chat.limits import ACCOUNT, GUEST, REPORT_WINDOW_MS, REPORTS, Recent, judge, tidy
from server.chat.store import ChatStore, ReportEntry
from server.door.wire import WireFrame, frame_of
from server.journal import StorageError
from server.matches.match import Match, Phase
from server.protocol import (
    Chat,
    ChatCommand,
    ChatLine,
    Code,
    Done,
    IdentityId,
    MatchId,
    Mute,
    Player,
    Report,
    Said,
    Say,
    TalkRoom,
    WatchChat,
)
from server.refusal import Refusal
from server.rooms.rooms import LIVE_TOPIC, Rooms
from server.timekeeper import NowMs

log = structlog.get_logger()

SHOWN_LINES = 100
"""So many of the latest lines are told to one who comes."""

FOLLOWED_CHATS = 64
"""So many chats a connection may follow at once."""

MOST_MUTED = 500
REMEMBERED_TALKERS = 10_000
"""Of so many people what they lately said is known; who is pushed out has not talked for long."""

ATTEMPTS = 5
"""So many times a line is stored anew after another writer took its number."""


class Hearer(Protocol):
    """Someone connected who may hear what is said."""

    @property
    def identity(self) -> IdentityId:
        """Who it is."""

    def deliver(self, frames: Sequence[WireFrame]) -> None:
        """Send frames in order, without waiting."""


class Talk:
    """What is said beside one match, for as long as somebody listens."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.lines: list[ChatLine] | None = None
        """The latest lines; None until they are loaded."""
        self.hearers: dict[Hearer, tuple[IdentityId, ...]] = {}
        """With whom each has muted."""
        self.audience: tuple[frozenset[IdentityId], bool] | None = None
        """Who held seats, and whether the match was over, when all were last told what they may hear."""


class ChatDesk:
    """What sessions ask for about talk."""

    def __init__(self, store: ChatStore, rooms: Rooms, bus: Bus, now_ms: NowMs) -> None:
        self._store = store
        self._rooms = rooms
        self._now_ms = now_ms
        self._talks: dict[MatchId, Talk] = {}
        self._followed: dict[Hearer, set[MatchId]] = {}
        self._recent: OrderedDict[IdentityId, Recent] = OrderedDict()
        self._reported_ms: dict[IdentityId, tuple[int, ...]] = {}
        bus.subscribe(LIVE_TOPIC, self._match_changed)

    async def handle(self, message: ChatCommand, player: Player, hearer: Hearer) -> None:
        """Do what somebody asks for, and answer it. Raises: Refusal."""
        try:
            match message:
                case WatchChat(match, on):
                    if on:
                        await self._watch(match, hearer)
                    else:
                        self._unwatch(match, hearer)
                    return
                case Say():
                    await self._say(message, player)
                case Mute():
                    await self._mute(message, player.id)
                case Report():
                    await self._report(message, player.id)
        except StorageError as error:
            log.error("chat not stored", error=str(error))
            raise Refusal(Code.UNAVAILABLE, "The server cannot store this now; please try again.") from None
        hearer.deliver([frame_of(Done(message.id))])

    def leave(self, hearer: Hearer) -> None:
        """Tell somebody nothing more."""
        for match_id in tuple(self._followed.get(hearer, ())):
            self._unwatch(match_id, hearer)

    async def forget(self, identity: IdentityId, nobody: Player) -> None:
        """Put `nobody` to what somebody has said. Raises: StorageError."""
        await self._store.forget(identity, nobody)
        self._recent.pop(identity, None)
        for match_id, talk in self._talks.items():
            match = self._rooms.peek(match_id)
            if match is None or not any(line.player.id == identity for line in talk.lines or ()):
                continue
            talk.lines = [
                replace(line, player=nobody) if line.player.id == identity else line for line in talk.lines or ()
            ]
            for hearer in tuple(talk.hearers):
                hearer.deliver([_chat(match, talk, hearer)])

    async def _watch(self, match_id: MatchId, hearer: Hearer) -> None:
        followed = self._followed.get(hearer, set())
        if match_id not in followed and len(followed) >= FOLLOWED_CHATS:
            raise Refusal(Code.TOO_MANY, f"A connection follows the talk of at most {FOLLOWED_CHATS} matches.")
        muted = await self._store.muted_by(hearer.identity)
        match = (await self._rooms.find(match_id)).match
        talk = self._talk(match_id)
        # Before anything is waited for, so that the talk is not let go meanwhile.
        talk.hearers[hearer] = muted
        self._followed.setdefault(hearer, set()).add(match_id)
        async with talk.lock:
            if talk.lines is None:
                await self._load(match_id, talk)
        talk.audience = talk.audience or _audience(match)
        hearer.deliver([_chat(match, talk, hearer)])

    def _unwatch(self, match_id: MatchId, hearer: Hearer) -> None:
        followed = self._followed.get(hearer, set())
        followed.discard(match_id)
        if not followed:
            self._followed.pop(hearer, None)
        talk = self._talks.get(match_id)
        if talk is not None:
            talk.hearers.pop(hearer, None)
            self._let_go(match_id, talk)

    async def _say(self, command: Say, player: Player) -> None:
        if await self._store.was_said(player.id, command.id):
            return
        measure = ACCOUNT if player.registered else GUEST
        text = tidy(command.text, measure)
        now_ms = self._now_ms()
        recent = self._recent.get(player.id, Recent())
        judge(recent, text, measure, now_ms)
        match = (await self._rooms.find(command.match)).match
        # Noted before it is stored, so that lines sent all at once count too.
        self._remember(player.id, recent.after(text, now_ms))
        await self._store_line(match, command, player, text, now_ms)

    async def _store_line(self, match: Match, command: Say, player: Player, text: str, now_ms: int) -> None:
        talk = self._talk(match.id)
        async with talk.lock:
            lines = talk.lines if talk.lines is not None else await self._load(match.id, talk)
            for _ in range(ATTEMPTS):
                number = lines[-1].number + 1 if lines else 1
                line = ChatLine(number, _room_of(match, player.id), player, text, now_ms)
                if await self._store.add_line(match.id, line, command.id):
                    talk.lines = [*lines, line][-SHOWN_LINES:]
                    self._tell(match, talk, line)
                    break
                if await self._store.was_said(player.id, command.id):
                    break
                lines = await self._load(match.id, talk)
            else:
                raise Refusal(Code.UNAVAILABLE, "Too much is said here at once; please try again.")
        self._let_go(match.id, talk)

    async def _mute(self, command: Mute, by: IdentityId) -> None:
        if not command.on:
            await self._store.unmute(by, command.player)
        elif len(await self._store.muted_by(by)) >= MOST_MUTED:
            raise Refusal(Code.TOO_MANY, f"You can mute at most {MOST_MUTED} people.")
        else:
            await self._store.mute(by, command.player, self._now_ms())
        muted = await self._store.muted_by(by)
        for match_id, talk in self._talks.items():
            match = self._rooms.peek(match_id)
            for hearer in [hearer for hearer in talk.hearers if hearer.identity == by]:
                talk.hearers[hearer] = muted
                if match is not None:
                    hearer.deliver([_chat(match, talk, hearer)])

    async def _report(self, command: Report, reporter: IdentityId) -> None:
        now_ms = self._now_ms()
        lately = tuple(at_ms for at_ms in self._reported_ms.get(reporter, ()) if now_ms - at_ms < REPORT_WINDOW_MS)
        if len(lately) >= REPORTS:
            raise Refusal(Code.TOO_MUCH_TALK, "You have sent several reports; please wait before you send another.")
        match = (await self._rooms.find(command.match)).match
        line = await self._line(match, command.line, reporter)
        player = command.player if line is None else line.player.id
        if player is None:
            raise Refusal(Code.UNKNOWN_LINE, "A report is about a player or a line; neither was named.")
        text = "" if line is None else line.text
        if len(self._reported_ms) >= REMEMBERED_TALKERS:
            self._reported_ms = {
                who: at_ms for who, at_ms in self._reported_ms.items() if now_ms - at_ms[-1] < REPORT_WINDOW_MS
            }
        self._reported_ms[reporter] = (*lately, now_ms)
        await self._store.add_report(
            ReportEntry(
                reporter, command.id, match.id, player, command.line, text, command.reason, command.words, now_ms
            )
        )
        log.info("report", match=match.id, player=player, reason=command.reason)

    async def _line(self, match: Match, number: int | None, hearer: IdentityId) -> ChatLine | None:
        """Return the line of a number, if one was named, which must be one that somebody may hear."""
        if number is None:
            return None
        lines = await self._store.lines(match.id, SHOWN_LINES)
        for line in lines:
            if line.number == number and _may_hear(match, hearer, line.room):
                return line
        raise Refusal(Code.UNKNOWN_LINE, "There is no such line.")

    def _talk(self, match_id: MatchId) -> Talk:
        return self._talks.setdefault(match_id, Talk())

    async def _load(self, match_id: MatchId, talk: Talk) -> list[ChatLine]:
        talk.lines = list(await self._store.lines(match_id, SHOWN_LINES))
        return talk.lines

    def _let_go(self, match_id: MatchId, talk: Talk) -> None:
        if not talk.hearers and not talk.lock.locked() and self._talks.get(match_id) is talk:
            del self._talks[match_id]

    def _remember(self, identity: IdentityId, recent: Recent) -> None:
        self._recent[identity] = recent
        self._recent.move_to_end(identity)
        if len(self._recent) > REMEMBERED_TALKERS:
            self._recent.popitem(last=False)

    def _tell(self, match: Match, talk: Talk, line: ChatLine) -> None:
        frame = frame_of(Said(match.id, line))
        for hearer in tuple(talk.hearers):
            if _may_hear(match, hearer.identity, line.room):
                hearer.deliver([frame])

    def _match_changed(self, news: str) -> None:
        """Tell those who listen what they may hear now that seats were taken or the match is over."""
        match_id = MatchId(news)
        talk = self._talks.get(match_id)
        match = None if talk is None else self._rooms.peek(match_id)
        if talk is None or match is None or talk.audience == (audience := _audience(match)):
            return
        talk.audience = audience
        for hearer in tuple(talk.hearers):
            hearer.deliver([_chat(match, talk, hearer)])


def _audience(match: Match) -> tuple[frozenset[IdentityId], bool]:
    return match.people, match.phase is Phase.OVER


def _room_of(match: Match, identity: IdentityId) -> TalkRoom:
    return "players" if identity in match.people else "watchers"


def _may_hear(match: Match, identity: IdentityId, room: TalkRoom) -> bool:
    """Return whether somebody hears a room: those who play learn what is said about them when the match is over."""
    return match.phase is Phase.OVER or room == _room_of(match, identity)


def _chat(match: Match, talk: Talk, hearer: Hearer) -> WireFrame:
    lines = tuple(line for line in talk.lines or () if _may_hear(match, hearer.identity, line.room))
    return frame_of(Chat(match.id, _room_of(match, hearer.identity), lines, talk.hearers[hearer]))
