"""What is asked of bots, and who answers: values and an interface, no process and no queue.

Imported by the rest of `server.bots`, by its processes, and by the rooms, which ask.
"""

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
    """For how long it should think, give or take, by its clock (`engine.timing`); None: as long as it may."""
    threads: int = 1
    """By how many processors it is searched."""
    urgency: Urgency = Urgency.MOVE
    owner: str = ""
    """Whose request it is: those of different owners are answered in turn."""
    table: str = ""
    """Names what is learnt of one match from one seat, so that a search may begin with what the last one knew; empty:
    nothing is kept."""


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

    async def start(self) -> None:
        """Return when requests are answered. Raises: BotError if they never will be."""

    async def choose(self, request: BotRequest) -> str:
        """Return the text of the move to play. Raises: BotError."""

    async def evaluate(self, request: BotRequest) -> int:
        """Return what the position is worth to the seat to move, in hundredths of a man. Raises: BotError."""

    async def ponder(self, request: BotRequest) -> None:
        """Think ahead about a position in which the opponent is to move, as long as nobody else needs the processor;
        return when that is over."""

    async def close(self) -> None:
        """Answer nothing more."""
