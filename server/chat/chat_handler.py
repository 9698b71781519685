"""The messages of chat: subscribing to the chat of a match or of another place, writing lines and muting players.

A line is stored before it is sent to the subscribers.

On several nodes, each node with an open chat follows it on the bus and receives the lines of the others. A gap
in the line numbers shows that one is missing; then the chat is read again.
"""

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence

from msgspec.structs import replace

from millrace.protocol import (
    ChatLine,
    Code,
    Done,
    IdentityId,
    MatchId,
    Mute,
    Player,
    Say,
    Scope,
    SwitchableFeature,
    WatchChat,
)
from millrace.protocol.refusal import Refusal

from ..callers.caller import Caller
from ..callers.feature import Feature, Route
from ..callers.limit import MINUTE_MS, Limit
from ..callers.limits import Hold, Limits, Present
from ..callers.presence import PlayerSession
from ..callers.restrictions import Restrictions
from ..callers.user_text import require_showable
from ..cluster.bus import Bus
from ..cluster.bus_events import BusRestored
from ..cluster.events import AccountDeleted, ChatLineRemoved, MatchChanged, PlayerRenamed, SharedEvent
from ..journal.rereading import Rereading
from ..journal.unavailable import refusing_failures
from ..runtime.system_clock import NowMs
from ..storage.errors import StorageError
from .chat_store import ChatStore
from .open_chat import SHOWN_LINES, OpenChat
from .places import AllPlaces, Place, Places

GUEST_CHARACTERS, ACCOUNT_CHARACTERS = 140, 280
"""Maximum characters of a line."""
ATTEMPTS = 5
"""Maximum attempts to store a line after its number was taken."""

LINES = Limit(
    name="chat_lines",
    counts="chat lines written",
    refusal="You can write at most {bound} lines in a short time; please wait a moment.",
    code=Code.RATE_LIMITED,
    window_ms=10_000,
    account=4,
    guest=2,
    address=20,
)
REPEATED_LINES = Limit(
    name="repeated_chat_lines",
    counts="repetitions of the same chat line",
    refusal="You have just written that.",
    code=Code.RATE_LIMITED,
    window_ms=MINUTE_MS,
    account=1,
    guest=1,
    address=5,
)
FOLLOWED_CHATS = Limit(
    name="followed_chats",
    counts="chats followed",
    refusal="You can follow the chats of at most {bound} matches at once.",
    connection=64,
    account=256,
    guest=128,
    address=1_000,
)
MUTED_PLAYERS = Limit(
    name="muted_players",
    counts="players muted by a player",
    refusal="You can mute at most {bound} players.",
    account=500,
    guest=500,
)
MUTES = Limit(
    name="mutes",
    counts="players muted or unmuted",
    refusal="You have muted or unmuted many players in a short time.",
    code=Code.RATE_LIMITED,
    window_ms=MINUTE_MS,
    account=30,
    guest=30,
    address=120,
)


class LineStored(SharedEvent, frozen=True):
    """A line was added to a chat: `match` is its name, as in messages."""

    match: MatchId
    line: ChatLine

    @property
    def topic(self) -> str:
        """The chat."""
        return self.match


class MutesChanged(SharedEvent, frozen=True):
    """A player muted or unmuted another."""

    by: IdentityId


