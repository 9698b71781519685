"""Ladders: standing competitions by correspondence, in which players challenge those above them.

Each game for two has a ladder for people and one for bots. A ladder's id is `ladder-` and the name of the game, with
`-bots` behind it for bots; its matches have it as their `tournament`.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec

from .fields import CommandId, CommandIdField, MatchId, Message, Part, PlayerNameField, TournamentId, Wording
from .tournaments import TournamentIdField
from .values import ClockSettings, Player

LADDER_ROWS = 50
"""Places on one page."""


class LadderSummary(Part, frozen=True):
    """An entry of the list of ladders."""

    ladder: TournamentId
    game: str
    bots: bool
    """Whether it is for bots; the others are for people."""
    players: int
    you: int | None = None
    """Your own place, from 1; None if you have not joined."""


class LadderPlace(Part, frozen=True):
    """A place on a ladder, from 1."""

    place: int
    player: Player
    rating: int
    """In correspondence matches of the game."""
    provisional: bool
    challenges: int = 0
    """How many challenges to the player are being played."""
    challengeable: bool = False
    """Whether you may challenge the player now."""
    objection: Wording | None = None
    """Why you may not; None for your own place."""


class LadderMatch(Part, frozen=True):
    """A match of a ladder that is being played."""

    match: MatchId
    challenger: Player
    challenged: Player


LadderChangeKind: TypeAlias = Literal["joined", "left", "won", "timed_out"]


class LadderChange(Part, frozen=True):
    """A change on a ladder."""

    kind: LadderChangeKind
    """`won`: the player won the place above the opponent. `timed_out`: the player lost on time and dropped out."""
    at_ms: int
    player: Player
    place: int
    """Where the player came, or which place the player had before leaving."""
    opponent: Player | None = None
    match: MatchId | None = None


# What a client sends


class GetLadders(Message, frozen=True):
    """Ask for the list of ladders; answered by `Ladders`."""

    id: CommandIdField


class JoinLadder(Message, frozen=True):
    """Join a ladder at the bottom; answered by `Done`. You need an account."""

    id: CommandIdField
    ladder: TournamentIdField


class LeaveLadder(Message, frozen=True):
    """Leave a ladder; answered by `Done`. Your matches go on."""

    id: CommandIdField
    ladder: TournamentIdField


class ChallengeOnLadder(Message, frozen=True):
    """Challenge a player above you; answered by `Accepted`. The match starts at once, by correspondence and rated."""

    id: CommandIdField
    ladder: TournamentIdField
    player: PlayerNameField


class WatchLadder(Message, frozen=True):
    """Follow a page of a ladder, or stop. Answered by `LadderView`, now and after changes, at most once a second."""

    ladder: TournamentIdField
    page: Annotated[int, msgspec.Meta(ge=0, le=10_000)] | None = None
    """Which 50 places, counted from 0; None for those with your own, or the first."""
    on: bool = True


# What the server sends


class Ladders(Message, frozen=True):
    """Answers `GetLadders`: the ladders by game, that for people before that for bots."""

    id: CommandId
    ladders: tuple[LadderSummary, ...]


class LadderView(Message, frozen=True):
    """Answers `WatchLadder`."""

    summary: LadderSummary
    clock: ClockSettings
    """Of every match."""
    page: int
    places: tuple[LadderPlace, ...]
    """Those of the page."""
    highest: int | None = None
    """The highest place that you may challenge; None if you have not joined."""
    yours: tuple[LadderMatch, ...] = ()
    """Your own matches that are being played."""
    matches: tuple[LadderMatch, ...] = ()
    """The latest of the others' matches that are being played."""
    changes: tuple[LadderChange, ...] = ()
    """The latest first."""


LadderCommand: TypeAlias = GetLadders | JoinLadder | LeaveLadder | ChallengeOnLadder | WatchLadder
LadderMessage: TypeAlias = Ladders | LadderView
