"""Views of a match for clients: boards, changes and legal moves.

Pure. The journal stores bare events; this module adds what a client that knows no rules needs to draw them.
"""

from collections.abc import Sequence
from itertools import compress
from operator import ne

from msgspec.structs import replace

from millrace.engine.game import TERRITORY
from millrace.engine.game import Highlight as AchievedHighlight
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import (
    NOBODY,
    Board,
    Cell,
    Change,
    Created,
    Ended,
    Highlight,
    MatchEvent,
    MatchId,
    MatchSummary,
    Moved,
    Preview,
    Previewed,
    TakenBack,
    Tally,
    Turn,
    View,
    encode,
)

from ..journal.entries import Recorded
from .match import Match, Phase
from .speed import speed_of


def board_of(state: State) -> Board:
    """Return the board that a client draws."""
    geometry = state.geometry
    cells = tuple(Cell(*cell) for cell in geometry.cells)
    return Board(geometry.shape.value, cells, geometry.lines)


def match_event_of(board: Board, before: Match | None, after: Match, recorded: Recorded) -> MatchEvent:
    """Return a stored event as the message that players and spectators get.

    `before` is None for the first event. `board` is the board drawn before the event, or with the first.
    """
    seq, entry = recorded
    view = None
    if isinstance(entry.event, Created | Moved | TakenBack):
        view = _view(board, before.state if before is not None else None, after.state)
    elif isinstance(entry.event, Ended) and entry.event.reason == TERRITORY:
        view = _view_of_territory(after.state)
    return MatchEvent(after.id, seq, entry.at_ms, entry.event, after.to_move, view)


def previewed(command: Preview) -> Previewed:
    """Return what a match would begin with. Raises: SetupError, UnknownGameError."""
    state = State.of(find_game(command.game), command.setup)
    board = board_of(state)
    to_move = state.seat if state.outcome is None else None
    return Previewed(command.id, state.start.seats, to_move, board, _view(board, None, state), state.position_text)


def whole_view(board: Board, state: State) -> View:
    """Return the view that draws a whole position on an empty board, with the territory that ended play, if any."""
    view = _view(board, None, state)
    counted = _view_of_territory(state) if state.outcome is not None and state.outcome.reason == TERRITORY else None
    return view if counted is None else replace(view, territory=counted.territory)


def encode_match_events(match: MatchId, events: Sequence[bytes]) -> bytes:
    """Return the `MatchEvents` of events that are already encoded.

    >>> encode_match_events(MatchId("m1"), [b"{}", b"{}"])
    b'{"type":"match_events","match":"m1","events":[{},{}]}'
    """
    return b'{"type":"match_events","match":"%b","events":[%b]}' % (match.encode(), b",".join(events))


def encode_turn(match: Match) -> bytes:
    """Return the `Turn` of the seat to move."""
    assert match.phase is Phase.PLAYING
    state = match.state
    highlights = {}
    for clicks, achieved in state.highlights_by_clicks().items():
        highlights[" ".join(clicks)] = _highlights_of(achieved)
    return encode(Turn(match.id, match.seq, state.seat, state.move_tree(), state.refused_tree(), highlights))


def summary_of(match: Match, spectators: int) -> MatchSummary:
    """Return the match's line in the list of live matches."""
    players = tuple("" if player is None else player.name for player in match.players)
    created = match.created
    return MatchSummary(
        match.id,
        created.game,
        players,
        match.state.ply,
        spectators,
        created.clock,
        match.bot_accounts,
        match.ratings,
        speed_of(created.clock),
        created.rated,
        created.exhibition,
    )


def _view(board: Board, before: State | None, after: State) -> View:
    drawing = after.drawing
    is_other_board = before is not None and before.start is not after.start
    if is_other_board:
        board = board_of(after)
    old_piles = (None,) * len(board.cells) if before is None or is_other_board else before.drawing.piles
    changed = compress(zip(board.cells, drawing.piles, strict=True), map(ne, drawing.piles, old_piles))
    changes = [Change(cell.name, *((NOBODY, 0) if pile is None else (pile.seat, pile.size))) for cell, pile in changed]
    ground = None
    if drawing.ground is not None:
        ground = tuple(index for index, is_laid in enumerate(drawing.ground) if is_laid)
    other_board = board if is_other_board else None
    return View(
        tuple(changes),
        drawing.reserves,
        board=other_board,
        ground=ground,
        highlights=_highlights_of(after.highlights),
        tallies=_tallies_of(after),
    )


def territory_of(state: State) -> tuple[int, ...] | None:
    """Return the seat that holds each cell, by index, or -1; None in games that do not count territory."""
    territory = state.territory
    return None if territory is None else tuple(NOBODY if seat is None else seat for seat in territory)


def _view_of_territory(state: State) -> View | None:
    holders = territory_of(state)
    if holders is None:
        return None
    return View((), state.drawing.reserves, territory=holders, tallies=_tallies_of(state))


def _highlights_of(achieved: tuple[AchievedHighlight, ...]) -> tuple[Highlight, ...]:
    return tuple([Highlight(text, cells) for text, cells in achieved]) if achieved else ()


def _tallies_of(state: State) -> tuple[Tally, ...]:
    tallies = state.tallies
    return tuple([Tally(name, counts) for name, counts in tallies]) if tallies else ()
