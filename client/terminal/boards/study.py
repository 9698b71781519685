"""A study: a line of play to step through, to branch off from, and to analyse. A replay is the study of a match."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from millrace.protocol import (
    Board,
    Ended,
    Evaluated,
    Explored,
    GameInfo,
    Line,
    MatchId,
    MoveTree,
    TablebaseProbed,
    Tally,
)

from ...connection import Connection
from ...match_view import MatchView, Pile
from ..board import Content
from ..seat_names import SeatNames
from ..usage import UsageError
from .match_positions import MatchPositions, record_position
from .open_board import Follower, OpenBoard, Picture, seats_without_players
from .open_match import OpenMatch


class StudiedPosition(NamedTuple):
    """A position of a study."""

    content: Content
    move: str
    """The text of the move that led here; empty at the start."""
    to_move: int | None
    reserves: tuple[int, ...]
    tallies: tuple[Tally, ...]
    tree: MoveTree | None
    """The legal moves; None until they have been asked for."""
    result: str
    """How play ended here; empty while it goes on."""


class Study(OpenBoard):
    """A line of play at one of its positions. Playing a move replaces the rest of the line."""

    has_steps = True
    missing = "Open a replay or a study first: type replay MATCH, or study GAME."

    def __init__(
        self,
        me: Connection,
        follower: Follower,
        game: GameInfo,
        root: Line,
        positions: Sequence[StudiedPosition],
        names: Sequence[str],
        title: str,
    ) -> None:
        self.ply = 0
        """The position that is shown, counted from the start of the line."""
        self._me = me
        self._follower = follower
        self._game = game
        self._root = root
        self._main = list(positions)
        self._line = list(positions)
        self._names = names
        self._title = title
        self._note = ""

    @property
    def title(self) -> str:
        """What is studied."""
        return self._title

    @property
    def plies(self) -> int:
        """The number of plies of the line."""
        return len(self._line) - 1

    @property
    def line(self) -> Line:
        """The line up to the shown position."""
        shared = self._shared_plies()
        root = self._root
        if root.match:
            moves = tuple(each.move for each in self._line[shared + 1 : self.ply + 1])
            return replace(root, ply=root.ply + min(shared, self.ply), moves=moves)
        return replace(root, moves=(*root.moves, *(each.move for each in self._line[1 : self.ply + 1])))

    @property
    def picture(self) -> Picture:
        """The shown position."""
        shown = self._line[self.ply]
        seats = seats_without_players(
            self._game,
            len(self._names),
            shown.to_move,
            shown.reserves,
            shown.tallies,
            shown.content.territory,
        )
        piles = shown.content.piles
        before = self._line[self.ply - 1].content.piles if self.ply else piles
        return Picture(
            self._game,
            shown.content,
            tuple(seat._replace(name=name) for seat, name in zip(seats, self._names, strict=True)),
            " ".join(filter(None, [self._where(), shown.result, self._note])),
            tuple(each.move for each in self._line[1 : self.ply + 1]),
            shown.tree,
            tuple(cell for cell in {*before, *piles} if before.get(cell) != piles.get(cell)),
            about=f"{self._game.title}, {'replay' if self._root.match else 'study'}",
        )

    async def play(self, move: str) -> None:
        """Play a move from the shown position. Raises: RefusedError, ConnectionLostError."""
        line = self.line
        found = await self._me.analysis.explore(replace(line, moves=(*line.moves, move)))
        self._line[self.ply + 1 :] = [_position_of(found, self._names)]
        await self.go_to(self.ply + 1)

    async def step(self, plies: int) -> None:
        """Go some plies on or back."""
        await self.go_to(self.ply + plies)

    async def go_to(self, ply: int) -> None:
        """Show the position after a number of plies, or the nearest one. Raises: RefusedError, ConnectionLostError."""
        self.ply = min(max(ply, 0), self.plies)
        self._note = ""
        self._follower.changed(self, [])
        if self._line[self.ply].tree is None:
            shown = self.ply
            found = await self._me.analysis.explore(self.line)
            self._line[shown] = self._line[shown]._replace(tree=found.moves)

    async def return_to_match(self) -> None:
        """Drop the moves that were tried, and show the match again."""
        shared = self._shared_plies()
        self._line = list(self._main)
        await self.go_to(shared)

    async def evaluate(self, seconds: int, variations: int) -> Evaluated:
        """Return the engine's evaluation of the shown position. Raises: RefusedError, ConnectionLostError."""
        return await self._me.analysis.evaluate(self.line, seconds=seconds, variations=variations)

    async def solve(self) -> TablebaseProbed:
        """Return the tablebase's result for the shown position. Raises: RefusedError, ConnectionLostError."""
        return await self._me.analysis.probe_tablebase(self.line)

    def note(self, text: str) -> None:
        """Show a sentence beside the position until the next one."""
        self._note = text
        self._follower.changed(self, [])

    def _where(self) -> str:
        move = self._line[self.ply].move
        return f"After ply {self.ply} of {self.plies}{': ' + move if move else ''}."

    def _shared_plies(self) -> int:
        """Return the number of plies that the line has in common with the match."""
        shared = 0
        for one, other in zip(self._line[1:], self._main[1:], strict=False):
            if one is not other and one.move != other.move:
                break
            shared += 1
        return shared


