"""The base classes of messages, ids, and the bounds of fields that many messages share.

No messages themselves.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, NewType, TypeAlias

import msgspec

MatchId = NewType("MatchId", str)
IdentityId = NewType("IdentityId", str)
CommandId = NewType("CommandId", str)
TournamentId = NewType("TournamentId", str)

CommandIdField = Annotated[CommandId, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[!-~]*$")]
MatchIdField = Annotated[MatchId, msgspec.Meta(min_length=1, max_length=32, pattern=r"^[!-~]*$")]
IdentityIdField = Annotated[IdentityId, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[!-~]*$")]
SeatField = Annotated[int, msgspec.Meta(ge=0, le=3)]
LevelField = Annotated[int, msgspec.Meta(ge=1, le=8)] | Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
"""A bot's level, or the name of a level or of a personality."""
GameNameField = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
SetupTextField = Annotated[str, msgspec.Meta(max_length=2048)]
CountField = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
PlayerNameField = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
MoveTextField = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]

StandIn: TypeAlias = Literal["bot", "skip"]
"""How a seat continues without its player: a bot plays for it, or it is skipped."""

OfferKind: TypeAlias = Literal["draw", "takeback", "pause", "hand_over", "take_over"]
"""What players may offer each other during a match. With `hand_over`, a bot takes over the seat that offers; with
`take_over`, a spectator takes over from the bot of the seat.
"""

MoveTree: TypeAlias = Mapping[str, object]
"""Legal moves as a prefix tree of clicks. Keys are cells or choices; null means that the move is complete."""


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=_snake):
    """A message, or an event inside one, with its `type`."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a message, without a `type`."""


class Wording(Part, frozen=True):
    """A sentence for people as an English message and its values, for clients that translate it."""

    message: str
    """With `{name}` in place of each value."""
    values: Mapping[str, str | int] = {}
    """A value whose name ends in `_ms` is a duration in milliseconds."""