class ChatHandler(Feature):
    """Answers the messages of chat."""

    def __init__(
        self,
        store: ChatStore,
        places: Mapping[str, Places],
        restrictions: Restrictions,
        bus: Bus,
        now_ms: NowMs,
        limits: Limits,
    ) -> None:
        """`places` has the places with chats by their kind, as `server.chat.places` says."""
        self._store = store
        self._places = AllPlaces(places)
        self._restrictions = restrictions
        self._bus = bus
        self._now_ms = now_ms
        self._chats: dict[MatchId, OpenChat] = {}
        self._followed: dict[PlayerSession, dict[MatchId, Hold]] = {}
        self._limits = limits
        self._stale_chats = Rereading(self._read_chat)
        self._stale_mutes = Rereading(self._read_mutes)
        bus.subscribe_elsewhere(LineStored, self._line_stored)
        bus.subscribe_elsewhere(MutesChanged, lambda event: self._stale_mutes.ask([event.by]))
        bus.subscribe(BusRestored, lambda _: self._bus_restored())
        bus.subscribe(MatchChanged, lambda event: self._match_changed(event.match))
        bus.subscribe(ChatLineRemoved, self._line_removed)
        bus.subscribe(PlayerRenamed, lambda event: self._replace_player(event.player.id, event.player))
        bus.subscribe(AccountDeleted, lambda event: self._replace_player(event.identity, event.replacement))
        self.routes = (
            Route(WatchChat, self.watch_chat, Scope.READ),
            Route(Say, self.say, Scope.CHAT, feature=SwitchableFeature.CHAT),
            Route(Mute, self.mute, Scope.CHAT),
        )

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Read changes by other nodes that the bus has not carried."""
        return self._stale_chats.run(), self._stale_mutes.run()

    def disconnect(self, caller: Caller) -> None:
        """Unsubscribe a connection that has ended."""
        for match_id in tuple(self._followed.get(caller, ())):
            self._unsubscribe(match_id, caller)

    async def watch_chat(self, command: WatchChat, caller: Caller) -> None:
        """Subscribe the caller to a chat, or unsubscribe. Raises: Refusal."""
        if not command.on:
            self._unsubscribe(command.match, caller)
            return
        is_new = command.match not in self._followed.get(caller, {})
        if is_new:
            self._followed.setdefault(caller, {})[command.match] = self._limits.hold(FOLLOWED_CHATS, caller)
        try:
            with refusing_failures("chat not read"):
                await self._subscribe(command.match, caller)
        except Refusal:
            if is_new:
                self._unsubscribe(command.match, caller)
            raise

    async def say(self, command: Say, caller: Caller) -> None:
        """Add the caller's line to a chat, unless the same command has done so. Raises: Refusal."""
        player = caller.player
        self._restrictions.require_unmuted(player.id)
        with refusing_failures("chat not stored"):
            if not await self._store.was_said(player.id, command.id):
                text = tidy(command.text, ACCOUNT_CHARACTERS if player.registered else GUEST_CHARACTERS)
                place = await self._places.find(command.match)
                place.require_writer(caller)
                now_ms = self._now_ms()
                # Counted before it is stored, so that simultaneous lines count too.
                self._limits.check(LINES, caller)
                self._limits.use(REPEATED_LINES, caller, subject=text.casefold())
                self._limits.use(LINES, caller)
                await self._add_line(place, command, player, text, now_ms)
        caller.send(Done(command.id))

    async def mute(self, command: Mute, caller: Caller) -> None:
        """Mute a player for the caller, or unmute. Raises: Refusal."""
        by = caller.identity
        self._limits.use(MUTES, caller)
        with refusing_failures("mute not stored"):
            if not command.on:
                await self._store.unmute(by, command.player)
            else:
                muted = await self._store.muted_by(by)
                self._limits.require_room(MUTED_PLAYERS, caller, Present(len(muted)))
                await self._store.mute(by, command.player, self._now_ms())
            self._bus.publish(MutesChanged(by))
            await self._read_mutes(by)
        caller.send(Done(command.id))

    async def find_line(self, match_id: MatchId, number: int, reader: IdentityId) -> ChatLine:
        """Return a line that a player may read. Raises: Refusal, StorageError."""
        place = await self._places.find(match_id)
        for line in await self._store.lines(match_id, SHOWN_LINES):
            if line.number == number and place.may_read(reader, line.room):
                return line
        raise Refusal(Code.UNKNOWN_LINE, "There is no such line.")

    # Subscriptions

    async def _subscribe(self, match_id: MatchId, session: PlayerSession) -> None:
        muted = await self._store.muted_by(session.identity)
        place = await self._places.find(match_id)
        chat = self._chats.setdefault(match_id, OpenChat(match_id))
        # Before the next await, so that the chat is not dropped meanwhile.
        chat.subscribers[session] = muted
        async with chat.turn:
            if chat.lines is None:
                chat.lines = await self._read(match_id, chat)
        if session in chat.subscribers:
            chat.send_to(place, session)

    def _unsubscribe(self, match_id: MatchId, session: PlayerSession) -> None:
        followed = self._followed.get(session, {})
        hold = followed.pop(match_id, None)
        if hold is not None:
            hold.release()
        if not followed:
            self._followed.pop(session, None)
        chat = self._chats.get(match_id)
        if chat is not None:
            chat.subscribers.pop(session, None)
            self._drop_if_unused(match_id, chat)

    def _drop_if_unused(self, match_id: MatchId, chat: OpenChat) -> None:
        if not chat.subscribers and not chat.turn.is_taken and self._chats.get(match_id) is chat:
            del self._chats[match_id]
            if chat.is_followed:
                self._bus.unfollow(match_id)

    # Lines

    async def _add_line(self, place: Place, command: Say, player: Player, text: str, now_ms: int) -> None:
        """Store a line and send it, after those of other nodes. Raises: Refusal, StorageError."""
        match_id = command.match
        chat = self._chats.setdefault(match_id, OpenChat(match_id))
        try:
            async with chat.turn:
                if chat.lines is None:
                    chat.lines = await self._read(match_id, chat)
                for _ in range(ATTEMPTS):
                    line = ChatLine(chat.last_number + 1, place.room_of(player.id), player, text, now_ms)
                    if await self._store.add_line(match_id, line, command.id):
                        chat.add(place, line)
                        self._bus.publish(LineStored(match_id, line))
                        return
                    chat.update(place, await self._read(match_id, chat))
                    if await self._store.was_said(player.id, command.id):
                        return
            raise Refusal(Code.UNAVAILABLE, "The chat is too busy; please send your line again.")
        finally:
            self._drop_if_unused(match_id, chat)

    async def _read(self, match_id: MatchId, chat: OpenChat) -> list[ChatLine]:
        """Return the stored lines; lines that other nodes store afterwards are received. Raises: StorageError."""
        if not chat.is_followed:
            chat.is_followed = True
            await self._bus.follow(match_id)
        return list(await self._store.lines(match_id, SHOWN_LINES))

    def _change_lines(self, change: Callable[[ChatLine], ChatLine], match_ids: Iterable[MatchId]) -> None:
        """Change lines in memory, as already stored, and send the changed chats to their subscribers."""
        for match_id in match_ids:
            chat, place = self._chats.get(match_id), self._places.peek(match_id)
            if chat is not None and chat.lines is not None and place is not None:
                chat.change(place, change)

    # Changes by other nodes

    def _line_stored(self, event: LineStored) -> None:
        """Send a line stored by another node; if earlier ones are missing, read them."""
        chat, place = self._chats.get(event.match), self._places.peek(event.match)
        if chat is None or event.line.number <= chat.last_number:
            return
        if place is not None and chat.lines is not None and event.line.number == chat.last_number + 1:
            chat.add(place, event.line)
        else:
            self._stale_chats.ask([event.match])

    def _bus_restored(self) -> None:
        self._stale_chats.ask(self._chats)
        self._stale_mutes.ask(session.identity for session in self._followed)

    async def _read_chat(self, match_id: MatchId) -> None:
        """Read a chat again, if it is open. Raises: StorageError."""
        chat = self._chats.get(match_id)
        if chat is None:
            return
        try:
            place = await self._places.find(match_id)
            async with chat.turn:
                if chat.lines is not None:
                    chat.update(place, await self._read(match_id, chat))
        except Refusal as refusal:
            raise StorageError(refusal.message) from None
        finally:
            self._drop_if_unused(match_id, chat)

    async def _read_mutes(self, by: IdentityId) -> None:
        """Read the players whom a player mutes. Raises: StorageError."""
        muted = await self._store.muted_by(by)
        for match_id, chat in self._chats.items():
            place = self._places.peek(match_id)
            for session in [session for session in chat.subscribers if session.identity == by]:
                chat.subscribers[session] = muted
                if place is not None:
                    chat.send_to(place, session)

    # Events of other features

    def _line_removed(self, event: ChatLineRemoved) -> None:
        self._change_lines(lambda line: replace(line, text="") if line.number == event.line else line, [event.match])

    def _replace_player(self, identity: IdentityId, player: Player) -> None:
        """Replace a player's name, or the player."""
        self._change_lines(
            lambda line: replace(line, player=player) if line.player.id == identity else line, self._chats
        )

    def _match_changed(self, match_id: MatchId) -> None:
        """Send the lines that each subscriber may read now that a seat was taken or the match is over."""
        chat = self._chats.get(match_id)
        place = None if chat is None else self._places.peek(match_id)
        if chat is not None and place is not None:
            chat.update_readers(place)


def tidy(text: str, characters: int) -> str:
    """Return a line with single spaces between its words.

    >>> tidy("  well \\n  played ", 140)
    'well played'

    Raises: Refusal if the line is empty or too long, or has characters that cannot be shown.
    """
    line = " ".join(text.split())
    if not line:
        raise Refusal(Code.BAD_TEXT, "Your line is empty.")
    if len(line) > characters:
        raise Refusal(Code.BAD_TEXT, "Your line is too long: the maximum is {most} characters.", most=characters)
    require_showable(line)
    return line
