"""Tournaments: arenas, in which players are paired again and again until the time is over."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from .fields import (
    CommandId,
    CommandIdField,
    CountField,
    GameNameField,
    MatchId,
    Message,
    Part,
    SetupTextField,
    TournamentId,
)
from .values import ClockSettings, Player, RatingRange

TournamentIdField = Annotated[TournamentId, msgspec.Meta(min_length=1, max_length=32, pattern=r"^[!-~]*$")]
PasswordField = Annotated[str, msgspec.Meta(max_length=64)]
PAGE_ROWS = 25
"""Rows of the standings on one page."""


class ArenaPlan(Part, frozen=True):
    """What an arena is, and who may play in it."""

    name: Annotated[str, msgspec.Meta(min_length=2, max_length=60)]
    game: GameNameField
    clock: ClockSettings
    starts_at_ms: CountField
    minutes: Annotated[int, msgspec.Meta(ge=1, le=720)]
    """How long it lasts: 20 to 720 minutes."""
    rated: bool = True
    """Whether its matches count for the ratings."""
    berserk: bool = True
    """Whether players may halve their time for one more point, if the clock allows it."""
    ratings: RatingRange | None = None
    """The ratings of players who may join."""
    least_matches: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 0
    """How many rated matches of this kind a player must have played to join."""
    bots: bool = False
    """Whether bot accounts may join."""
    setup: SetupTextField = ""
    """Where its matches begin; empty for the game's own start."""
    description: Annotated[str, msgspec.Meta(max_length=500)] = ""


TournamentStatus: TypeAlias = Literal["planned", "running", "over"]


class TournamentSummary(Part, frozen=True):
    """An entry of the list of tournaments."""

    tournament: TournamentId
    plan: ArenaPlan
    by: str
    """The name of the player who organises it."""
    status: TournamentStatus
    ends_at_ms: int
    players: int
    private: bool = False
    """Whether one needs a password to join."""
    winner: str | None = None
    """The name of the first, once the tournament is over."""


class Standing(Part, frozen=True):
    """A row of the standings."""

    rank: int
    player: Player
    rating: int
    """When the player joined."""
    provisional: bool
    score: int
    points: tuple[int, ...] = ()
    """Of each match, in order."""
    fire: bool = False
    """Whether the next result counts double, after two wins in a row."""
    performance: int | None = None
    """None before the first match."""
    wins: int = 0
    berserks: int = 0
    paused: bool = False
    disqualified: bool = False
    match: MatchId | None = None
    """The match being played."""


class YourStanding(Part, frozen=True):
    """Your own place in a tournament."""

    standing: Standing
    opponent: Player | None = None
    """Whom you are playing."""
    table: int | None = None


# What a client sends


class CreateTournament(Message, frozen=True):
    """Create an arena; answered by `TournamentCreated`. You need an account."""

    id: CommandIdField
    plan: ArenaPlan
    password: PasswordField = ""
    """What players must know to join; empty for a public tournament."""


class JoinTournament(Message, frozen=True):
    """Join a tournament, or return after a pause; answered by `Done`. You need an account."""

    id: CommandIdField
    tournament: TournamentIdField
    password: PasswordField = ""


class LeaveTournament(Message, frozen=True):
    """Withdraw before a tournament begins, or pause during it; answered by `Done`. A match goes on."""

    id: CommandIdField
    tournament: TournamentIdField


class DisqualifyPlayer(Message, frozen=True):
    """Disqualify a player from a tournament; answered by `Done`. Only for moderators.

    The player leaves the standings, and results against the player no longer count.
    """

    id: CommandIdField
    tournament: TournamentIdField
    player: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    """The name."""


class WatchTournaments(Message, frozen=True):
    """Follow the list of tournaments, or stop. Answered by `Tournaments`, now and after each change."""

    on: bool = True


class WatchTournament(Message, frozen=True):
    """Follow a tournament. Answered by `TournamentView`, then by `TournamentUpdate` at most once a second."""

    tournament: TournamentIdField
    page: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 0
    """Which 25 rows of the standings, counted from 0."""


class UnwatchTournament(Message, frozen=True):
    """Stop following a tournament."""

    tournament: TournamentIdField


# What the server sends


class TournamentCreated(Message, frozen=True):
    """Answers `CreateTournament`."""

    id: CommandId
    tournament: TournamentId


class Tournaments(Message, frozen=True):
    """The tournaments that are running or planned, by their start, and those that ended last, the latest first."""

    tournaments: tuple[TournamentSummary, ...]


class TournamentView(Message, frozen=True):
    """Answers `WatchTournament`."""

    summary: TournamentSummary
    page: int
    standings: tuple[Standing, ...]
    """The rows of the page."""
    boards: tuple[MatchId, ...] = ()
    """The matches of the leaders."""
    berserk: bool = False
    """Whether players may halve their time."""
    you: YourStanding | None = None
    """None if you have not joined."""


class TournamentUpdate(Message, frozen=True):
    """What has changed in a tournament that you follow. What is None has not."""

    tournament: TournamentId
    page: int
    standings: tuple[Standing, ...] = ()
    """The rows that have changed; each replaces the row of its rank."""
    rows: int | None = None
    """How many rows the page has now."""
    summary: TournamentSummary | None = None
    boards: tuple[MatchId, ...] | None = None


class YourTournament(Message, frozen=True):
    """Your own place in a running tournament: sent to each of your connections after each change, and after `Hello`."""

    tournament: TournamentId
    name: str
    you: YourStanding | None
    """None if you have withdrawn."""
    over: bool = False


TournamentCommand: TypeAlias = (
    CreateTournament
    | JoinTournament
    | LeaveTournament
    | DisqualifyPlayer
    | WatchTournaments
    | WatchTournament
    | UnwatchTournament
)
TournamentMessage: TypeAlias = TournamentCreated | Tournaments | TournamentView | TournamentUpdate | YourTournament
