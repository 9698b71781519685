"""A player's connection to a server, which reconnects when it breaks.

It knows no rules: the server sends the legal moves. Each subject (matches, chat, lobby ...) has its own module; they
share the connection's socket. `client.errors` shows the tree of errors.

    async with connect("localhost:8000") as me:
        match = (await me.create("morris", [ME, bot(1)])).match
        async for turn in me.watch(match).turns():
            await turn.play(random.choice(turn.moves))

After a broken connection it reconnects with growing pauses. It sends unanswered commands again under their old ids, so
that each takes effect once. Feeds continue after the last event that they received.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol

from msgspec.structs import replace

from millrace.protocol import (
    Announcement,
    Code,
    Evaluated,
    GameInfo,
    Interruption,
    MatchId,
    MatchProgress,
    Message,
    Player,
    Pong,
    Refused,
    ServerMessage,
    SignedIn,
    Welcome,
    encode,
)

from .account import AccountClient
from .analysis import AnalysisClient
from .archive import ArchiveClient
from .bot_availability import BotAvailabilityClient
from .chat import ChatClient
from .endings import EndingClient
from .errors import ClientError, HungUpError, ProtocolError, RefusedError
from .ladders import LaddersClient
from .latest_word import LatestWord
from .lobby import LobbyClient
from .match_commands import MatchCommands
from .match_feed import CAPACITY, MatchFeed, MatchFeeds
from .mistakes import MistakeClient
from .moderation import ModerationClient
from .notifications import NotificationsClient
from .players import PlayersClient
from .puzzles import PuzzleClient
from .races import RaceClient
from .reconnecting_socket import ReconnectingSocket, backoff_delays_s, site_url, socket_url
from .requests import Requests
from .spectating import SpectatingClient
from .storms import StormClient
from .studies import StudiesClient
from .teaching import TeachingClient
from .tournaments import TournamentsClient


class Subscriber(Protocol):
    """Receives the server's messages about a subject."""

    @property
    def receives(self) -> Sequence[type[Message]]:
        """The classes of messages that it receives."""

    def receive(self, message: Any, /) -> None:
        """Receive a message of one of these classes."""

    def resume(self) -> None:
        """Repeat the subscriptions on a new connection."""

    def fail(self, error: ClientError) -> None:
        """Raise an error in everything that waits, since no more messages will come."""


@asynccontextmanager
async def connect(
    address: str,
    *,
    token: str = "",
    reconnect: bool = True,
    retry_unavailable: bool = True,
    delays_s: Callable[[], Iterable[float]] = backoff_delays_s,
    program: str = "millrace-python",
) -> AsyncIterator["Connection"]:
    """Connect to the server at an address such as `localhost:8000`, `http://host:port` or `wss://host`.

    `token` identifies the player; without one the server creates a guest. `delays_s` returns the pauses before attempts
    to reconnect; when they run out, the connection is over. While the server cannot store anything, commands about
    matches wait, and are sent again under their ids; without `retry_unavailable` they raise RefusedError.

    Raises: AddressError, UnreachableError, RefusedError for a wrong token, ProtocolError.
    """
    delays_s = delays_s if reconnect else lambda: ()
    connection = Connection(socket_url(address), token, program, delays_s, retry_unavailable)
    await connection.open()
    try:
        yield connection
    finally:
        await connection.close()


async def sign_in(address: str, name: str, password: str) -> str:
    """Sign in to an account and return the token of the new session, for `connect`.

    Raises: AddressError, UnreachableError, RefusedError for a wrong name or password, ProtocolError.
    """
    async with connect(address, reconnect=False) as guest:
        return await guest.account.sign_in(name, password)


