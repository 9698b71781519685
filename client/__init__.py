"""Clients of a Millrace server: the asyncio library (`connection`), the terminal, and the page for browsers (`web`).

Clients know no rules; of the rest of Millrace they import `server.protocol` only.
"""

from client.account import AccountClient
from client.analysis import AnalysisClient
from client.archive import ArchiveClient
from client.connection import Connection, connect, sign_in
from client.errors import (
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
from client.feed import MatchFeed, MyTurn, Update
from client.lobby import LobbyClient
from client.match_commands import ME, OPEN, bot
from client.meeting import MeetingClient
from client.notices import NoticesClient
from client.order import OrderClient
from client.people import PeopleClient
from client.talk import TalkClient, TalkFeed
from client.view import Departure, MatchView, OpenOffer, Pile
from server.protocol import ChallengeRules, ClockSettings, Line, MatchId, SeatPlan, Seek

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
    "MeetingClient",
    "MyTurn",
    "NoticesClient",
    "OpenOffer",
    "OrderClient",
    "PeopleClient",
    "Pile",
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
