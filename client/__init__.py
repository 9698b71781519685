"""Clients of a Millrace server: the asyncio library (`connection`), the terminal, and the page for browsers (`web`).

Clients know no rules; of the rest of Millrace they import `server.protocol` only.
"""

from millrace.server.protocol import ChallengeRules, ClockSettings, Line, MatchId, SeatPlan, Seek

from .account import AccountClient
from .analysis import AnalysisClient
from .archive import ArchiveClient
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
from .feed import MatchFeed, MyTurn, Update
from .lobby import LobbyClient
from .match_commands import ME, OPEN, bot
from .notifications import NotificationsClient
from .order import OrderClient
from .players import PlayersClient
from .talk import TalkClient, TalkFeed
from .view import Departure, MatchView, OpenOffer, Pile

__all__ = [
    "ME",
    "OPEN",
    "AccountClient",
    "AddressError",
    "AnalysisClient",
    "ArchiveClient",
    "ChallengeRules",
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
    "MyTurn",
    "NotificationsClient",
    "OpenOffer",
    "OrderClient",
    "Pile",
    "PlayersClient",
    "ProtocolError",
    "RefusedError",
    "SearchEndedError",
    "SeatPlan",
    "Seek",
    "TalkClient",
    "TalkFeed",
    "UnreachableError",
    "Update",
    "bot",
    "connect",
    "sign_in",
]
