"""Bots that others write: which challenges they take, and which of them are online."""

from typing import Annotated, Literal

import msgspec

from .fields import CommandIdField, GameNameField, Message, Part
from .values import Player

DAY_MS = 86_400_000

DurationField = Annotated[int, msgspec.Meta(ge=0, le=DAY_MS)]


class ChallengeRules(Part, frozen=True):
    """Which challenges a bot takes. The server refuses all others at once, so that nobody waits for an answer."""

    games: Annotated[tuple[GameNameField, ...], msgspec.Meta(min_length=1, max_length=64)]
    """By name; one that the server does not offer counts for nothing."""
    positions: Literal["offered", "any"] = "offered"
    """Only from the starts that a game offers, or from any position."""
    most_seats: Annotated[int, msgspec.Meta(ge=2, le=4)] = 4
    casual: bool = True
    rated: bool = True
    untimed: bool = True
    correspondence: bool = False
    least_initial_ms: DurationField = 0
    most_initial_ms: DurationField = DAY_MS
    """Bounds of the time that a clock starts with, but for correspondence."""
    least_increment_ms: DurationField = 0
    """What a ply adds at least, or what of it does not count."""
    bots: bool = True
    """Whether other bots may challenge it."""
    most_matches: Annotated[int, msgspec.Meta(ge=1, le=32)] = 1
    """So many at once, those among them to which it is challenged."""


class TakeChallenges(Message, frozen=True):
    """From now on, and as long as this connection lasts, the bot is listed and takes challenges by these rules; None:
    it takes none any more. For the accounts of bots; answered by `Done`."""

    id: CommandIdField
    rules: ChallengeRules | None


class OnlineBot(Part, frozen=True):
    """A line of the list of bots."""

    player: Player
    rules: ChallengeRules
    matches: int
    """So many it has on its hands, those among them to which it is challenged."""


class OnlineBots(Message, frozen=True):
    """The bots that take challenges, by name: with `LiveMatches`, now and whenever the list changes."""

    bots: tuple[OnlineBot, ...]
