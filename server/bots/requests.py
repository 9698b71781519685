"""Requests to bots, their answers, and the interface of the answering service. No processes and no queue."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol

from millrace.engine.levels.opponents import DRAW_PENALTY


class BotError(Exception):
    """No worker could answer a request in several attempts."""


class Urgency(IntEnum):
    """The classes of requests, most urgent first. A request waits while a more urgent one waits for its worker."""

    MOVE = 0
    """A bot's move in a match with a human player."""
    ANALYSIS = 1
    """The score of a position, for a waiting player."""
    EXHIBITION = 2
    """A bot's move in a match between bots."""
    BACKGROUND = 3
    """The review of a match for which nobody waits."""
    PONDERING = 4
    """Thinking in the opponent's time: only on idle processors, and never queued."""


@dataclass(frozen=True, slots=True)
class BotRequest:
    """Everything a bot needs to answer: strings and numbers only, so that any process or machine can answer."""

    game: str
    setup: str
    moves: tuple[str, ...]
    level: int | str
    """A level, or the name of a personality."""
    seed: int
    movetime_ms: float | None
    """Maximum thinking time; None for the level's own time."""
    soft_ms: float | None = None
    """Intended thinking time, from `engine.time_management`; None to use all of `movetime_ms`."""
    last_ms: float | None = None
    """Time until the clock runs out, including waiting; None if no clock runs."""
    threads: int = 1
    """Number of processors to search with."""
    urgency: Urgency = Urgency.MOVE
    owner: str = ""
    """Requests of different owners are answered in turn."""
    table: str = ""
    """Key of the transposition table to reuse: the id of the match, or "-", and for whom. Empty to keep nothing."""
    draw_penalty: int = DRAW_PENALTY
    """By how much less than 0 a draw is worth to the strongest level's seat, in hundredths of a man."""
    nodes: int | None = None
    """For an analysis: maximum nodes for each of the compared moves."""
    variations: int = 1
    """For an analysis: the number of best moves to compare."""
    also: str = ""
    """For an analysis: the text of a move to evaluate in any case."""

    @property
    def ids(self) -> dict[str, str]:
        """The match and the owner, if there are any, as the log names them."""
        match = self.table.partition(" ")[0].strip("-")
        return {name: each for name, each in (("match", match), ("owner", self.owner)) if each}


class EvaluatedMove(NamedTuple):
    """A move with its score and continuation."""

    value: int
    """In hundredths of a man, from the view of the side to move; see `engine.search.Analysis`."""
    moves: tuple[str, ...]
    """The move and its expected continuation; empty only if the match is over."""


class AnalysisResult(NamedTuple):
    """The result of an analysis."""

    depth: int
    nodes: int
    """Nodes searched for the best move."""
    search_ms: float
    """Time spent on the best move."""
    elapsed_ms: float
    """Time spent on all compared moves."""
    best: tuple[EvaluatedMove, ...]
    """The best moves, best first; at least one."""
    also: EvaluatedMove | None
    is_settled: bool
    """Whether a longer search could not change the result."""
    is_cut: bool
    """Whether the analysis ended before it reached its node limit."""


class SolvedResult(NamedTuple):
    """The outcome of a position or move under perfect play, for the side to move before it."""

    result: int
    """1 wins, 0 draws, -1 loses."""
    plies: int | None
    """Plies until the end, counted after the move; None for a draw, or if only the result is known."""


class TablebaseLookup(NamedTuple):
    """What the tablebase knows about a position."""

    tables: tuple[str, ...]
    """The installed tables, of both editions."""
    position: SolvedResult | None
    moves: tuple[tuple[str, SolvedResult], ...]
    """The legal moves with a known outcome, best first."""


class DrawnEnding(NamedTuple):
    """A solved position to practise."""

    position: str
    """Its text."""
    result: int
    """What the side to move reaches with best play: 1 wins, 0 draws."""
    moves: int | None
    """Its moves to the win with best play of both sides; None for a draw."""
    mistakes: float
    """The share of its legal moves that throw the result away."""