class Connection(MatchCommands):
    """A player's connection. Commands return when the server has stored their effect, or raise RefusedError.

    While the connection is broken, commands wait until it is back, and so do commands about matches while the server
    cannot store anything; use `asyncio.timeout` to limit the wait. When the
    connection is over, everything that waits raises ConnectionLostError.
    """

    def __init__(
        self, url: str, token: str, program: str, delays_s: Callable[[], Iterable[float]], retry_unavailable: bool
    ) -> None:
        self._socket = ReconnectingSocket(url, token, program, delays_s, self)
        requests = Requests(self._socket.post, retry_unavailable)
        super().__init__(requests)
        self.account = AccountClient(requests, self._become)
        """The player's account and its API tokens."""
        self.analysis = AnalysisClient(requests)
        """Analysis by the server's engine."""
        self.archive = ArchiveClient(requests, site_url(url), lambda: self.token)
        """Finished matches."""
        self.announcement = LatestWord(Announcement("", None))
        """What the operators of the site announce; without text if nothing."""
        self.interruption = LatestWord(Interruption(is_over=True, explanation=""))
        """Whether the server can store nothing, so that all clocks and the time of tournaments stand still."""
        self.bot_availability = BotAvailabilityClient()
        """Whether the server's bots can play."""
        self.lobby = LobbyClient(requests, self._post)
        """Quick pairing, challenges, and the lists of matches and bots."""
        self.notifications = NotificationsClient(requests, self._post)
        """The player's notifications."""
        self.moderation = ModerationClient(requests)
        """Reports to the moderators."""
        self.players = PlayersClient(requests, self._post)
        """Other players: who is online, profiles, following and blocking."""
        self.endings = EndingClient(requests)
        """Solved endings against the most stubborn defence."""
        self.mistakes = MistakeClient(requests)
        """The player's own mistakes in reviewed matches."""
        self.storms = StormClient(requests)
        """As many puzzles as possible in three minutes."""
        self.races = RaceClient(requests, self._post)
        """The same puzzles for up to ten players at the same time."""
        self.puzzles = PuzzleClient(requests)
        """Puzzles and the player's puzzle rating."""
        self.spectating = SpectatingClient(self._post)
        """Live matches for spectators."""
        self.studies = StudiesClient(requests, self._post)
        """The player's studies, and those shared by link."""
        self.teaching = TeachingClient(requests)
        """Lessons and short rules for beginners."""
        self.tournaments = TournamentsClient(requests, self._post)
        """Tournaments, and the player's place in them."""
        self.ladders = LaddersClient(requests, self._post)
        """Ladders, on which players challenge those above them."""
        self.chat = ChatClient(requests, self._post)
        """The chats of matches and tournaments."""
        self._feeds = MatchFeeds(self._post, self.play)
        self._subscribers: tuple[Subscriber, ...] = (
            self._feeds,
            self.announcement,
            self.interruption,
            self.bot_availability,
            self.chat,
            self.notifications,
            *self.lobby.subscribers,
            *self.players.subscribers,
            self.spectating,
            *self.tournaments.subscribers,
            self.ladders,
            self.races,
            self.studies,
        )
        self._subscriber_of: dict[type[Message], Subscriber] = {
            kind: subscriber for subscriber in self._subscribers for kind in subscriber.receives
        }
        self._has_ended = False

    @property
    def player(self) -> Player:
        """This player, as others see them."""
        return self._welcome().player

    @property
    def token(self) -> str:
        """The player's token. A connection with this token is the same player and has the same seats."""
        return self._welcome().token

    @property
    def games(self) -> tuple[GameInfo, ...]:
        """The games that the server offers."""
        return self._welcome().games

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection at the moment."""
        return self._socket.is_open

    def watch(self, match: MatchId, since: int = 0, capacity: int = CAPACITY) -> MatchFeed:
        """Follow a match, as a player or spectator, from the event after `since`.

        The feed buffers up to `capacity` messages for a slow reader. A connection has one feed for each match; this
        call closes an earlier one.
        """
        self._requests.raise_if_ended()
        return self._feeds.watch(self.player.id, match, since, capacity)

    async def ping(self) -> Pong:
        """Ping the server; the answer has the time of its clock."""
        return await self._requests.ping(Pong)

    async def open(self) -> None:
        """Connect for the first time. `connect` calls this."""
        await self._socket.open()

    async def close(self) -> None:
        """Close the connection. Everything that still waits raises HungUpError."""
        await self._socket.close()

    # For the socket

    def opened(self) -> None:
        """Repeat unanswered requests and subscriptions."""
        self._requests.resume()
        for subscriber in self._subscribers:
            subscriber.resume()

    def received(self, message: ServerMessage) -> None:
        """Pass a message to its receiver. Raises: ProtocolError."""
        match message:
            case Welcome():
                raise ProtocolError("The server sent a second Welcome.")
            case Refused():
                self._refuse(message)
            case Pong(nonce):
                self._requests.answer(nonce, message)
            case Evaluated(is_final=False) | MatchProgress():
                # Progress of an answer that is still to come.
                pass
            case _:
                self._requests.answer(getattr(message, "id", None), message)
                if (subscriber := self._subscriber_of.get(type(message))) is not None:
                    subscriber.receive(message)

    def ended(self, error: ClientError) -> None:
        """Raise `error` in everything that waits, and in all later requests."""
        if self._has_ended:
            return
        self._has_ended = True
        self._requests.fail(error)
        for subscriber in self._subscribers:
            subscriber.fail(error)

    # Own

    def _post(self, message: Message) -> None:
        """Send a message if there is a connection. Messages that must not be lost are repeated on the next one."""
        self._socket.post(encode(message))

    def _welcome(self) -> Welcome:
        if self._socket.welcome is None:
            raise HungUpError("This connection has not been opened.")
        return self._socket.welcome

    def _become(self, answer: SignedIn) -> None:
        """Continue this connection as an account's."""
        self._socket.token = answer.token
        self._socket.welcome = replace(self._welcome(), player=answer.player, token=answer.token)

    def _refuse(self, refused: Refused) -> None:
        error = RefusedError(refused.code, refused.message, refused.match)
        if refused.id is not None:
            self._requests.answer(refused.id, error)
            self.lobby.refuse(refused.id, error)
        elif refused.match is not None:
            self._feeds.refuse(refused.match, error)
            self.chat.refuse(refused.match, error)
        elif refused.code is Code.UNKNOWN_TOURNAMENT:
            self.tournaments.refuse(error)
            self.ladders.refuse(error)
        elif refused.code is Code.UNKNOWN_RACE:
            self.races.refuse(error)
        elif refused.code is Code.UNKNOWN_STUDY:
            self.studies.refuse(error)
