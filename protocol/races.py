"""Races: up to ten players solve the same puzzles at the same time, each harder than the one before."""

from typing import Annotated, TypeAlias

import msgspec

from .fields import CommandId, CommandIdField, IdentityId, Message, MoveTextField, Part
from .puzzles import MAX_SOLUTION_PLIES
from .storms import StormGameField, StormPuzzle
from .values import Player

RaceIdField = Annotated[str, msgspec.Meta(max_length=32, pattern=r"^[!-~]*$")]


class OpenRace(Message, frozen=True):
    """Open a race and join it; answered by `RaceOpened`."""

    id: CommandIdField
    game: StormGameField = ""
    """Whose puzzles are solved; empty for those of all games."""
    after: RaceIdField = ""
    """A finished race in which you took part, to race once more; `game` is then ignored. The first player to send this
    opens the next race, and the others join it."""


class JoinRace(Message, frozen=True):
    """Join a race that has not started, or leave it; answered by `Done`. It starts when ten players have joined."""

    id: CommandIdField
    race: RaceIdField
    on: bool = True


class StartRace(Message, frozen=True):
    """Start the countdown of a race; answered by `Done`. Only its starter can do this."""

    id: CommandIdField
    race: RaceIdField


class GetRaceRun(Message, frozen=True):
    """Get your puzzles in a race, when its countdown has begun; answered by `RaceRun`."""

    id: CommandIdField
    race: RaceIdField


class PlayRace(Message, frozen=True):
    """Play a move in your present puzzle of a race; answered by `RacePlayed`."""

    id: CommandIdField
    race: RaceIdField
    number: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    """The puzzle's number."""
    moves: Annotated[tuple[MoveTextField, ...], msgspec.Meta(min_length=1, max_length=MAX_SOLUTION_PLIES)]
    """The moves of both sides so far, ending with yours. Move texts, or clicks separated by single spaces."""


class WatchRace(Message, frozen=True):
    """Receive a race as `RaceView`, now and after each change, instead of the one watched before; or no longer."""

    race: RaceIdField
    on: bool = True


class Racer(Part, frozen=True):
    """A player in a race."""

    player: Player
    score: int
    """One point for each right move, and more for many in a row: 1 for the 5th, 2 for the 12th, 3 for the 20th, and
    then 4 for every 10th."""
    combo: int
    """Moves that were right in a row."""


class RaceView(Message, frozen=True):
    """A race as it is now, for those who watch it."""

    race: str
    game: str
    """Empty for all games."""
    starts_in_ms: int | None
    """Time until the first move; negative if it has passed, None before the countdown."""
    left_ms: int
    """Time until the end; 0 before the countdown and after the end."""
    racers: tuple[Racer, ...]
    """In the order in which they joined."""
    starter: IdentityId | None
    """Who can start it: of those who are online, the first to have joined."""
    next: str
    """The race that follows a finished one, if it has been opened."""


class RaceOpened(Message, frozen=True):
    """Answers `OpenRace`."""

    id: CommandId
    race: str
    """The last part of its link."""


class RaceRun(Message, frozen=True):
    """Answers `GetRaceRun`."""

    id: CommandId
    race: str
    starts_in_ms: int
    left_ms: int
    puzzles: tuple[StormPuzzle, ...]
    """Your present puzzle and the next one; fewer at the end of the puzzles."""
    moves: tuple[str, ...]
    """The moves of both sides in the present one so far."""
    you: Racer


class RacePlayed(Message, frozen=True):
    """Answers `PlayRace`."""

    id: CommandId
    race: str
    right: bool
    """Whether the move belongs to the solution. A wrong one ends the puzzle and the combo."""
    over: bool
    """Whether the race was over before the move, which then does not count."""
    reply: str
    """The opponent's answer to a right move; empty if the puzzle is over."""
    left_ms: int
    bonus: int
    """The points that the move won because of the combo."""
    next: StormPuzzle | None
    """After the last move of a puzzle, the one after the next, which is known already."""
    you: Racer


RaceCommand: TypeAlias = OpenRace | JoinRace | StartRace | GetRaceRun | PlayRace
RaceMessage: TypeAlias = RaceOpened | RaceRun | RacePlayed | RaceView
