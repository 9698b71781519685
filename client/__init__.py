"""Clients of a Millrace server: the asyncio library (`connection`), the terminal, and the page for browsers (`web`).

Clients know no rules; of the rest of Millrace they import `server.protocol` only.
"""

from millrace.server.protocol import ChallengeRules, ClockSettings, Line, MatchId, SeatPlan, Seek

from .account import AccountClient
from .analysis import AnalysisClient
from .archive import ArchiveClient
from .chat import ChatClient, ChatFeed
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
from .lobby import LobbyClient
from .match_commands import ME, OPEN, bot
from .match_feed import MatchFeed, MyTurn, Update
from .match_view import Departure, MatchView, OpenOffer, Pile
from .moderation import ModerationClient
from .notifications import NotificationsClient
from .players import PlayersClient

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
    "ClockSettings",
    "Connection",
    "ConnectionLostError",
    "Departure",
    "DismissedError",
    "HungUpError",
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
    "RefusedError",
    "SearchEndedError",
    "SeatPlan",
    "Seek",
    "UnreachableError",
    "Update",
    "bot",
    "connect",
    "sign_in",
]
