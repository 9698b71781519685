"""What all open boards have in common, for the commands and both user interfaces."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple, Protocol
from unicodedata import normalize

from millrace.protocol import Board, GameInfo, Line, MoveTree, Tally

from ...clock_texts import ClockFace
from ...match_view import list_moves
from ..board import Content
from ..glyphs import Glyphs
from ..usage import UsageError

_DASHES = re.compile(r"\s*[-‐‑–—−→]\s*")  # noqa: RUF001  # the signs that notations use
_BETWEEN_CLICKS = re.compile(r"[-x: ]+")
LIKE_A_CELL = re.compile(r"[a-z]{1,2}\d{1,2}(\W|x|$)")
"""A column and a row, as in most games; the server explains why such a word is not a move."""


MOST_NAMED = 8
"""Maximum moves to name if a typed one is a part of several."""


class Seat(NamedTuple):
    """What is shown of a seat."""

    name: str
    """The player's name, or the seat's colour where there are no players."""
    is_to_move: bool
    clock: ClockFace | None = None
    """None in an untimed match."""
    is_running: bool = False
    """Whether the clock runs."""
    reserve: int = 0
    """The pieces in hand."""
    counts: tuple[tuple[str, int], ...] = ()
    """What the game counts for the seat."""
    notes: tuple[str, ...] = ()
    """Such as `away`."""


class Picture(NamedTuple):
    """What an open board shows at the moment."""

    game: GameInfo
    content: Content
    seats: tuple[Seat, ...]
    status: str
    """What happens next, or how the match ended, as a sentence."""
    moves: tuple[str, ...] = ()
    """The moves up to the shown position."""
    tree: MoveTree | None = None
    """The legal moves, as a tree of clicks, if the player may move."""
    last: tuple[str, ...] = ()
    """The cells that the last move changed."""
    lit: tuple[str, ...] = ()
    """The cells where the last move achieved something."""
    about: str = ""
    """A description: the game, the clock, and whether it is rated."""
    audience: str = ""
    """How many spectators there are; empty without any."""
    countdown: str = ""
    """Time left for the first move, or for all puzzles; empty if that is not limited."""
    bot_explanation: str = ""
    """Why the bot that is to move does not; empty if it can."""
    premoves: tuple[str, ...] | None = None
    """The moves entered for the player's next turns; None where none can be."""
    standings: tuple[str, ...] = ()
    """The players of a race with their points, best first."""