async def study_match(me: Connection, follower: Follower, match: MatchId) -> Study:
    """Load a match from its start to its latest event. Raises: RefusedError, ConnectionLostError.

    The match must not be open: a connection has one feed for each match. `study_open_match` replays an open one.
    """
    async with me.watch(match) as feed:
        positions: MatchPositions = []
        record_position(positions, feed.view, await feed.ready())
        updates = feed.updates()
        while feed.view.seq < feed.latest_seq:
            await anext(updates)
            assert feed.board is not None
            record_position(positions, feed.view, feed.board)
    return _study_of(me, follower, match, positions, feed.my_seats)


def study_open_match(me: Connection, follower: Follower, match: OpenMatch) -> Study:
    """Return a study of what an open match has received so far. Raises: UsageError before it has received anything."""
    if not match.positions:
        raise UsageError("The board has not arrived yet.")
    return _study_of(me, follower, match.match, match.positions, match.feed.my_seats)


def _study_of(
    me: Connection,
    follower: Follower,
    match: MatchId,
    found: Sequence[tuple[MatchView, Board]],
    my_seats: tuple[int, ...],
) -> Study:
    view, _ = found[-1]
    assert view.created is not None
    game = next(game for game in me.games if game.name == view.created.game)
    names = SeatNames(game.seat_names, view.players, my_seats)
    positions = [_replayed(view, board, names) for view, board in found]
    players = [names.player(seat) for seat in range(len(view.players))]
    return Study(me, follower, game, Line(match=match), positions, players, f"Replay {' - '.join(players)}")


async def study_position(me: Connection, follower: Follower, game: GameInfo, root: Line) -> Study:
    """Begin a study at the end of a line. Raises: RefusedError, ConnectionLostError."""
    found = await me.analysis.explore(root)
    names = game.seat_names[: found.seats]
    return Study(me, follower, game, root, [_position_of(found, names)], names, f"Study {game.title}")


def content_of(found: Explored) -> Content:
    """Return the board of an explored position."""
    piles = {change.cell: Pile(change.seat, change.size) for change in found.view.changes if change.size}
    return Content(found.view.board or found.board, piles, found.view.ground, found.view.territory)


def _position_of(found: Explored, names: Sequence[str]) -> StudiedPosition:
    result = ""
    if found.ranks is not None:
        seats = SeatNames(names, [None] * found.seats)
        result = seats.result(Ended(found.ranks, "", found.explanation))
    view = found.view
    return StudiedPosition(
        content_of(found), found.move, found.to_move, view.reserves, view.tallies, found.moves, result
    )


def _replayed(view: MatchView, board: Board, names: SeatNames) -> StudiedPosition:
    result = names.result(view.result) if view.result is not None else ""
    move = view.moves[-1] if view.moves else ""
    content = Content(board, view.piles, view.ground, view.territory)
    return StudiedPosition(content, move, view.to_move, view.reserves, view.tallies, None, result)
