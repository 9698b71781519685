"""The full screen against a real server, by keys and mouse."""

import re
from functools import partial

from textual.geometry import Region
from textual.widgets import Input

from millrace.client.match_view import list_moves
from millrace.client.terminal.boards import OpenMatch
from millrace.client.terminal.full_screen.board_view import BoardView
from millrace.client.terminal.full_screen.lines_view import LinesView, Span
from tests.client.terminal.screens import Screen, screened
from tests.client.terminal.typist import seated
from tests.serving import ServerProcess


def can_click(view: BoardView, word: str) -> bool:
    return word in view.branch


def has_more_plies(match: OpenMatch, plies: int) -> bool:
    return match.plies > plies


def shown_match(screen: Screen) -> OpenMatch:
    board = screen.app.session.shown
    assert isinstance(board, OpenMatch)
    return board


async def test_a_match_is_played_with_the_mouse_to_its_end(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.pilot.press("enter")
        await screen.see("Your move")
        match = shown_match(screen)
        for _ in range(3):
            await screen.until(lambda: match.feed.turn is not None, "a turn")
            turn = match.feed.turn
            assert turn is not None
            plies = match.plies
            view = screen.app.query_one(BoardView)
            for word in list_moves(turn.tree)[0].split():
                await screen.until(partial(can_click, view, word), word)
                await screen.click_cell(word)
            await screen.until(partial(has_more_plies, match, plies), "the move")
        await screen.until(lambda: match.feed.turn is not None, "a turn")
        await screen.click("[Resign]")
        await screen.see("Press Enter to resign")
        await screen.pilot.press("enter")
        await screen.see("You lost: you resigned")
        await screen.click("[Rematch]")
        await screen.see("2 Nine")


async def test_a_match_is_played_with_keys_alone(server: ServerProcess) -> None:
    async with screened(server, size=(80, 24)) as screen:
        await screen.type("bot morris 1", "Your move")
        match = shown_match(screen)
        view = screen.app.query_one(BoardView)
        await screen.until(lambda: bool(view.branch), "the legal moves")
        plies = match.plies
        await screen.pilot.press("right")
        assert view.cursor in view.branch
        await screen.pilot.press("enter")
        await screen.until(lambda: match.plies > plies, "the move")
        await screen.until(lambda: bool(view.branch), "the next turn")
        cursor = view.cursor
        await screen.pilot.press("down", "right")
        assert view.cursor != cursor


async def test_what_is_typed_goes_to_the_command_line_wherever_the_focus_is(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("bot morris", "Your move")
        await screen.type("dance", "There is no command dance")
        await screen.type("z9", "'z9' is not a move")
        await screen.type("bot battlesheep 1", "2 Battle Sheep")
        await screen.pilot.press("r", "e", "s")
        assert screen.app.query_one(Input).value == "res"
        await screen.pilot.press("escape")
        assert screen.app.query_one(Input).value == ""
        await screen.pilot.press("f", "i", "n", "tab")
        assert screen.app.query_one(Input).value == "find "
        await screen.pilot.press("b", "tab")
        assert screen.app.query_one(Input).value == "find battlesheep "


async def test_offers_are_answered_by_a_click(server: ServerProcess) -> None:
    async with screened(server) as screen, seated(server) as ben:
        await screen.type("private mingmang", "join it with")
        match = shown_match(screen)
        await ben.type(f"join {match.match}", "The match begins|to move|Your move")
        await screen.see("to move|Your move")
        if match.seat != 0:
            await ben.type("h2-g2", "h2-g2")
            await screen.see("Your move")
            await screen.type("a3-b3", "a3-b3")
        else:
            await screen.type("h2-g2", "h2-g2")
            await ben.type("a3-b3", "a3-b3")
        await ben.hear(r"a3-b3|Your move")
        await ben.type("takeback", "You ask for a takeback")
        await screen.click_when("[Accept the takeback]")
        await ben.hear("You take back")
        await ben.type("say Hello!", "Hello!")
        await screen.see(f"{ben.name}: Hello!")
        await ben.type("pause", "You ask for a pause")
        await screen.click_when("[Accept the pause]")
        await screen.click_when("[Go on]")
        await ben.type("resign", "You lost")
        await screen.see("You won:")


async def test_tabs_hold_several_matches_and_the_lobby(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("here mingmang", "1 Ming Mang")
        await screen.type("here morris", "2 Nine Men's Morris")
        await screen.pilot.press("ctrl+p")
        await screen.see("Ming Mang, untimed")
        await screen.pilot.press("ctrl+p")
        await screen.see("Your matches")
        await screen.see("at|morris, ply 0")
        await screen.click("2 ")
        await screen.see("Nine Men's Morris, untimed")
        await screen.type("close", "Closed Nine|Ming Mang, untimed")
        assert len(screen.app.session.boards) == 1


async def test_choices_that_are_no_cells_are_clicked_or_typed(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("here battlesheep from pasture=meadow", "is to move")
        view = screen.app.query_one(BoardView)
        match = shown_match(screen)
        for _ in range(2):
            await screen.until(lambda: bool(view.branch), "the legal moves")
            plies = match.plies
            await screen.click_cell(next(iter(view.branch)))
            await screen.until(partial(has_more_plies, match, plies), "the placing")
        for way in ("click", "type"):
            plies = match.plies
            await screen.until(lambda: bool(view.branch), "the legal moves")
            await screen.click_cell(next(iter(view.branch)))
            await screen.until(lambda: len(view.clicks) == 1, "the origin")
            await screen.click_cell(next(iter(view.branch)))
            await screen.see(r"\[3\]")
            if way == "click":
                await screen.click("[3]")
            else:
                await screen.type("3", "3")
            await screen.until(partial(has_more_plies, match, plies), "the split")
        assert all(move.endswith(":3") for move in match.view.moves[2:])


async def test_a_replay_is_stepped_through_and_branched(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("here morris", "White is to move")
        await screen.type("a1", "Black is to move")
        await screen.type("a4", "White is to move")
        await screen.type("resign", "Rematch")
        await screen.click("[Replay]")
        await screen.see("After ply 0 of 2")
        await screen.click("[>]")
        await screen.see("After ply 1 of 2: a1")
        await screen.type("g7", "After ply 2 of 2: g7")
        await screen.click("[Drop tries]")
        await screen.see("After ply 1 of 2: a1")
        await screen.type("analyse 1", r"depth \d+")


async def test_puzzles_and_lessons_are_boards(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("puzzle morris", "puzzle rated")
        await screen.click("[Solution]")
        await screen.see("The solution is")
        await screen.type("lesson mingmang", "1 of ")
        await screen.click("[Next]")
        await screen.see("2 of ")


async def test_a_match_is_watched(server: ServerProcess) -> None:
    async with screened(server) as screen, seated(server) as ben:
        await ben.type("here morris", "White is to move")
        match = (await ben.type("mine", "morris, ply 0")).split()[1]
        await screen.type(f"open {match}", "White is to move")
        await ben.type("d6", "Black is to move")
        await screen.see("1. White: d6")
        await screen.type("f4", "You watch this match")
        await ben.type("resign", "won: ")
        await screen.see(r"White won: |Black won: ")


async def test_a_long_answer_is_read_over_the_board(server: ServerProcess) -> None:
    async with screened(server, size=(80, 24)) as screen:
        await screen.type("help", "find opponents")
        await screen.pilot.press("escape")
        await screen.see("Your matches")


async def test_clocks_run_while_nothing_happens(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("here morris 5+0", "White is to move")
        await screen.type("a1", "Black is to move")
        await screen.type("a4", "White is to move")
        times = set(re.findall(r"4:5\d", screen.text))
        await screen.until(lambda: len(times.union(re.findall(r"4:5\d", screen.text))) > len(times), "another time")


async def test_only_changed_characters_are_painted() -> None:
    painted: list[tuple[Region, ...]] = []

    class Watched(LinesView):
        def refresh(self, *regions: Region, **_: bool) -> "Watched":
            painted.append(regions)
            return self

    view = Watched()
    view.set_lines([[Span("abc")], [Span("def")]])
    painted.clear()
    view.set_lines([[Span("abc")], [Span("dxf")]])
    assert painted == [(Region(1, 1, 1, 1),)]
    view.set_lines([[Span("abc")], [Span("dxf")]])
    assert len(painted) == 1
