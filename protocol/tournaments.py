"""Tournaments: arenas, in which players are paired again and again until the time is over, tournaments in rounds, and
simultaneous exhibitions (simuls).

Scores except those of arenas are in half points: 2 for a win, 1 for a draw. In arenas of three and four seats, whose
players may share points, they are in twelfths of a point.
"""

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
PlayerNameField = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
PAGE_ROWS = 25
"""Rows of the standings on one page."""


TournamentKind: TypeAlias = Literal["arena", "swiss", "round_robin", "knockout", "simul"]


class TournamentPlan(Part, frozen=True):
    """What a tournament is, and who may play in it."""

    name: Annotated[str, msgspec.Meta(min_length=2, max_length=60)]
    game: GameNameField
    clock: ClockSettings
    starts_at_ms: CountField
    minutes: Annotated[int, msgspec.Meta(ge=0, le=720)] = 0
    """How long an arena lasts: 20 to 720 minutes. The others last until all rounds are over."""
    rated: bool = True
    """Whether its matches count for the ratings."""
    berserk: bool = True
    """Whether players of an arena may halve their time for one more point, if the clock allows it."""
    ratings: RatingRange | None = None
    """The ratings of players who may join."""
    least_matches: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 0
    """How many rated matches of this kind a player must have played to join."""
    bots: bool = False
    """Whether bot accounts may join."""
    setup: SetupTextField = ""
    """Where its matches begin; empty for the game's own start."""
    description: Annotated[str, msgspec.Meta(max_length=500)] = ""
    kind: TournamentKind = "arena"
    rounds: Annotated[int, msgspec.Meta(ge=0, le=15)] = 0
    """How many rounds a Swiss has: 3 to 15."""
    pause_s: Annotated[int, msgspec.Meta(ge=10, le=300)] = 30
    """Seconds between the last result of a round and the next round."""
    round_days: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    """Days that each round by correspondence lasts. In a match that is not finished then, the player whose turns have
    taken longer loses. 0: a round ends with its last match."""
    double: bool = False
    """Whether everybody meets everybody twice in a round robin, or the second defeat eliminates in a knockout."""
    best_of: Annotated[int, msgspec.Meta(ge=1, le=9)] = 2
    """Matches of an encounter in a knockout, with seats exchanged; if they are level, faster ones follow."""
    extra_minutes: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    """How much more time than the players the host of a simul has on each clock."""
    host_seat: Literal["first", "second", "alternating"] = "alternating"
    """The seat of the host of a simul; alternating: the first at odd tables."""
    seats: Annotated[int, msgspec.Meta(ge=2, le=4)] = 2
    """Players at a table. Only arenas have three or four, and are then played in rounds."""
    duplicate: bool = False
    """Whether an arena of tables is decided by differences alone: see `Standing.difference`."""


TournamentStatus: TypeAlias = Literal["planned", "running", "over"]


class TournamentSummary(Part, frozen=True):
    """An entry of the list of tournaments."""

    tournament: TournamentId
    plan: TournamentPlan
    by: str
    """The name of the player who organises it."""
    status: TournamentStatus
    ends_at_ms: int
    """When it ends or has ended. Of a tournament in rounds, this is its start until it is over."""
    players: int
    private: bool = False
    """Whether one needs a password to join."""
    winner: str | None = None
    """The name of the first, once the tournament is over."""
    round: int = 0
    """The latest round, from 1; 0 before the first, and in arenas for two seats."""
    rounds: int = 0
    """How many rounds there are; 0 in arenas and knockouts."""
    next_round_at_ms: int | None = None
    """When the next round starts, if that is known; of rounds by date, also when the last one ends."""


class Standing(Part, frozen=True):
    """A row of the standings."""

    rank: int
    player: Player
    rating: int
    """When the player joined."""
    provisional: bool
    score: int
    """In points in arenas for two seats, in twelfths of a point in arenas of tables, otherwise in half points."""
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
    buchholz: int | None = None
    """The sum of the opponents' scores, in half points. Only in Swiss tournaments and round robins, as the next."""
    sonneborn_berger: int | None = None
    """The sum of the opponents' scores, each times the own result against them, in quarter points."""
    out: bool = False
    """Whether the player of a knockout has been eliminated."""
    accepted: bool = False
    """Whether the host of a simul has accepted the player."""
    difference: int | None = None
    """In arenas of tables: the player's cells minus the mean of all who had the same seat on the same pasture, summed
    over all rounds, in hundredths of a cell."""


