"""What is asked of bots, and who answers: values and an interface, no process and no queue."""

from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple, Protocol


class BotError(Exception):
    """No worker could answer a request, though it was made several times."""


class Urgency(IntEnum):
    """The classes of requests, the most urgent first; none is answered while a more urgent one waits for its worker."""

    MOVE = 0
    """A bot's ply in a match that somebody plays in."""
    ANALYSIS = 1
    """What a position is worth, for somebody who will be told something of it."""
    EXHIBITION = 2
    """A bot's ply in a match of bots alone."""
    PONDERING = 3
    """Thinking in the opponent's time: with what nobody else needs, and never waiting."""


@dataclass(frozen=True, slots=True)
class BotRequest:
    """All that a bot is told: strings and numbers, so that any process or machine can answer."""

    game: str
    setup: str
    moves: tuple[str, ...]
    level: int | str
    """A level, or the name of a personality."""
    seed: int
    movetime_ms: float | None
    """The most that it may think, or None for its level's own time."""
    soft_ms: float | None = None
    """For how long it should think, give or take, by its clock (`engine.time_management`); None: as long as it may."""
    last_ms: float | None = None
    """In what time from now the answer must be there for the clock, waiting included; None: no clock runs."""
    threads: int = 1
    """By how many processors it is searched."""
    urgency: Urgency = Urgency.MOVE
    owner: str = ""
    """Whose request it is: those of different owners are answered in turn."""
    table: str = ""
    """Names what is learnt of one match from one seat, so that a search may begin with what the last one knew; empty:
    nothing is kept."""
    nodes: int | None = None
    """The most that an analysis may search for each move that it compares."""
    variations: int = 1
    """Of an analysis: how many of the best moves it compares."""
    also: str = ""
    """Of an analysis: the text of a move that is valued besides."""


class Finding(NamedTuple):
    """What an analysis found of one move."""

    value: int
    """In hundredths of a man, from the view of the seat to move; see `engine.analysis.Analysis`."""
    moves: tuple[str, ...]
    """The move, and how play goes on; empty only if play is over."""


class Findings(NamedTuple):
    """What an analysis found."""

    depth: int
    nodes: int
    """Searched for the best move."""
    search_ms: float
    """Spent on that."""
    elapsed_ms: float
    """Spent on all of it."""
    best: tuple[Finding, ...]
    """The best moves, the best first; at least one."""
    also: Finding | None
    is_settled: bool
    """Whether searching for longer would find nothing else."""
    is_cut: bool
    """Whether it had to end before it had searched as much as it was to."""


class Solved(NamedTuple):
    """How a position or a move ends with the best play of all, for the seat to move before it."""

    result: int
    """1 wins, 0 draws, -1 loses."""
    plies: int | None
    """To the end, counted from after the move; None of a draw."""


class SolvedEnding(NamedTuple):
    """What solved endings tell of a position."""

    tables: tuple[str, ...]
    """Which there are."""
    position: Solved | None
    moves: tuple[tuple[str, Solved], ...]
    """The legal moves whose end is known, the best first."""


class Knowledge(NamedTuple):
    """Folders of what the strongest bots know before they think."""

    endings: Path
    """Solved endings."""
    books: Path
    """Opening books that were grown here; those that come with the games are known anyway."""


class Bots(Protocol):
    """Who answers for bot seats. To cancel the task that waits for an answer withdraws the request."""

    @property
    def is_ready(self) -> bool:
        """Whether requests are answered at once; those made before wait."""

    @property
    def is_pressed(self) -> bool:
        """Whether people wait for bots: then nothing is begun that nobody needs."""

    async def start(self) -> None:
        """Return when requests are answered. Raises: BotError if they never will be."""

    async def choose(self, request: BotRequest) -> str:
        """Return the text of the move to play. Raises: BotError."""

    async def evaluate(self, request: BotRequest) -> int:
        """Return what the position is worth to the seat to move, in hundredths of a man. Raises: BotError."""

    async def analyse(self, request: BotRequest) -> Findings:
        """Return what the strongest level finds, given all of its time. Raises: BotError."""

    async def look_up(self, request: BotRequest) -> SolvedEnding:
        """Return what solved endings tell. Raises: BotError."""

    async def ponder(self, request: BotRequest) -> None:
        """Think ahead about a position in which the opponent is to move, as long as nobody else needs the processor;
        return when that is over."""

    async def close(self) -> None:
        """Answer nothing more."""
