"""What the full screen shows and paints, against a real server."""

import re

import pytest
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.widget import Widget
from textual.widgets import Input

from millrace.client.terminal.boards import Study
from millrace.client.terminal.full_screen.board_page import CUT_OFF
from millrace.client.terminal.full_screen.board_view import BoardView
from millrace.client.terminal.full_screen.lines_view import LinesView, Span
from millrace.client.terminal.full_screen.main_screen import MainScreen
from millrace.client.terminal.glyphs import ASCII
from tests.client.terminal.screens import can_click, screened, shown_match
from tests.client.terminal.typist import seated
from tests.serving import ServerProcess


async def test_the_cursors_cell_is_named_beside_the_choices(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("here mingmang", "Black is to move")
        view = screen.app.query_one(BoardView)
        await screen.until(lambda: can_click(view, "b1"), "the legal moves")
        await screen.pilot.press("right")
        await screen.see(rf"\[pass\] {view.cursor}\b")


async def test_a_secret_is_asked_for_and_never_shown(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with screened(server, tokens[0]) as screen:
        await screen.type("password", "Your current password")
        assert "wrong" not in await screen.type("wrong", "Your new password")
        await screen.pilot.press("escape")
        await screen.see("Nothing was changed")


async def test_the_plain_set_needs_no_more_than_ascii(server: ServerProcess) -> None:
    async with screened(server, size=(80, 24), glyphs=ASCII) as screen:
        assert screen.text.isascii()
        assert (await screen.type("dance", "There is no command dance")).isascii()
        assert (await screen.type("help", "find opponents")).isascii()
        await screen.pilot.press("pagedown")
        assert screen.text.isascii()
        await screen.pilot.press("escape")
        await screen.type("bot battlesheep 1 2 3", "Your move")
        for _ in range(12):
            assert (await screen.type("dance", "There is no command dance")).isascii()


async def test_a_command_is_shown_until_it_is_answered(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("study morris", "After ply 0")
        await screen.type("analyse 2", r"^analyse 2 \.\.\.")
        await screen.see(r"depth \d+")
        await screen.see("^Type a move")


async def test_the_time_for_the_first_move_is_counted_down(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("here morris 5+3", r"White is to move\. \d+ s to begin\.")
        await screen.see("30 seconds")
        await screen.see(r"2\d s to begin")
        await screen.type("a1", r"Black is to move\. \d+ s to begin\.")
        await screen.type("a4", r"White is to move\. *$")
        assert "left to begin" not in screen.text


async def test_seats_of_the_same_player_are_distinguished(server: ServerProcess) -> None:
    async with screened(server, size=(80, 24)) as screen:
        await screen.type("bot battlesheep 1 1 2 from seats=4 seed=7", "Your move")
        assert len(re.findall(r"(Red|Blue|Green|Yellow): Bot, level 1", screen.text)) == 2
        assert re.search(r"[●] +Bot, level 2$", screen.text, re.MULTILINE)
        colour = re.findall(r"(Red|Blue|Green|Yellow): Bot, level 1", screen.text)[0]
        await screen.type("pieces", rf"{colour} \(Bot, level 1\)")


async def test_buttons_stay_in_their_place_when_spectators_come_and_go(server: ServerProcess) -> None:
    async with screened(server) as screen, seated(server) as ben:
        await screen.type("here mingmang 5 d3 within 30", "is to move")
        await screen.settle()
        place = screen.place_of("[Resign]")
        await ben.type(f"open {shown_match(screen).match}", "is to move")
        await screen.see(r"Messages +1 watching$")
        assert screen.place_of("[Resign]") == place
        await ben.type("close", r"\w")
        await screen.see(r"Messages$")
        assert screen.place_of("[Resign]") == place


async def test_a_position_is_copied_in_one_piece(server: ServerProcess) -> None:
    async with screened(server, size=(80, 24)) as screen:
        await screen.type("study battlesheep seed=7 seats=4", "Red is to move|After ply 0")
        study = screen.app.session.shown_as(Study)
        position = (await screen.app.session.me.analysis.explore(study.line)).position
        assert len(position) > 80
        await screen.type("position", "c copies")
        assert position in screen.text.replace("\n", "")
        await screen.pilot.press("c")
        await screen.see("sent to the clipboard")
        assert screen.app.clipboard == position


async def test_a_board_that_is_larger_than_the_screen_follows_the_cursor(server: ServerProcess) -> None:
    async with screened(server, size=(36, 12)) as screen:
        await screen.type("here mingmang", r"\[pass\] Arrows")
        view = screen.app.query_one(BoardView)
        assert view.is_cut_off
        assert view.place_of("h8") == (view.size.width + 1, 0)
        await screen.pilot.press(*["right"] * 8, "up")
        assert view.cursor is not None
        place = view.place_of(view.cursor)
        assert place is not None
        assert 0 <= place[0] < view.size.width
        await screen.pilot.press("enter")
        assert view.clicks == (view.cursor,)


async def test_clocks_run_while_nothing_happens(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("here morris 5+0", "White is to move")
        await screen.type("a1", "Black is to move")
        await screen.type("a4", "White is to move")
        times = set(re.findall(r"4:5\d", screen.text))
        await screen.until(lambda: len(times.union(re.findall(r"4:5\d", screen.text))) > len(times), "another time")


async def test_a_change_of_focus_paints_only_what_looks_different(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted = list[tuple[str | None, tuple[Region, ...]]]()

    def watch(kind: type[Widget]) -> None:
        refresh = kind.refresh

        def refresh_watched(widget: Widget, *regions: Region, **options: bool) -> Widget:
            painted.append((widget.id, regions))
            return refresh(widget, *regions, **options)

        monkeypatch.setattr(kind, "refresh", refresh_watched)

    async with screened(server) as screen:
        await screen.type("here morris", "White is to move")
        await screen.settle()
        for kind in (MainScreen, LinesView):
            watch(kind)
        command = screen.app.query_one(Input)
        await screen.pilot.press("d")
        await screen.until(lambda: command.has_focus and command.value == "d", "the typed character")
        await screen.pilot.press("escape")
        await screen.until(lambda: screen.app.query_one(BoardView).has_focus, "the board in focus")
        await screen.pilot.pause()
        assert painted == []
        await screen.pilot.press("right")
        await screen.until(lambda: any(name == "board" for name, _ in painted), "the cursor on the board")
        assert all(regions for _, regions in painted)


async def test_spaces_take_the_style_beside_them() -> None:
    line = Style(color="#e0c097", bgcolor="#8b5e3c")
    ground, mark = Style(color="#c79f74", bgcolor="#8b5e3c"), Style(bgcolor="#4f7a4a")
    spans = [Span("  ", ground), Span("|", line), Span("  ", ground), Span("-", line), Span(" ", mark), Span(" ")]

    class Sized(LinesView):
        size = Size(8, 1)
        rich_style = Style()

    view = Sized()
    view.set_lines([spans])
    segments = [(segment.text, segment.style) for segment in view.render_line(0)]
    assert [text for text, _ in segments] == ["  |  -", " ", " "]
    assert segments[0][1] == line


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
    view.set_lines([[Span("abc")], [Span("dxf  ")]])
    assert len(painted) == 1


async def test_a_window_too_small_for_a_board_says_so(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("here morris", "White is to move")
        await screen.pilot.resize_terminal(20, 8)
        await screen.see("too\\n small for a board")
        await screen.pilot.resize_terminal(120, 40)
        await screen.settle()
        assert "too small" not in screen.text
        assert CUT_OFF not in screen.text


async def test_lines_typed_ahead_stay_apart(server: ServerProcess) -> None:
    async with screened(server) as screen:
        # As from a terminal that was not read yet: all at once, and with its sign for Enter.
        for character in "here mingmang\nhere morris\n":
            key = "ctrl+j" if character == "\n" else "space" if character == " " else character
            screen.app.post_message(events.Key(key, character))
        await screen.see("1 .*Ming Mang.* 2 .*Nine Men|1 .*Nine Men.* 2 .*Ming Mang")


async def test_picking_a_bot_prepares_a_whole_command(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.pilot.press("down", "down", "enter")
        await screen.see("^bot morris easy")
        await screen.pilot.press("enter")
        await screen.see("Bot, level 1")


async def test_a_lobby_for_one_player_offers_nothing_that_needs_others(server: ServerProcess) -> None:
    async with screened(server, is_local=True) as screen:
        assert "Play a bot" in screen.text
        for words in ("Find an opponent", "Open a match", "Best players", "Challenges", "Who is online"):
            assert words not in screen.text
        await screen.pilot.press("f1")
        await screen.see("play one bot")
        await screen.pilot.press(*"tournament")
        await screen.see("half your time")
        assert "standings" not in screen.text
