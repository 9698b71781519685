"""Bot accounts: the challenges that they accept, and the bots that are online."""

from typing import Annotated, Literal

import msgspec

from .fields import CommandIdField, GameNameField, Message, Part
from .values import Player

DAY_MS = 86_400_000

DurationField = Annotated[int, msgspec.Meta(ge=0, le=DAY_MS)]


class ChallengeRules(Part, frozen=True):
    """The challenges that a bot accepts. The server refuses all others at once, so that no challenger waits."""

    games: Annotated[tuple[GameNameField, ...], msgspec.Meta(min_length=1, max_length=64)]
    """Names of games; the server ignores games that it does not offer."""
    positions: Literal["offered", "any"] = "offered"
    """Only the starting positions that the game offers, or any position."""
    most_seats: Annotated[int, msgspec.Meta(ge=2, le=4)] = 4
    casual: bool = True
    rated: bool = True
    untimed: bool = True
    correspondence: bool = False
    least_initial_ms: DurationField = 0
    most_initial_ms: DurationField = DAY_MS
    """Bounds of the initial clock time, periods included; they do not apply to correspondence."""
    least_increment_ms: DurationField = 0
    """Minimum increment, delay or period for each ply."""
    bots: bool = True
    """Whether other bots may challenge it."""
    most_matches: Annotated[int, msgspec.Meta(ge=1, le=32)] = 1
    """Maximum matches at once, including open challenges to the bot."""


class SetChallengeRules(Message, frozen=True):
    """Set the rules by which this bot accepts challenges; answered by `Done`. For bot accounts.

    While connected, the bot is listed and gets challenges that the rules allow. None: it accepts no more.
    """

    id: CommandIdField
    rules: ChallengeRules | None


class OnlineBot(Part, frozen=True):
    """A bot in the list of bots."""

    player: Player
    rules: ChallengeRules
    matches: int
    """The number of matches that the bot is playing, including open challenges to it."""


class OnlineBots(Message, frozen=True):
    """The bots that accept challenges, ordered by name: sent with `LiveMatches`, and after each change."""

    bots: tuple[OnlineBot, ...]
