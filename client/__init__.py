"""Clients of a Millrace server: the asyncio library (`connection`) and the page for browsers (`web`).

Clients know no rules; of the rest of Millrace they import `server.protocol` only.
"""

from client.account import AccountClient
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
from client.match_commands import ME, OPEN, bot
from client.talk import TalkFeed
from client.view import Departure, MatchView, OpenOffer, Pile
from server.protocol import ChallengeRules, ClockSettings, MatchId, SeatPlan, Seek

__all__ = [
    "ME",
    "OPEN",
    "AccountClient",
    "AddressError",
    "ChallengeRules",
    "ClientError",
    "ClockSettings",
    "Connection",
    "ConnectionLostError",
    "Departure",
    "DismissedError",
    "HungUpError",
    "MatchFeed",
    "MatchId",
    "MatchView",
    "MyTurn",
    "OpenOffer",
    "Pile",
    "ProtocolError",
    "RefusedError",
    "SearchEndedError",
    "SeatPlan",
    "Seek",
    "TalkFeed",
    "UnreachableError",
    "Update",
    "bot",
    "connect",
    "sign_in",
]
