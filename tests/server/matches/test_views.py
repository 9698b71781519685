"""Views for clients: changes, territory, and a board that is laid before it is played on."""

from millrace.engine.game import TERRITORY
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import Created, Ended, Event, Highlight, MatchEvent, MatchId, Moved, Started, Tally, View
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.fold import apply_next
from millrace.server.matches.match import Match
from millrace.server.matches.referee import decide_ply
from millrace.server.matches.views import board_of, match_event_of

MATCH = MatchId("m1")


def folded_and_sent(match: Match, event: Event) -> tuple[Match, MatchEvent]:
    after = apply_next(match, event, 0)
    return after, match_event_of(board_of(match.state), match, after, Recorded(after.seq, Entry(event, 0)))


def viewed(match: Match, event: Event) -> tuple[Match, View]:
    """Return the match after an event, and the view that is sent with it."""
    after, sent = folded_and_sent(match, event)
    assert sent.view is not None
    return after, sent.view


def begun(game: str, setup: str, seats: int) -> Match:
    match = Match.of(MATCH, Created(game, setup, (), None))
    assert len(match.players) == seats
    return apply_next(match, Started(), 0)


def test_a_match_ended_by_territory_shows_the_owner_of_each_square() -> None:
    match = begun("mingmang", "8/8/8/wwwwwwww/8/8/bbbbbbbb/bbbbbbbb b 1", 2)
    for event in decide_ply(match, 0, "pass", 0).events:
        match, sent = folded_and_sent(match, event)
    assert isinstance(sent.event, Ended)
    assert sent.event.reason == TERRITORY
    assert sent.view is not None
    territory = sent.view.territory
    assert territory is not None
    squares = [cell.name for cell in board_of(match.state).cells]
    holder = dict(zip(squares, territory, strict=True))
    assert (holder["a1"], holder["a3"], holder["a8"]) == (0, -1, 1)
    assert sent.view.changes == ()


def test_other_endings_show_no_territory() -> None:
    match = begun("mingmang", "", 2)
    assert folded_and_sent(match, Ended((1, 2), "resignation", "White resigned", 1))[1].view is None


def test_while_tiles_are_placed_the_view_has_the_ground_and_then_the_board() -> None:
    match = begun("battlesheep", "opening=tiles seats=3", 3)
    boards = []
    for tile in range(12):
        move = match.state.format_move(match.state.legal_moves[0])
        (moved,) = decide_ply(match, match.state.seat, move, 0).events
        match, view = viewed(match, moved)
        if tile < 11:
            assert len(view.ground or ()) == 4 * (tile + 1)
        boards.append(view.board)
    assert boards[:-1] == [None] * 11
    assert boards[-1] == board_of(match.state)
    assert (view.ground, view.changes, view.reserves) == (None, (), (16, 16, 16))


def test_the_view_of_a_new_board_is_complete() -> None:
    match = begun("battlesheep", "opening=tiles", 2)
    while match.state.game is not find_game("battlesheep"):
        state = match.state
        match = apply_next(match, Moved(state.seat, state.format_move(state.legal_moves[0]), None), 0)
    move = match.state.format_move(match.state.legal_moves[0])
    _, view = viewed(match, Moved(0, move, None))
    assert [(change.seat, change.size) for change in view.changes] == [(0, 16)]


def test_a_stored_opening_is_replayed() -> None:
    state = State.of(find_game("battlesheep"), "opening=tiles")
    moves = []
    for _ in range(12):
        moves.append(state.format_move(state.legal_moves[-1]))
        state = state.play(state.legal_moves[-1])
    match = begun("battlesheep", "opening=tiles", 2)
    for ply, move in enumerate(moves):
        match = apply_next(match, Moved(ply % 2, move, None), 0)
    assert match.state.position_text == state.position_text


def test_a_view_has_what_a_move_achieved_and_what_the_game_counts() -> None:
    match = begun("morris", "WW...................B.B w 7 7", 2)
    (moved,) = decide_ply(match, 0, "g7xa1", 0).events
    _, view = viewed(match, moved)
    assert view.highlights == (Highlight("closed a mill", (0, 1, 2)),)
    assert view.tallies == ()
    match = begun("battlesheep", "0,0,0 r 2", 2)
    (moved,) = decide_ply(match, 0, "a1", 0).events
    _, view = viewed(match, moved)
    assert view.tallies == (Tally("Cells", (1, 0)), Tally("Largest group", (1, 0)))