class EndingJudgement(NamedTuple):
    """What the last move of a line did to the result of its player, and the answer of the most stubborn defence."""

    result: int
    """The player's best result before the move: 1 wins, 0 draws, -1 loses."""
    reached: int
    """The best result after the move and the reply."""
    keeping: tuple[str, ...]
    """The moves that keep the result before, the quickest wins first."""
    reply: str
    """The answer of the defence; empty if play is over."""
    moves: int | None
    """The player's moves to the win after the reply, with best play of both sides; None if it is not won."""


class EngineFolders(NamedTuple):
    """The folders with data for the strongest level."""

    tablebases: Path
    books: Path
    """Opening books built here. Shipped books need no folder."""


class BotStatus(StrEnum):
    """The state of the bots, for `/health`."""

    READY = "ready"
    COMPILING = "compiling"
    """Their search is being compiled or loaded."""
    UNAVAILABLE = "unavailable"
    """Something keeps them from starting; the server keeps trying."""
    CONNECTING = "connecting"
    """The server waits for the scheduler of a cluster, or for a worker there."""
    LOCAL = "local"
    """The cluster is unreachable, or has no workers; processes of this machine answer."""


class Bots(Protocol):
    """A service that answers for bots. Cancelling the waiting task withdraws the request."""

    @property
    def status(self) -> BotStatus:
        """The state of the bots."""

    @property
    def is_ready(self) -> bool:
        """Whether requests are answered at once. Earlier requests wait."""

    @property
    def is_busy(self) -> bool:
        """Whether players are waiting for a bot's move. Then optional work should not start."""

    @property
    def waiting_games(self) -> tuple[str, ...]:
        """The games in which no bot can move yet. Requests wait."""

    @property
    def trouble(self) -> str:
        """What keeps bots from starting, as a sentence for the operator; empty if nothing does."""

    @property
    def faulty_games(self) -> Mapping[str, str]:
        """The waiting games whose own code keeps their bots from playing, and why. They stay without bots."""

    async def start(self) -> None:
        """Return when the service is ready. Whatever keeps it from starting is tried again until it works."""

    async def choose(self, request: BotRequest) -> str:
        """Return the text of the move to play. Raises: BotError."""

    async def evaluate(self, request: BotRequest) -> int:
        """Return the position's score for the side to move, in hundredths of a man. Raises: BotError."""

    async def analyse(self, request: BotRequest) -> AnalysisResult:
        """Analyse a position at the strongest level with its full time. Raises: BotError."""

    async def look_up(self, request: BotRequest) -> TablebaseLookup:
        """Look a position up in the tablebase. Raises: BotError."""

    async def draw_endings(self, request: BotRequest) -> tuple[DrawnEnding, ...]:
        """Draw solved positions of a game at random; none if it has no tables. Raises: BotError."""

    async def judge_ending(self, request: BotRequest) -> EndingJudgement | None:
        """Judge the last move of a line by the tables; None if they do not know it. Raises: BotError."""

    async def ponder(self, request: BotRequest) -> None:
        """Think about a position in which the opponent is to move, while a processor is idle; return when finished."""

    async def close(self) -> None:
        """Stop answering."""


class RequestHandler(Protocol):
    """The methods that answer requests in a worker's process: the interface of `Searcher`, which the server must not
    import.

    The server refers to methods by name here, so both sides agree on their types.
    """

    def choose(self, request: BotRequest, /) -> str:
        """Return the text of the move to play."""

    def evaluate(self, request: BotRequest, /) -> int:
        """Return the position's score for the side to move."""

    def analyse(self, request: BotRequest, /) -> AnalysisResult:
        """Compare the best moves at the strongest level."""

    def look_up(self, request: BotRequest, /) -> TablebaseLookup:
        """Look a position up in the tablebase."""

    def draw_endings(self, request: BotRequest, /) -> tuple[DrawnEnding, ...]:
        """Draw solved positions of a game at random."""

    def judge_ending(self, request: BotRequest, /) -> EndingJudgement | None:
        """Judge the last move of a line by the tables."""

    def ponder(self, request: BotRequest, /) -> None:
        """Fill the transposition table for the next move."""
