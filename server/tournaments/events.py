"""Events: facts about a tournament, stored unchanged and numbered from 1 without gaps.

Pure. Stored events are read forever: a new field needs a default. Players are named by identity alone, so renaming or
deleting an account changes nothing else.
"""

from typing import Literal, TypeAlias

import msgspec

from millrace.protocol import IdentityId, MatchId, TournamentPlan
from millrace.protocol.newer_fields import read_json


class TournamentEvent(msgspec.Struct, frozen=True, tag_field="type"):
    """A fact about a tournament, with its `type`."""


class Announced(TournamentEvent, frozen=True, tag="announced"):
    """A player announced the tournament. This is always the first event."""

    plan: TournamentPlan
    by: IdentityId
    password: str = ""
    """The digest of the password; empty without one."""


class Joined(TournamentEvent, frozen=True, tag="joined"):
    """A player joined, or came back after a pause."""

    identity: IdentityId
    rating: int
    provisional: bool


class Withdrawn(TournamentEvent, frozen=True, tag="withdrawn"):
    """A player withdrew before the start."""

    identity: IdentityId


class PlayerPaused(TournamentEvent, frozen=True, tag="paused"):
    """A player is not paired until they come back."""

    identity: IdentityId
    reason: Literal["wish", "missed"] = "wish"


class Reminded(TournamentEvent, frozen=True, tag="reminded"):
    """The players who had joined in good time were notified of the start, in the same transaction."""


class Begun(TournamentEvent, frozen=True, tag="begun"):
    """The tournament began."""


class Pair(msgspec.Struct, frozen=True, array_like=True):
    """Two players who meet."""

    match: MatchId
    players: tuple[IdentityId, IdentityId]
    """By seat."""
    table: int


class WavePaired(TournamentEvent, frozen=True, tag="paired"):
    """A wave, or a round, decided who plays whom. Its matches are created afterwards, each under the id chosen here."""

    pairs: tuple[Pair, ...]
    byes: tuple[IdentityId, ...] = ()
    """The players of a round who have no opponent."""
    walkovers: tuple[tuple[IdentityId, IdentityId], ...] = ()
    """Players of a round who win because their opponent has left; each with the opponent."""


class Opened(TournamentEvent, frozen=True, tag="opened"):
    """These matches of a wave have been created. Nobody hears of a match before."""

    matches: tuple[MatchId, ...]


class Scored(TournamentEvent, frozen=True, tag="scored"):
    """A match of the tournament ended in time."""

    match: MatchId
    ranks: tuple[int, int] | None
    """By seat, as in `Ended`; None without a result."""
    plies: int
    berserk: tuple[int, ...] = ()
    """The seats that had halved their time."""
    absent: int | None = None
    """The seat that did not make its first move."""


class Disqualified(TournamentEvent, frozen=True, tag="disqualified"):
    """A moderator disqualified a player."""

    identity: IdentityId
    by: IdentityId


class PairingForbidden(TournamentEvent, frozen=True, tag="forbidden"):
    """Two players of a Swiss are not paired with each other from the next round on, or may be again."""

    players: tuple[IdentityId, IdentityId]
    on: bool


class Accepted(TournamentEvent, frozen=True, tag="accepted"):
    """The host of a simul accepted a player, or removed one."""

    identity: IdentityId
    on: bool


class Halted(TournamentEvent, frozen=True, tag="halted"):
    """The tournament's time stood still for a while, in which the server could store nothing."""

    since_ms: int
    until_ms: int


class Closed(TournamentEvent, frozen=True, tag="closed"):
    """The time was over, or the last round. Matches that still ran do not count."""


AnyEvent: TypeAlias = (
    Announced
    | Joined
    | Withdrawn
    | PlayerPaused
    | Reminded
    | Begun
    | WavePaired
    | Opened
    | Scored
    | Disqualified
    | PairingForbidden
    | Accepted
    | Halted
    | Closed
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def encode_event(event: TournamentEvent) -> str:
    """Return an event as it is stored."""
    return _encoder.encode(event).decode()


def parse_event(body: str) -> AnyEvent:
    """Read a stored event, ignoring fields added by a newer server. Raises: msgspec.MsgspecError."""
    return read_json(body, _decoder)
