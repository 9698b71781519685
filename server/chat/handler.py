"""The desk for talk: who hears what beside a match, and what may be said there.

Store, then tell, as with moves. What may be said is judged in `server.chat.line_rules`.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import get_args

from msgspec.structs import replace

from ..accounts.restrictions import Restrictions
from ..bus.bus import Bus
from ..bus.events import MatchChanged
from ..identity.caller import Caller
from ..identity.presence import PlayerSession
from ..journal.unavailable import refusing_failures
from ..matches.match import Match, Phase
from ..protocol import (
    Chat,
    ChatCommand,
    ChatLine,
    ChatLineAdded,
    ChatRoom,
    Code,
    Done,
    IdentityId,
    MatchId,
    Mute,
    Player,
    Say,
    WatchChat,
)
from ..protocol.frames import WireFrame, frame_of
from ..protocol.refusal import Refusal
from ..rooms.rooms import Rooms
from ..system_clock import NowMs
from .line_rules import ACCOUNT, GUEST, Recent, judge, tidy
from .store import ChatStore

SHOWN_LINES = 100
"""So many of the latest lines are told to one who comes."""

FOLLOWED_CHATS = 64
"""So many chats a connection may follow at once."""

MOST_MUTED = 500
REMEMBERED_TALKERS = 10_000
"""Of so many people what they lately said is known; who is pushed out has not talked for long."""

ATTEMPTS = 5
"""So many times a line is stored anew after another writer took its number."""


class Talk:
    """What is said beside one match, for as long as somebody listens."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.lines: list[ChatLine] | None = None
        """The latest lines; None until they are loaded."""
        self.hearers: dict[PlayerSession, tuple[IdentityId, ...]] = {}
        """With whom each has muted."""
        self.audience: tuple[frozenset[IdentityId], bool] | None = None
        """Who held seats, and whether the match was over, when all were last told what they may hear."""


class ChatHandler:
    """What sessions ask for about talk."""

    commands = get_args(ChatCommand)

    def __init__(self, store: ChatStore, rooms: Rooms, restrictions: Restrictions, bus: Bus, now_ms: NowMs) -> None:
        self._store = store
        self._rooms = rooms
        self._standings = restrictions
        self._now_ms = now_ms
        self._talks: dict[MatchId, Talk] = {}
        self._followed: dict[PlayerSession, set[MatchId]] = {}
        self._recent: OrderedDict[IdentityId, Recent] = OrderedDict()
        bus.subscribe(MatchChanged, lambda event: self._match_changed(event.match))

    async def handle(self, message: ChatCommand, caller: Caller) -> None:
        """Do what somebody asks for, and answer it. Raises: Refusal."""
        with refusing_failures("chat not stored"):
            match message:
                case WatchChat(match, on):
                    if on:
                        await self._watch(match, caller)
                    else:
                        self._unwatch(match, caller)
                    return
                case Say():
                    await self._say(message, caller.authentication.player)
                case Mute():
                    await self._mute(message, caller.identity)
        caller.send(Done(message.id))

    def leave(self, hearer: PlayerSession) -> None:
        """Tell somebody nothing more."""
        for match_id in tuple(self._followed.get(hearer, ())):
            self._unwatch(match_id, hearer)

    async def forget(self, identity: IdentityId, nobody: Player) -> None:
        """Put `nobody` to what somebody has said. Raises: StorageError."""
        await self._store.forget(identity, nobody)
        self._recent.pop(identity, None)
        self._change_lines(
            lambda line: replace(line, player=nobody) if line.player.id == identity else line, self._talks
        )

    async def rename(self, player: Player) -> None:
        """Put a player's new name to what was said, as it is stored already."""
        self._change_lines(
            lambda line: replace(line, player=player) if line.player.id == player.id else line, self._talks
        )

    async def remove_line(self, match_id: MatchId, number: int) -> None:
        """Tell those who listen that a line has lost its text, as it is stored already."""
        self._change_lines(lambda line: replace(line, text="") if line.number == number else line, [match_id])

    async def find_line(self, match_id: MatchId, number: int, hearer: IdentityId) -> ChatLine:
        """Return a line that somebody may hear. Raises: Refusal, StorageError."""
        match = (await self._rooms.find(match_id)).match
        for line in await self._store.lines(match_id, SHOWN_LINES):
            if line.number == number and _may_hear(match, hearer, line.room):
                return line
        raise Refusal(Code.UNKNOWN_LINE, "There is no such line.")

    def _change_lines(self, change: Callable[[ChatLine], ChatLine], match_ids: Iterable[MatchId]) -> None:
        """Change lines that were said, and tell those who listen where any is other than it was."""
        for match_id in match_ids:
            talk, match = self._talks.get(match_id), self._rooms.peek(match_id)
            before = None if talk is None else talk.lines
            if talk is None or before is None or match is None:
                continue
            talk.lines = [change(line) for line in before]
            if talk.lines != before:
                for hearer in tuple(talk.hearers):
                    hearer.deliver([_chat(match, talk, hearer)])

    async def _watch(self, match_id: MatchId, hearer: PlayerSession) -> None:
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

    def _unwatch(self, match_id: MatchId, hearer: PlayerSession) -> None:
        followed = self._followed.get(hearer, set())
        followed.discard(match_id)
        if not followed:
            self._followed.pop(hearer, None)
        talk = self._talks.get(match_id)
        if talk is not None:
            talk.hearers.pop(hearer, None)
            self._let_go(match_id, talk)

    async def _say(self, command: Say, player: Player) -> None:
        self._standings.require_unmuted(player.id)
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
        frame = frame_of(ChatLineAdded(match.id, line))
        for hearer in tuple(talk.hearers):
            if _may_hear(match, hearer.identity, line.room):
                hearer.deliver([frame])

    def _match_changed(self, match_id: MatchId) -> None:
        """Tell those who listen what they may hear now that seats were taken or the match is over."""
        talk = self._talks.get(match_id)
        match = None if talk is None else self._rooms.peek(match_id)
        if talk is None or match is None or talk.audience == (audience := _audience(match)):
            return
        talk.audience = audience
        for hearer in tuple(talk.hearers):
            hearer.deliver([_chat(match, talk, hearer)])


def _audience(match: Match) -> tuple[frozenset[IdentityId], bool]:
    return match.people, match.phase is Phase.OVER


def _room_of(match: Match, identity: IdentityId) -> ChatRoom:
    return "players" if identity in match.people else "spectators"


def _may_hear(match: Match, identity: IdentityId, room: ChatRoom) -> bool:
    """Return whether somebody hears a room: those who play learn what is said about them when the match is over."""
    return match.phase is Phase.OVER or room == _room_of(match, identity)


def _chat(match: Match, talk: Talk, hearer: PlayerSession) -> WireFrame:
    lines = tuple(line for line in talk.lines or () if _may_hear(match, hearer.identity, line.room))
    return frame_of(Chat(match.id, _room_of(match, hearer.identity), lines, talk.hearers[hearer]))
