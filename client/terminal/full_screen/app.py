"""The full screen: shows the open boards and the lobby, and runs what is typed, clicked or picked as commands."""

import asyncio
import re
import time
from collections.abc import Coroutine, Sequence

from rich.text import Text
from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.scrollbar import ScrollBar
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Input, RichLog

from millrace.server.protocol import Seek

from ...connection import Connection
from ...errors import ClientError
from ..boards import OpenBoard, OpenMatch
from ..commands import Session, run_line
from ..commands.actions import Action, actions_of
from ..formatting import live_line, own_line, seek_line
from ..glyphs import COLOUR, Glyphs
from ..wrapping import wrap_lines
from .board_view import BoardView
from .colours import QUIET, STRONG, link_style
from .command_line import CommandLine
from .lines_view import Line, LinesView, Span
from .lobby import COMPLETED, Lobby
from .main_screen import MainScreen
from .match_panel import action_lines, move_lines, seat_lines, text_lines
from .scroll_bars import WholeCells
from .secret_screen import SecretScreen
from .text_screen import TextScreen

REDRAW_S = 1 / 15
"""What changes within this time is drawn at once, so that a fast match costs a slow link little."""
CLOCK_S = 0.25
"""How often clocks are looked at; only those that show another second are painted."""
LONG_LINES = 6
"""Longer answers to commands are shown over the screen instead of beside the board."""
MOST_NEWS = 300
"""Maximum lines that are kept of what happened on a board."""
LEAST_NEWS_WIDTH = 30
"""Columns of what happened on a board, on a narrow screen."""
NARROW, LOW = 100, 30
"""Columns and lines below which there are no margins."""
SMALLEST = 80
"""Columns below which the board takes space from what stands beside it."""

CUT_OFF = "Arrows show the rest."
"""Below a board that is larger than the screen."""

TITLE_WIDTH = 24
"""Maximum characters of a tab's title."""
TAB_MARGIN = 6
"""Columns of a tab around its title: spaces, its number and a mark."""

LOBBY = "Lobby"
SIDE = ("about", "seats", "status", "actions", "moves")
"""What stands beside a board, from the top."""
AREAS = ("tabs", "choices", *SIDE)


