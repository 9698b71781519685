"""The Python client library for Millrace servers.

    from millrace.client import ME, bot, connect

    async with connect("localhost:8000") as me:
        feed = me.watch((await me.create("morris", [ME, bot(1)])).match)
        async for turn in feed.turns():
            await turn.play(random.choice(turn.moves))

The public API is what this package and `millrace.client.bots` export. All other modules are private and may change.
Clients know no rules; the only other part of Millrace that they import is its protocol.
"""

from millrace.protocol import ChallengeRules, ClockSettings, Line, MatchId, SeatPlan, Seek, chat_of_tournament

from .account import AccountClient
from .analysis import AnalysisClient
from .archive import ArchiveClient
from .chat import ChatClient, ChatFeed
from .clock_texts import ClockFace, format_clock, parse_clock
from .connection import Connection, connect, sign_in
from .errors import (
    AddressError,
    ClientError,
    ConnectionLostError,
    DismissedError,
    HungUpError,
    ProtocolError,
    RefusedError,
    SearchEndedError,
    UnreachableError,
)
from .ladders import LaddersClient
from .lobby import LobbyClient
from .match_commands import ME, OPEN, bot
from .match_feed import MatchFeed, MyTurn, Update
from .match_view import Departure, MatchView, OpenOffer, Pile
from .moderation import ModerationClient
from .notifications import NotificationsClient
from .players import PlayersClient
from .puzzles import PuzzleClient
from .spectating import SpectatingClient
from .studies import StudiesClient
from .teaching import TeachingClient
from .tournaments import TournamentsClient

__all__ = [
    "ME",
    "OPEN",
    "AccountClient",
    "AddressError",
    "AnalysisClient",
    "ArchiveClient",
    "ChallengeRules",
    "ChatClient",
    "ChatFeed",
    "ClientError",
    "ClockFace",
    "ClockSettings",
    "Connection",
    "ConnectionLostError",
    "Departure",
    "DismissedError",
    "HungUpError",
    "LaddersClient",
    "Line",
    "LobbyClient",
    "MatchFeed",
    "MatchId",
    "MatchView",
    "ModerationClient",
    "MyTurn",
    "NotificationsClient",
    "OpenOffer",
    "Pile",
    "PlayersClient",
    "ProtocolError",
    "PuzzleClient",
    "RefusedError",
    "SearchEndedError",
    "SeatPlan",
    "Seek",
    "SpectatingClient",
    "StudiesClient",
    "TeachingClient",
    "TournamentsClient",
    "UnreachableError",
    "Update",
    "bot",
    "chat_of_tournament",
    "connect",
    "format_clock",
    "parse_clock",
    "sign_in",
]
