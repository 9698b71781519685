"""The asyncio client library: a player's connection to a server, kept up for as long as the program wants it.

No rules of any game and no drawing: legal moves come from the server. What is asked and heard about each subject is in
a module of its own; here they share one line. Its errors are shown as a tree in `client.errors`.

    async with connect("localhost:8000") as me:
        match = (await me.create("morris", [ME, bot(1)])).match
        async for turn in me.watch(match).turns():
            await turn.play(random.choice(turn.moves))

A connection that breaks is opened again, with growing pauses. Commands that were not answered are sent again under
their old ids, so that each has its effect once; feeds go on after the last event they received.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol

from msgspec.structs import replace

from millrace.server.protocol import (
    Evaluated,
    GameInfo,
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
from .chat import ChatClient
from .errors import ClientError, HungUpError, ProtocolError, RefusedError
from .lobby import LobbyClient
from .match_commands import MatchCommands
from .match_feed import CAPACITY, MatchFeed
from .match_feeds import MatchFeeds
from .moderation import ModerationClient
from .notifications import NotificationsClient
from .players import PlayersClient
from .reconnecting_socket import Line, backoff_delays_s, site_url, socket_url
from .requests import Requests


class Hearer(Protocol):
    """What hears of a subject, whoever has asked."""

    @property
    def hears(self) -> Sequence[type[Message]]:
        """The classes of messages that are for it."""

    def receive(self, message: Any, /) -> None:
        """Take a message, which is of one of the classes."""

    def resume(self) -> None:
        """Say again on a new socket what the server must have heard."""

    def fail(self, error: ClientError) -> None:
        """Raise an error in everything that waits, for nothing more will come."""


@asynccontextmanager
async def connect(
    address: str,
    *,
    token: str = "",
    reconnect: bool = True,
    delays_s: Callable[[], Iterable[float]] = backoff_delays_s,
    program: str = "millrace-python",
) -> AsyncIterator["Connection"]:
    """Connect to the server at an address such as `localhost:8000`, `http://host:port` or `wss://host`.

    `token` makes this the player that was once given it; without one the server makes a guest. `delays_s` gives the
    pauses before each attempt to connect again; when they run out, the connection is given up.

    Raises: AddressError, UnreachableError, RefusedError for a wrong token, ProtocolError.
    """
    connection = Connection(socket_url(address), token, program, delays_s if reconnect else lambda: ())
    await connection.open()
    try:
        yield connection
    finally:
        await connection.close()


async def sign_in(address: str, name: str, password: str) -> str:
    """Return the token of a new session of the account of that name, for `connect`.

    Raises: AddressError, UnreachableError, RefusedError for a wrong name or password, ProtocolError.
    """
    async with connect(address, reconnect=False) as guest:
        return await guest.account.sign_in(name, password)


class Connection(MatchCommands):
    """A player's connection. Commands return when their effect is stored, and raise RefusedError if they have none.

    While the connection is broken, commands wait for the next one; `asyncio.timeout` bounds that wait. When none is to
    come, everything that waits raises ConnectionLostError.
    """

    def __init__(self, url: str, token: str, program: str, delays_s: Callable[[], Iterable[float]]) -> None:
        self._line = Line(url, token, program, delays_s, self)
        requests = Requests(self._line.post)
        super().__init__(requests)
        self.account = AccountClient(requests, self._entered)
        """What can be asked about the account."""
        self.analysis = AnalysisClient(requests)
        """What can be asked of the server's engine."""
        self.archive = ArchiveClient(requests, site_url(url))
        """Matches that are over."""
        self.lobby = LobbyClient(requests, self._post)
        """Quick pairing, challenges, and the lists of matches and bots."""
        self.notifications = NotificationsClient(requests, self._post)
        """What has happened that concerns this player."""
        self.moderation = ModerationClient(requests)
        """Reports to moderators."""
        self.players = PlayersClient(requests, self._post)
        """Other players: who is online, profiles, following and blocking."""
        self.chat = ChatClient(requests, self._post)
        """What is said beside matches."""
        self._feeds = MatchFeeds(self._post, self.play)
        self._hearers: tuple[Hearer, ...] = (
            self._feeds,
            self.chat,
            self.notifications,
            *self.lobby.hearers,
            *self.players.hearers,
        )
        self._hearer_of: dict[type[Message], Hearer] = {
            kind: hearer for hearer in self._hearers for kind in hearer.hears
        }
        self._has_ended = False

    @property
    def player(self) -> Player:
        """Who this player is to others."""
        return self._welcome().player

    @property
    def token(self) -> str:
        """The player's secret: with it another connection is the same player and holds the same seats."""
        return self._welcome().token

    @property
    def games(self) -> tuple[GameInfo, ...]:
        """The games that the server offers."""
        return self._welcome().games

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection just now."""
        return self._line.is_open

    def watch(self, match: MatchId, since: int = 0, capacity: int = CAPACITY) -> MatchFeed:
        """Follow a match, one's own or another's, from the event after `since`.

        The feed holds up to `capacity` messages for a reader that is behind. A connection has one feed for a match:
        another that is still open is closed by this.
        """
        self._requests.raise_if_ended()
        return self._feeds.watch(self.player.id, match, since, capacity)

    async def ping(self) -> Pong:
        """Ask the server for a sign of life and for its clock."""
        return await self._requests.ping(Pong)

    async def open(self) -> None:
        """Connect for the first time; `connect` does."""
        await self._line.open()

    async def close(self) -> None:
        """Close the connection; whatever still waits for it raises HungUpError."""
        await self._line.close()

    # For the line

    def opened(self) -> None:
        """Say again what the server must have heard."""
        self._requests.resume()
        for hearer in self._hearers:
            hearer.resume()

    def received(self, message: ServerMessage) -> None:
        """Hand a message to whom it is for. Raises: ProtocolError."""
        match message:
            case Welcome():
                raise ProtocolError("The server said Welcome twice.")
            case Refused():
                self._refuse(message)
            case Pong(nonce):
                self._requests.answer(nonce, message)
            case Evaluated(is_final=False) | MatchProgress():
                # They tell how far an answer is that is still to come.
                pass
            case _:
                self._requests.answer(getattr(message, "id", None), message)
                if (hearer := self._hearer_of.get(type(message))) is not None:
                    hearer.receive(message)

    def ended(self, error: ClientError) -> None:
        """Raise `error` in everything that waits, and in whatever is asked for from now on."""
        if self._has_ended:
            return
        self._has_ended = True
        self._requests.fail(error)
        for hearer in self._hearers:
            hearer.fail(error)

    # Own

    def _post(self, message: Message) -> None:
        """Send a message if there is a socket just now; what must not be lost is sent again on the next."""
        self._line.post(encode(message))

    def _welcome(self) -> Welcome:
        if self._line.welcome is None:
            raise HungUpError("This connection has not been opened.")
        return self._line.welcome

    def _entered(self, answer: SignedIn) -> None:
        """From now on this connection is that of an account."""
        self._line.token = answer.token
        self._line.welcome = replace(self._welcome(), player=answer.player, token=answer.token)

    def _refuse(self, refused: Refused) -> None:
        error = RefusedError(refused.code, refused.message, refused.match)
        if refused.id is not None:
            self._requests.answer(refused.id, error)
            self.lobby.refuse(refused.id, error)
        elif refused.match is not None:
            self._feeds.refuse(refused.match, error)
            self.chat.refuse(refused.match, error)