class FullScreen(App[None]):
    """A face of the terminal that uses all of it."""

    TITLE = "Millrace"
    CSS_PATH = "styles.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [
        Binding("f1", "run('help')", "Help", priority=True),
        Binding("f2", "lobby", "Lobby", priority=True),
        Binding("ctrl+n", "turn(1)", "Next tab", priority=True),
        Binding("ctrl+p", "turn(-1)", "Previous tab", priority=True),
        Binding("pageup", "run('back')", "Back"),
        Binding("pagedown", "run('next')", "Next"),
        Binding("ctrl+q", "quit", "Quit", priority=True),
    ]

    def __init__(self, me: Connection, glyphs: Glyphs = COLOUR) -> None:
        super().__init__()
        self.animation_level = "none"
        ScrollBar.renderer = WholeCells
        self.session = Session(me, self, lambda: time.time() * 1000)
        self._glyphs = glyphs
        self._news: dict[OpenBoard, list[str]] = {}
        self._is_drawing_due = False
        self._is_lobby_shown = True
        self._told: tuple[OpenBoard | None, int] = (None, 0)
        """The board whose news are shown, and how many of them."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._seeks: tuple[Seek, ...] = ()
        self._lobby = Lobby(me.games, me.player.name, id="lobby")
        self._view = BoardView(glyphs, id="board")
        self._areas = {name: LinesView(id=name) for name in AREAS}
        self._news_log = RichLog(id="news", wrap=True, max_lines=MOST_NEWS, min_width=10)
        self._switcher = ContentSwitcher(initial="lobby", id="main")
        self._command = CommandLine(self.session, id="command")

    def get_default_screen(self) -> MainScreen:
        """Return the screen that shows boards and the lobby."""
        return MainScreen(id="_default")

    def compose(self) -> ComposeResult:
        """Return the widgets."""
        yield self._areas["tabs"]
        with self._switcher:
            yield self._lobby
            with Horizontal(id="table"):
                with Vertical(id="left"):
                    yield self._view
                    yield self._areas["choices"]
                with Vertical(id="side"):
                    yield from (self._areas[name] for name in SIDE)
                    yield self._news_log
        yield self._command

    def on_mount(self) -> None:
        """Begin to follow the lobby and the notifications."""
        self.set_interval(CLOCK_S, self._draw_clocks)
        self._set_classes()
        self._draw()
        lists = (self._list_mine(), self._list_seeks(), self._list_challenges(), self._list_live())
        for work in (self._announce(), *lists):
            self._begin(work)
        self._focus(self._lobby.play)

    def on_unmount(self) -> None:
        """Stop everything."""
        for task in self._tasks:
            task.cancel()
        self.session.end()

    def on_resize(self) -> None:
        """Use the space there is."""
        self._set_classes()
        self._told = (None, 0)
        self._redraw()

    async def on_event(self, event: events.Event) -> None:
        """Let characters go to the command line, wherever the focus is."""
        if isinstance(event, events.Key) and event.is_printable and event.character not in (None, " "):
            screen = self.screen_stack[0]
            if self.screen is screen and not isinstance(screen.focused, Input):
                screen.set_focus(self._command)
        await super().on_event(event)

    # For the session

    def say(self, text: str) -> None:
        """Show the answer to a command: beside the board, or over it if it is long or the lobby is shown."""
        lines = text.splitlines()
        if len(wrap_lines(text, self._news_width)) > LONG_LINES:
            self.push_screen(TextScreen(text))
            return
        if self._is_lobby_shown:
            self.notify(text, markup=False, timeout=6)
        if self.session.shown is not None:
            self._news.setdefault(self.session.shown, []).extend(lines)
        self._redraw()

    def show(self, board: OpenBoard) -> None:
        """Show the tab of a board."""
        self._is_lobby_shown = False
        self.clear_notifications()
        self._news.setdefault(board, [])
        self._switcher.current = "table"
        view = self._view
        view.clicks, view.cursor, view.hovered = (), None, None
        self._focus(view)
        self._redraw()

    def changed(self, board: OpenBoard, news: Sequence[str]) -> None:
        """Show a change, together with others that follow at once."""
        self._news.setdefault(board, []).extend(news)
        if board is self.session.shown or board.needs_attention:
            self._redraw()

    def remove(self, board: OpenBoard) -> None:
        """Drop the tab of a board."""
        self._news.pop(board, None)
        if not self.session.boards:
            self.action_lobby()
        self._redraw()

    async def ask_secret(self, question: str) -> str:
        """Return the answer to a question, which is not shown; empty if the player leaves it by Esc."""
        answered: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self.push_screen(SecretScreen(question), answered.set_result)
        return await answered or ""

    def draw_with(self, glyphs: Glyphs) -> None:
        """Draw boards with other characters."""
        self._glyphs = self._view.glyphs = glyphs
        self._set_classes()
        self._redraw()

    # What the player does

    def action_run(self, line: str) -> None:
        """Run a command."""
        self._begin(self._run(line))

    def action_lobby(self) -> None:
        """Show the lobby."""
        self._is_lobby_shown = True
        self._switcher.current = "lobby"
        self._focus(self._lobby.play)
        self._redraw()

    def action_turn(self, step: int) -> None:
        """Go to the next tab or the previous one; the lobby is the first."""
        tabs: list[OpenBoard | None] = [None, *self.session.boards]
        shown = None if self._is_lobby_shown else self.session.shown
        following = tabs[(tabs.index(shown) + step) % len(tabs)]
        if following is None:
            self.action_lobby()
        else:
            self.session.show(following)

    @on(Input.Submitted, "#command")
    def _run_typed(self, event: Input.Submitted) -> None:
        event.stop()
        line, view = self._command.take(), self._view
        if self._is_lobby_shown or self.session.shown is None:
            self._focus(self._lobby.play)
        else:
            self._focus(view)
            if line.strip() in view.branch:
                view.choose(line.strip())
                return
        self.action_run(line)

    @on(LinesView.Chosen)
    def _run_clicked(self, event: LinesView.Chosen) -> None:
        command = event.command
        if command == LOBBY:
            self.action_lobby()
        elif command.startswith("!"):
            self._view.choose(command[1:])
        elif command.startswith("?"):
            self._prepare(command[1:])
            self.notify(f"Press Enter to {command[1:]}, or Esc.", timeout=4)
        else:
            self.action_run(command)

    @on(Lobby.Picked)
    def _run_picked(self, event: Lobby.Picked) -> None:
        if event.command.endswith(COMPLETED):
            self._prepare(event.command.removesuffix(COMPLETED))
        else:
            self.action_run(event.command)

    @on(BoardView.Entered)
    def _play_entered(self, event: BoardView.Entered) -> None:
        self.action_run(event.move)

    @on(BoardView.Changed)
    def _show_choices(self) -> None:
        self._draw_choices()

    def key_escape(self) -> None:
        """Leave the command line."""
        command = self._command
        if command.has_focus:
            command.value = ""
            self._focus(self._lobby.play if self._is_lobby_shown else self._view)

    def _focus(self, widget: Widget) -> None:
        """Focus a widget at once: what is typed next goes there."""
        self.screen_stack[0].set_focus(widget)

    def _prepare(self, text: str) -> None:
        """Put a text into the command line."""
        command = self._command
        command.value = text
        command.cursor_position = len(text)
        self._focus(command)

    async def _run(self, line: str) -> None:
        await run_line(self.session, line)
        self._redraw()
        if self.session.has_quit:
            self.exit()

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        """Do something beside the display; when the connection is lost, the program ends."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, ClientError):
            self.exit(message=str(error), return_code=1)
        elif error is not None:
            raise error

    # The lobby

    async def _announce(self) -> None:
        await self.session.announce_notifications()

    async def _list_mine(self) -> None:
        async for matches in self.session.me.lobby.your_matches():
            entries = [(own_line(each).partition("  ")[2], f"open {each.match}") for each in matches]
            self._lobby.fill("mine", entries, "You are playing no matches.")

    async def _list_seeks(self) -> None:
        async for seeks in self.session.me.lobby.seeks():
            self._seeks = seeks
            self._fill_seeks()

    async def _list_challenges(self) -> None:
        async for _ in self.session.me.lobby.challenges():
            self._fill_seeks()

    def _fill_seeks(self) -> None:
        waiting = self.session.me.lobby.waiting_challenges
        self.session.names.update(seek.by.name for seek in (*waiting, *self._seeks))
        entries = [
            (kind + seek_line(seek).partition("  ")[2], f"join {seek.match}")
            for kind, seeks in (("Challenge: ", waiting), ("", self._seeks))
            for seek in seeks
        ]
        self._lobby.fill("seeks", entries, "Nobody waits. Open a match, or play now.")

    async def _list_live(self) -> None:
        async for matches in self.session.me.lobby.live_matches():
            entries = [(live_line(each).partition("  ")[2], f"open {each.match}") for each in matches]
            self._lobby.fill("live", entries, "There are no live matches.")

    # Drawing

    def _set_classes(self) -> None:
        screen = self.screen_stack[0]
        screen.set_class(self.size.width < NARROW, "-narrow")
        screen.set_class(self.size.width < SMALLEST, "-smallest")
        screen.set_class(self.size.height < LOW, "-low")
        screen.set_class(not self._glyphs.has_colours, "-plain")

    def _redraw(self) -> None:
        """Draw soon, together with what else changes until then."""
        if not self._is_drawing_due and self.is_running:
            self._is_drawing_due = True
            self.set_timer(REDRAW_S, self._draw)

    def _draw(self) -> None:
        self._is_drawing_due = False
        self._areas["tabs"].set_lines([self._tab_line()])
        board = self.session.shown
        picture = None if board is None else board.picture
        view = self._view
        if board is None or self._is_lobby_shown:
            return
        view.show_picture(picture)
        if picture is None:
            return
        self._draw_choices()
        width = self._areas["seats"].size.width
        self._areas["about"].set_lines([[Span(line, QUIET)] for line in wrap_lines(picture.about, width, 0)])
        self._areas["seats"].set_lines(seat_lines(picture, self._glyphs, width))
        self._areas["status"].set_lines(text_lines(picture.status, width))
        self._areas["actions"].set_lines(action_lines(actions_of(board), self._glyphs, width))
        moves = self._areas["moves"]
        moves.set_lines(move_lines(picture.moves, len(picture.seats), width, moves.size.height))
        self._draw_news(board)

    def _draw_clocks(self) -> None:
        """Draw what changes by itself: clocks, what can be claimed by now, and whether there is a connection."""
        self._areas["tabs"].set_lines([self._tab_line()])
        board = self.session.shown
        picture = board.picture if isinstance(board, OpenMatch) and not self._is_lobby_shown else None
        if board is not None and picture is not None:
            width = self._areas["seats"].size.width
            self._areas["seats"].set_lines(seat_lines(picture, self._glyphs, width))
            self._areas["actions"].set_lines(action_lines(actions_of(board), self._glyphs, width))

    def _draw_choices(self) -> None:
        view = self._view
        pointed = view.hovered or (view.cursor if view.has_focus else None) or ""
        entered = " ".join([*view.clicks, pointed]).strip()
        hint = Span(entered or (CUT_OFF if view.is_cut_off else ""), QUIET)
        lines: list[Line] = [[hint]]
        if view.choices:
            buttons = [Action(choice, f"!{choice}") for choice in view.choices]
            lines = action_lines(buttons, self._glyphs, self._areas["choices"].size.width)
            lines[-1] = [*lines[-1], Span(" "), hint]
        self._areas["choices"].set_lines(lines)

    @property
    def _news_width(self) -> int:
        """The columns of what happened on a board."""
        return self._news_log.scrollable_content_region.width or LEAST_NEWS_WIDTH

    def _draw_news(self, board: OpenBoard) -> None:
        log, news = self._news_log, self._news.setdefault(board, [])
        shown, count = self._told
        if shown is not board:
            log.clear()
            count = 0
        for line in news[count:]:
            log.write(Text("\n".join(wrap_lines(line, self._news_width))))
        self._told = (board, len(news))

    def _tab_line(self) -> Line:
        spans = [self._tab(LOBBY, LOBBY, self._is_lobby_shown)]
        boards = self.session.boards
        room = (self.size.width - len(LOBBY) - 2) // max(1, len(boards)) - TAB_MARGIN
        for board in boards:
            is_shown = board is self.session.shown and not self._is_lobby_shown
            mark = "*" if board.needs_attention and not is_shown else ""
            title = shortened(board.title, min(TITLE_WIDTH, room))
            spans.append(self._tab(f"{board.number} {mark}{title}", f"tab {board.number}", is_shown))
        if not self.session.me.is_connected:
            spans.append(Span("  The connection broke; connecting again ...", STRONG))
        return spans

    def _tab(self, label: str, command: str, is_shown: bool) -> Span:
        return Span(f" {label} ", link_style(self._glyphs, is_urgent=True) if is_shown else STRONG, command)


def shortened(title: str, length: int) -> str:
    """Return a title as far as it has room, cut at a comma, a colon or a dash if there is one.

    >>> shortened("Battle Sheep: Bot, level 1", 24), shortened("Replay Ann - Ben", 14), shortened("Battle Sheep", 4)
    ('Battle Sheep: Bot', 'Replay Ann', 'Batt')
    """
    if len(title) <= length:
        return title
    ends = [found.start() for found in re.finditer(", |: | - ", title[: length + 2])]
    return title[: ends[-1] if ends else max(1, length)]