class OpenBoard(ABC):
    """A board that is open. Typed moves go to the one that is shown."""

    number: int = 0
    """Its number among the open ones, from 1; set when it is opened."""
    has_steps: ClassVar[bool] = False
    """Whether `step` shows earlier and later positions."""
    is_timed: ClassVar[bool] = False
    """Whether its picture changes with time."""
    missing: ClassVar[str]
    """What to say if a command needs a board of this kind and none is open."""

    @property
    @abstractmethod
    def title(self) -> str:
        """A few words, for a tab."""

    @property
    @abstractmethod
    def picture(self) -> Picture | None:
        """What to show; None before the server has answered."""

    @property
    @abstractmethod
    def line(self) -> Line:
        """The line of play to the shown position, for questions about it."""

    @property
    def needs_attention(self) -> bool:
        """Whether it waits for the player's move."""
        return False

    @property
    def is_replaceable(self) -> bool:
        """Whether the next board of its kind takes its place."""
        return True

    @property
    def is_current(self) -> bool:
        """Whether it has arrived, and shows everything that the player's commands have done."""
        return self.picture is not None

    @property
    def waits_for_turn(self) -> bool:
        """Whether the player has to wait before they can move."""
        return False

    @property
    def waits_for_bot(self) -> bool:
        """Whether what they wait for is a bot's answer."""
        return False

    async def follow(self) -> None:  # noqa: B027  # most boards change by commands alone
        """Follow what changes without commands, until the board is closed. Raises: ClientError."""

    @abstractmethod
    async def play(self, move: str) -> None:
        """Play a move: its text, or its clicks separated by spaces. Raises: UsageError, ClientError."""

    async def step(self, plies: int) -> None:  # noqa: ARG002  # for boards with moves
        """Show an earlier or later position. Raises: UsageError, ClientError."""
        raise UsageError("This board has no moves to step through. Type replay to look back at a match.")

    async def go_to(self, ply: int) -> None:
        """Show the position after a number of plies. Raises: UsageError, ClientError."""
        await self.step(ply)

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves as clicks, if the player may move."""
        picture = self.picture
        return () if picture is None or picture.tree is None else list_moves(picture.tree)

    def as_move(self, line: str) -> str:
        """Return a typed line with the signs and the case of moves; keyboards and other notations have others."""
        text = " ".join(_DASHES.sub("-", normalize("NFKC", line)).replace("\u00d7", "x").split())
        picture = self.picture
        names = () if picture is None else (cell.name for cell in picture.content.board.cells)
        return text.lower() if all(name == name.lower() for name in names) else text

    def whole_move(self, line: str) -> str:
        """Return a typed move, with what it lacks if only one legal move has it: `g7` may name the man's goal alone.

        Raises: UsageError if it is a part of several moves. What is a part of none is for the server to explain.
        """
        move = self.as_move(line)
        clicks = [word for word in _BETWEEN_CLICKS.split(move) if word]
        legal = [each.split() for each in self.legal_moves]
        begun = [each for each in legal if each[: len(clicks)] == clicks]
        if clicks in begun:
            return move
        # What is chosen next is listed, not what follows from it.
        parts = [each[: len(clicks) + 1] for each in begun] or [
            each[: start + len(clicks)]
            for each in legal
            for start in range(1, len(each))
            if each[start : start + len(clicks)] == clicks
        ]
        fitting = sorted(set(map(" ".join, parts)))
        if len(fitting) == 1:
            return self.whole_move(fitting[0])
        if fitting:
            more = ", ..." if len(fitting) > MOST_NAMED else ""
            raise UsageError(f"Which one: {', '.join(fitting[:MOST_NAMED])}{more}?")
        return move

    def is_move_word(self, word: str) -> bool:
        """Return whether a typed word may be a move here: it names a cell or one of the choices."""
        picture = self.picture
        if LIKE_A_CELL.match(word):
            return True
        if picture is None:
            return False
        if word.isdecimal():
            # Numbers that only go on with a move, such as one of sheep, are left for lists.
            return picture.tree is not None and word in picture.tree
        names = {cell.name for cell in picture.content.board.cells}
        parts = [part for part in word.replace("x", "-").replace(":", "-").split("-") if part]
        return bool(parts) and (
            any(part in names for part in parts) or (picture.tree is not None and word in set(_words(picture.tree)))
        )

    def close(self) -> None:  # noqa: B027  # most boards have nothing to close
        """Stop following what is shown."""


class Follower(Protocol):
    """What an open board reports to: its changes."""

    def changed(self, board: OpenBoard, news: Sequence[str]) -> None:
        """Called after a change; `news` are sentences about it, for the player to read."""


class Face(Follower, Protocol):
    """What the commands need of a user interface: the line mode or the full screen."""

    def say(self, text: str) -> None:
        """Show one or more lines of text."""

    def list_entries(self, entries: Sequence[tuple[str, str]], heading: str) -> None:
        """Show a heading and numbered lines, each with the command that picking it runs."""

    def prepare(self, line: str) -> None:
        """Let the player complete or confirm a command."""

    def show_help(self) -> None:
        """Show the list of commands."""

    def hand_out(self, text: str) -> None:
        """Show a text so that it can be copied in one piece."""

    def show(self, board: OpenBoard) -> None:
        """Show a board, which may be new."""

    def remove(self, board: OpenBoard) -> None:
        """Remove a board."""

    @property
    def repeats_secrets(self) -> bool:
        """Whether a new password is asked for twice, since the player cannot see what they type."""

    async def ask_secret(self, question: str) -> str:
        """Ask a question and return the typed answer, which is not shown; empty if the player gives none."""

    def draw_with(self, glyphs: Glyphs) -> None:
        """Draw boards with another set of characters. Raises: UsageError."""


def counts_of(seat: int, tallies: Sequence[Tally], territory: Sequence[int] | None) -> tuple[tuple[str, int], ...]:
    """Return a seat's tallies, and its territory once that is counted."""
    counts = tuple((tally.name, tally.counts[seat]) for tally in tallies)
    return counts if territory is None else (*counts, ("Territory", list(territory).count(seat)))


def seats_without_players(
    game: GameInfo,
    seats: int,
    to_move: int | None,
    reserves: Sequence[int],
    tallies: Sequence[Tally],
    territory: Sequence[int] | None = None,
) -> tuple[Seat, ...]:
    """Return the seats of a position without a match, which are named by their colours."""
    return tuple(
        Seat(
            game.seat_names[seat],
            to_move == seat,
            reserve=reserves[seat] if seat < len(reserves) else 0,
            counts=counts_of(seat, tallies, territory),
        )
        for seat in range(seats)
    )


def pieces_in_words(picture: Picture) -> list[str]:
    """Return the places of each seat's pieces, one line for each seat, for readers who cannot see the board."""
    names = picture.game.seat_names
    lines = []
    for seat, shown in enumerate(picture.seats):
        own = [(cell, pile.size) for cell, pile in sorted(picture.content.piles.items()) if pile.seat == seat]
        cells = ", ".join(cell if size == 1 else f"{cell} with {size}" for cell, size in own) or "none on the board"
        player = shown.name.removeprefix(f"{names[seat]}: ").replace(" (you)", ", you").strip("()")
        seat_name = names[seat] if player == names[seat] else f"{names[seat]} ({player})"
        lines.append(f"{seat_name}: {cells}")
    return lines


def cell_names(board: Board, indices: Sequence[int]) -> tuple[str, ...]:
    """Return the names of cells."""
    return tuple(board.cells[index].name for index in indices)


def _words(tree: Mapping[str, object]) -> Iterator[str]:
    for word, branch in tree.items():
        yield word
        if isinstance(branch, Mapping):
            yield from _words(branch)
