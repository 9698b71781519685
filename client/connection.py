"""The asyncio client library: a player's connection to a server, kept up for as long as the program wants it.

No rules of any game and no drawing: legal moves come from the server. Used by bots, the terminal client and tests; of
the rest of Millrace it knows only the protocol. Its errors are shown as a tree in `client.errors`.

    async with connect("localhost:8000") as me:
        match = (await me.create("morris", [ME, bot(1)])).match
        async for turn in me.watch(match).turns():
            await turn.play(random.choice(turn.moves))

A connection that breaks is opened again, with growing pauses. Commands that were not answered are sent again under
their old ids, so that each has its effect once; feeds go on after the last event they received.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import aclosing, asynccontextmanager
from typing import TypeAlias

from msgspec.structs import replace

from client.account import AccountClient
from client.asking import checked, new_id, settle
from client.errors import ClientError, ConnectionLostError, HungUpError, ProtocolError, RefusedError
from client.feed import CAPACITY, MatchFeed
from client.line import Line, backoff_delays_s, socket_url
from client.lists import FollowedList
from client.match_commands import MatchCommands
from client.meeting import Latest, Search
from client.talk import TalkFeed
from server.protocol import (
    Accepted,
    AccountAnswer,
    AccountCommand,
    Audience,
    ChallengeRules,
    Challenges,
    Chat,
    ClockSettings,
    CommandId,
    Create,
    Done,
    FindMatch,
    GameInfo,
    GetLeaders,
    GetProfile,
    Happened,
    Happenings,
    IdentityId,
    Leaders,
    LiveMatches,
    MatchCommand,
    MatchId,
    MatchSummary,
    Message,
    Mute,
    OnlineBot,
    OnlineBots,
    Paired,
    Ping,
    Player,
    Pong,
    Preview,
    Previewed,
    Profile,
    RatingAnswer,
    RatingCommand,
    RatingKind,
    Refused,
    Renamed,
    Report,
    ReportReason,
    Said,
    Say,
    SearchEnded,
    Searching,
    Seek,
    Seeks,
    ServerMessage,
    SignedIn,
    TakeChallenges,
    TokenCreated,
    Tokens,
    Turn,
    Watching,
    WatchLobby,
    WatchYourMatches,
    Welcome,
    Wish,
    YourMatch,
    YourMatches,
    encode,
)

Answered: TypeAlias = Accepted | Previewed | Done | RatingAnswer | AccountAnswer
"""What a message with an id is answered by, unless it is refused."""


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
        self._unanswered: dict[CommandId, tuple[bytes, asyncio.Future[Answered]]] = {}
        self.account = AccountClient(self._send, self._entered)
        """What can be asked about the account."""
        self._pings: dict[int, asyncio.Future[Pong]] = {}
        self._feeds: dict[MatchId, MatchFeed] = {}
        self._talks: dict[MatchId, TalkFeed] = {}
        self._live_matches = FollowedList[LiveMatches](self._post_of_lobby, WatchLobby(), WatchLobby(on=False))
        self._seeks = FollowedList[Seeks](self._post_of_lobby, WatchLobby(), WatchLobby(on=False))
        self._your_matches = FollowedList[YourMatches](self.post, WatchYourMatches(), WatchYourMatches(on=False))
        self._challenges = Latest[Challenges]()
        self._search = Search(self)
        self._rules: ChallengeRules | None = None
        self._online_bots = FollowedList[OnlineBots](self._post_of_lobby, WatchLobby(), WatchLobby(on=False))
        self._end: ClientError | None = None

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

    async def find_match(
        self,
        game: str,
        *,
        seats: int = 2,
        clock: ClockSettings | None = None,
        rated: bool = False,
        takes_fewer: bool = False,
        takes_bot: bool = False,
    ) -> MatchId:
        """Wait for a quick pairing and return the match, which has begun. To cancel this is to wait no longer.

        `takes_fewer`: a match with fewer seats will do after a while; `takes_bot`: so will a bot, when one is offered.
        Raises: RefusedError, SearchEndedError.
        """
        self._raise_if_ended()
        wish = Wish(game, seats, clock, rated)
        return await self._search.find(FindMatch(new_id(), wish, takes_fewer), takes_bot)

    async def leaders(self, kind: RatingKind) -> Leaders:
        """Return the best players of a kind of match."""
        answer = await self._ask(GetLeaders(new_id(), kind))
        if not isinstance(answer, Leaders):
            raise ProtocolError("The server was asked for leaders and told something else.")
        return answer

    async def profile(self, name: str) -> Profile:
        """Return what there is to see of the owner of an account, or of a bot (`bot-3`)."""
        answer = await self._ask(GetProfile(new_id(), name))
        if not isinstance(answer, Profile):
            raise ProtocolError("The server was asked for a profile and told something else.")
        return answer

    async def preview(self, game: str, setup: str = "") -> Previewed:
        """Ask what a match from a set-up text would begin with. Raises: RefusedError, as `create` would."""
        answer = await self._ask(Preview(new_id(), game, setup))
        if not isinstance(answer, Previewed):
            raise ProtocolError("The server accepted a preview.")
        return answer

    def watch(self, match: MatchId, since: int = 0, capacity: int = CAPACITY) -> MatchFeed:
        """Follow a match, one's own or another's, from the event after `since`.

        The feed holds up to `capacity` messages for a reader that is behind. A connection has one feed for a match:
        another that is still open is closed by this.
        """
        self._raise_if_ended()
        if match in self._feeds:
            self._feeds[match].close()
        feed = self._feeds[match] = MatchFeed(self, self.player.id, match, since, capacity)
        feed.resume()
        return feed

    async def say(self, match: MatchId, text: str) -> None:
        """Say something beside a match: to the other players, or, without a seat, to the other watchers."""
        await self._ask(Say(new_id(), match, text))

    async def mute(self, player: IdentityId, on: bool = True) -> None:
        """Hear somebody no longer, or again."""
        await self._ask(Mute(new_id(), player, on))

    async def report(
        self,
        match: MatchId,
        reason: ReportReason,
        *,
        player: IdentityId | None = None,
        line: int | None = None,
        words: str = "",
    ) -> None:
        """Tell those who run the server of a player or of a line; the line's text is kept with the report."""
        await self._ask(Report(new_id(), match, reason, player, line, words))

    def listen(self, match: MatchId) -> TalkFeed:
        """Hear what is said beside a match. A connection has one such feed for a match."""
        self._raise_if_ended()
        if match in self._talks:
            self._talks[match].close()
        talk = self._talks[match] = TalkFeed(self, match)
        talk.resume()
        return talk

    async def live_matches(self) -> AsyncIterator[tuple[MatchSummary, ...]]:
        """Yield the list of live matches now and whenever it has changed; a slow reader gets the latest list only."""
        async with aclosing(self._live_matches.read(self._raise_if_ended)) as lists:
            async for told in lists:
                yield told.matches

    async def your_matches(self) -> AsyncIterator[tuple[YourMatch, ...]]:
        """Yield the list of this player's matches being played, those that wait for a ply of theirs first, now and
        whenever it has changed; a slow reader gets the latest list only."""
        async with aclosing(self._your_matches.read(self._raise_if_ended)) as lists:
            async for told in lists:
                yield told.matches

    async def seeks(self) -> AsyncIterator[tuple[Seek, ...]]:
        """Yield the matches that wait for players, now and whenever the list has changed; `join` takes one."""
        async with aclosing(self._seeks.read(self._raise_if_ended)) as lists:
            async for told in lists:
                yield told.seeks

    async def take_challenges(self, rules: ChallengeRules | None) -> None:
        """Take challenges by these rules, for as long as this connection is kept up; with None take no more.

        For the accounts of bots. Raises: RefusedError.
        """
        await self._ask(TakeChallenges(new_id(), rules))
        self._rules = rules

    async def online_bots(self) -> AsyncIterator[tuple[OnlineBot, ...]]:
        """Yield the bots that take challenges, now and whenever the list has changed; `challenge` asks one."""
        async with aclosing(self._online_bots.read(self._raise_if_ended)) as lists:
            async for told in lists:
                yield told.bots

    async def challenges(self) -> AsyncIterator[tuple[Seek, ...]]:
        """Yield the challenges that wait for this player's answer, whenever there are others."""
        async with aclosing(self._challenges.follow()) as lists:
            async for told in lists:
                yield told.challenges

    async def ping(self) -> Pong:
        """Ask the server for a sign of life and for its clock."""
        self._raise_if_ended()
        nonce = secrets.randbits(48)
        answer: asyncio.Future[Pong] = asyncio.get_running_loop().create_future()
        self._pings[nonce] = answer
        self.post(Ping(nonce))
        try:
            return await answer
        finally:
            del self._pings[nonce]

    async def open(self) -> None:
        """Connect for the first time; `connect` does."""
        await self._line.open()

    async def close(self) -> None:
        """Close the connection; whatever still waits for it raises HungUpError."""
        await self._line.close()

    # For feeds

    def post(self, message: Message) -> None:
        """Send a message if there is a connection just now; what must not be lost is sent again on the next."""
        self._line.post(encode(message))

    def forget(self, feed: MatchFeed) -> None:
        """Hand the feed no more messages."""
        if self._feeds.get(feed.match) is feed:
            del self._feeds[feed.match]

    def stop_listening(self, feed: TalkFeed) -> None:
        """Hand the feed of talk no more messages."""
        if self._talks.get(feed.match) is feed:
            del self._talks[feed.match]

    # For the line

    def opened(self) -> None:
        """Say again what the server must have heard."""
        self.account.fail(ConnectionLostError("The connection broke before the server answered."))
        for frame, _ in self._unanswered.values():
            self._line.post(frame)
        for feed in self._feeds.values():
            feed.resume()
        for talk in self._talks.values():
            talk.resume()
        self._live_matches.resume()
        self._seeks.resume()
        self._your_matches.resume()
        self._online_bots.resume()
        self._search.resume()
        if self._rules is not None:
            self.post(TakeChallenges(new_id(), self._rules))
        for nonce in self._pings:
            self.post(Ping(nonce))

    def received(self, message: ServerMessage) -> None:
        """Hand a message to whom it is for. Raises: ProtocolError."""
        match message:
            case Accepted():
                self._answer(message.id, message)
                if (feed := self._feeds.get(message.match)) is not None:
                    feed.expect(message.seq)
            case Previewed() | Done() | Leaders() | Profile() | SignedIn() | TokenCreated() | Tokens():
                self._answer(message.id, message)
            case Refused():
                self._refuse(message)
            case Watching() | Happened() | Happenings() | Turn() | Audience() | Renamed():
                if (feed := self._feeds.get(message.match)) is not None:
                    feed.receive(message)
            case Chat() | Said():
                if (talk := self._talks.get(message.match)) is not None:
                    talk.receive(message)
            case OnlineBots():
                self._online_bots.receive(message)
            case LiveMatches() | YourMatches() | Seeks() | Challenges() | Searching() | Paired() | SearchEnded():
                self._hear_of_others(message)
            case Pong(nonce):
                settle(self._pings.get(nonce), message)
            case Welcome():
                raise ProtocolError("The server said Welcome twice.")

    def ended(self, error: ClientError) -> None:
        """Raise `error` in everything that waits, and in whatever is asked for from now on."""
        if self._end is not None:
            return
        self._end = error
        for _, answer in self._unanswered.values():
            settle(answer, error)
        self.account.fail(error)
        for pong in self._pings.values():
            settle(pong, error)
        for feed in self._feeds.values():
            feed.fail(error)
        for talk in self._talks.values():
            talk.fail(error)
        for followed in (self._live_matches, self._seeks, self._your_matches, self._online_bots):
            followed.wake()
        self._challenges.fail(error)
        self._search.fail(error)

    # Own

    def _hear_of_others(
        self, message: LiveMatches | YourMatches | Seeks | Challenges | Searching | Paired | SearchEnded
    ) -> None:
        match message:
            case LiveMatches():
                self._live_matches.receive(message)
            case YourMatches():
                self._your_matches.receive(message)
            case Seeks():
                self._seeks.receive(message)
            case Challenges():
                self._challenges.set(message)
            case _:
                self._search.receive(message)

    def _post_of_lobby(self, message: Message) -> None:
        """Send that the lists of the lobby are wanted, or, if nobody reads any, that they are wanted no more."""
        is_end = isinstance(message, WatchLobby) and not message.on
        if not (is_end and any(each.has_readers for each in (self._live_matches, self._seeks, self._online_bots))):
            self.post(message)

    def _welcome(self) -> Welcome:
        if self._line.welcome is None:
            raise HungUpError("This connection has not been opened.")
        return self._line.welcome

    def _raise_if_ended(self) -> None:
        if self._end is not None:
            raise self._end

    async def _command(self, command: Create | MatchCommand) -> Accepted:
        answer = await self._ask(command)
        if not isinstance(answer, Accepted):
            raise ProtocolError(f"The server answered a command by {type(answer).__name__}.")
        return answer

    async def _ask(
        self, command: Create | MatchCommand | Preview | Say | Mute | Report | RatingCommand | TakeChallenges
    ) -> Answered:
        self._raise_if_ended()
        frame = checked(command)
        answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._unanswered[command.id] = frame, answer
        self._line.post(frame)
        try:
            return await answer
        finally:
            del self._unanswered[command.id]

    def _send(self, command: AccountCommand) -> None:
        self._raise_if_ended()
        self._line.post(checked(command))

    def _entered(self, answer: SignedIn) -> None:
        """From now on this connection is that of an account."""
        self._line.token = answer.token
        self._line.welcome = replace(self._welcome(), player=answer.player, token=answer.token)

    def _answer(self, command: CommandId, result: Answered | RefusedError) -> None:
        if not self.account.answered(command, result):
            settle(self._unanswered.get(command, (b"", None))[1], result)

    def _refuse(self, refused: Refused) -> None:
        error = RefusedError(refused.code, refused.message, refused.match)
        if refused.id is not None:
            self._answer(refused.id, error)
            self._search.refuse(refused.id, error)
        elif refused.match is not None and refused.match in self._feeds:
            self._feeds.pop(refused.match).fail(error)
            if refused.match in self._talks:
                self._talks.pop(refused.match).fail(error)
        elif refused.match is not None and refused.match in self._talks:
            self._talks.pop(refused.match).fail(error)