class TournamentTable(Part, frozen=True):
    """A table of a round, or an encounter of a knockout. Three or four play at a table of an arena."""

    round: int
    """From 1. In the losers' side of a knockout, rounds are counted by themselves."""
    table: int
    players: tuple[Player | None, ...]
    """By seat, or the higher seed first in a knockout. None for nobody (a bye), or where nobody is known yet."""
    match: MatchId | None = None
    """The latest match at this table; None before it is created, and without one."""
    points: tuple[int, ...] | None = None
    """Half points, or twelfths at a table of an arena; None before the first result."""
    forfeit: bool = False
    """Whether a player did not come."""
    losers: bool = False
    """Whether it belongs to the losers' side of a knockout."""


class YourStanding(Part, frozen=True):
    """Your own place in a tournament."""

    standing: Standing
    opponent: Player | None = None
    """Whom you are playing; the first by seat of several."""
    table: int | None = None
    opponents: tuple[Player, ...] = ()
    """All whom you are playing, by seat."""


# What a client sends


class CreateTournament(Message, frozen=True):
    """Create a tournament; answered by `TournamentCreated`. You need an account."""

    id: CommandIdField
    plan: TournamentPlan
    password: PasswordField = ""
    """What players must know to join; empty for a public tournament."""


class JoinTournament(Message, frozen=True):
    """Join a tournament, or return after a pause; answered by `Done`. You need an account."""

    id: CommandIdField
    tournament: TournamentIdField
    password: PasswordField = ""


class LeaveTournament(Message, frozen=True):
    """Withdraw before a tournament begins, or pause during it; answered by `Done`. A match goes on.

    The host of a simul calls it off by this before the start.
    """

    id: CommandIdField
    tournament: TournamentIdField


class DisqualifyPlayer(Message, frozen=True):
    """Disqualify a player from a tournament; answered by `Done`. Only for moderators.

    The player leaves the standings, and results against the player no longer count.
    """

    id: CommandIdField
    tournament: TournamentIdField
    player: PlayerNameField
    """The name."""


class ForbidPairing(Message, frozen=True):
    """Keep two players of a Swiss apart, or let them meet again; answered by `Done`. Only for the organiser and
    moderators.
    """

    id: CommandIdField
    tournament: TournamentIdField
    players: tuple[PlayerNameField, PlayerNameField]
    """The names of two who have joined."""
    on: bool = True


class AcceptPlayer(Message, frozen=True):
    """Accept a player who has applied to play in your simul, or remove an accepted one before the start (`on` false);
    answered by `Done`. Only for the host.
    """

    id: CommandIdField
    tournament: TournamentIdField
    player: PlayerNameField
    """The name."""
    on: bool = True


class StartSimul(Message, frozen=True):
    """Start your simul with the players whom you have accepted; answered by `Done`. Only for the host."""

    id: CommandIdField
    tournament: TournamentIdField


class GetTournamentMatches(Message, frozen=True):
    """Ask for the matches of one player in a tournament; answered by `TournamentMatches`."""

    id: CommandIdField
    tournament: TournamentIdField
    player: PlayerNameField
    """The name."""


class TournamentMatches(Message, frozen=True):
    """A player's matches in a tournament: the tables of all rounds, or in an arena for two the counted matches, which
    `round` counts and in which the player comes first."""

    id: CommandId
    tables: tuple[TournamentTable, ...]


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
    tables: tuple[TournamentTable, ...] = ()
    """Of all rounds until now, the boards of a simul, or the encounters of a knockout; none in arenas for two seats."""
    forbidden: tuple[tuple[Player, Player], ...] = ()
    """Players of a Swiss who are kept apart."""


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
    tables: tuple[TournamentTable, ...] = ()
    """Those that are new or have changed; each replaces the one with its round, number and side."""
    forbidden: tuple[tuple[Player, Player], ...] | None = None


class YourTournament(Message, frozen=True):
    """Your own place in a running tournament: sent to each of your connections after each change, and after `Hello`."""

    tournament: TournamentId
    name: str
    you: YourStanding | None
    """None if you have withdrawn."""
    over: bool = False
    by_correspondence: bool = False
    """Whether it is played by correspondence, so that nobody has to come to the board at once."""


TournamentCommand: TypeAlias = (
    CreateTournament
    | JoinTournament
    | LeaveTournament
    | DisqualifyPlayer
    | ForbidPairing
    | AcceptPlayer
    | StartSimul
    | GetTournamentMatches
    | WatchTournaments
    | WatchTournament
    | UnwatchTournament
)
TournamentMessage: TypeAlias = (
    TournamentCreated | TournamentMatches | Tournaments | TournamentView | TournamentUpdate | YourTournament
)
