"""Events: facts about a ladder, stored unchanged and numbered from 1 without gaps.

Pure. Stored events are read forever: a new field needs a default. Players are named by identity alone, so renaming or
deleting an account changes nothing else.
"""

from typing import Literal, TypeAlias

import msgspec

from millrace.protocol import IdentityId, MatchId
from millrace.protocol.newer_fields import read_json


class LadderEvent(msgspec.Struct, frozen=True, tag_field="type"):
    """A fact about a ladder, with its `type`."""


class LadderJoined(LadderEvent, frozen=True, tag="joined"):
    """A player joined at the bottom."""

    identity: IdentityId


class LadderLeft(LadderEvent, frozen=True, tag="left"):
    """A player left. Matches go on, but move nobody who has left."""

    identity: IdentityId
    reason: Literal["wish", "account"] = "wish"
    """`account` if it was banned, deleted, or turned into a bot."""


class LadderChallenged(LadderEvent, frozen=True, tag="challenged"):
    """A player challenged another. The match was created in the same transaction."""

    match: MatchId
    challenger: IdentityId
    challenged: IdentityId
    seat: int
    """The challenger's."""


class LadderSettled(LadderEvent, frozen=True, tag="settled"):
    """The match of a challenge ended."""

    match: MatchId
    winner: IdentityId | None = None
    """None after a draw, and without a result."""
    on_time: bool = False
    """Whether the other player lost on time."""


AnyLadderEvent: TypeAlias = LadderJoined | LadderLeft | LadderChallenged | LadderSettled

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyLadderEvent] = msgspec.json.Decoder(AnyLadderEvent)


def encode_event(event: LadderEvent) -> str:
    """Return an event as it is stored."""
    return _encoder.encode(event).decode()


def parse_event(body: str) -> AnyLadderEvent:
    """Read a stored event, ignoring fields added by a newer server. Raises: msgspec.MsgspecError."""
    return read_json(body, _decoder)
