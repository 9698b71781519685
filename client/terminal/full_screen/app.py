"""The full screen: shows the open boards and the lobby, and runs typed, clicked or picked commands."""

import asyncio
import os
import time
from collections.abc import Coroutine, Mapping, Sequence
from functools import partial

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.geometry import Size
from textual.scrollbar import ScrollBar
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Static

from ...connection import Connection
from ...errors import ClientError
from ..boards import OpenBoard
from ..commands import COMPLETED, Session, groups_of, is_move, is_offered, run_line
from ..glyphs import COLOUR, Glyphs
from ..player_memory import PlayerMemory
from ..wrapping import wrap_lines
from .any_bytes import tolerate_any_bytes
from .board_page import BoardPage
from .board_view import BoardView
from .colours import THEMES, theme_of
from .command_line import CommandLine
from .help_choices import HELP_HINT, help_choices
from .key_line import key_line
from .lines_view import LinesView
from .lobby import Lobby
from .lobby_lists import LobbyLists
from .main_screen import MainScreen
from .pick_screen import Choice, PickScreen
from .scroll_bars import WholeCells
from .secret_screen import SecretScreen
from .tabs import LOBBY, tab_line
from .text_screen import TextScreen
from .typed_lines import TypedLines
from .window_size import TOO_SMALL, size_classes

REDRAW_S = 1 / 15
"""Changes within this time are drawn together, to save bandwidth on a slow link."""
CLOCK_S = 0.25
"""Interval of checking clocks; only those that show a new second are painted."""
LONG_LINES = 6
"""Longer answers to commands are shown over the screen instead of beside the board."""


class FullScreen(App[None]):
    """The user interface that fills the terminal."""

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
        Binding("ctrl+z", "suspend_process", "Suspend", priority=True),
        Binding("ctrl+q", "quit", "Quit", priority=True),
    ]

    def __init__(
        self, me: Connection, glyphs: Glyphs = COLOUR, memory: PlayerMemory | None = None, *, is_local: bool = False
    ) -> None:
        # With colours of the terminal's own, Textual leaves all colours out if NO_COLOR asks for that.
        super().__init__(ansi_color=bool(os.environ.get("NO_COLOR")) or None)
        self.animation_level = "none"
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = theme_of(glyphs)
        ScrollBar.renderer = WholeCells
        tolerate_any_bytes()
        self.session = Session(me, self, lambda: time.time() * 1000, memory, is_local=is_local)
        self._glyphs = glyphs
        self._is_drawing_due = False
        self._is_lobby_shown = True
        self._farewell: str | None = None
        """What is printed after the end."""
        self._has_left = False
        self._is_typing = False
        """Whether a line has been begun: all keys up to Enter or Esc belong to it, wherever the focus is."""
        self._lines = TypedLines(self.session, self._run_typed, self.action_run, self._give_back)
        self._tasks: set[asyncio.Task[None]] = set()
        self._tabs = LinesView(id="tabs")
        self._lobby = Lobby(me.games, partial(is_offered, self.session), id="lobby")
        self._lists = LobbyLists(me, self._lobby, self.session.names.update)
        self._page = BoardPage(glyphs, id="board_page")
        self._switcher = ContentSwitcher(initial="lobby", id="main")
        self._command = CommandLine(self.session, id="command")
        self._keys = LinesView(id="keys")

    def get_default_screen(self) -> MainScreen:
        """Return the screen that shows boards and the lobby."""
        return MainScreen(id="_default")

    def compose(self) -> ComposeResult:
        """Return the widgets."""
        yield self._tabs
        yield Static(TOO_SMALL, id="too_small")
        with self._switcher:
            yield self._lobby
            yield self._page
        with Vertical(id="bottom"):
            yield self._command
            yield self._keys

    def on_mount(self) -> None:
        """Begin to follow the lobby and the notifications."""
        self.set_interval(CLOCK_S, self._draw_clocks)
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self._set_classes(self.size)
        self._draw()
        for work in (*self.session.news(), *self._lists.follow()):
            self._begin(work)
        self._focus(self._lobby.play)

    def on_unmount(self) -> None:
        """Stop everything."""
        for task in self._tasks:
            task.cancel()
        self.session.end()

    def on_resize(self, event: events.Resize) -> None:
        """Adapt the layout to the terminal's size: the event's, since that of the app may still be the old one."""
        self._set_classes(event.size)
        self._redraw()

    async def on_event(self, event: events.Event) -> None:
        """Send what is typed or pasted to the command line, wherever the focus is."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded and len(self.screen_stack) == 1:
            is_begun = isinstance(event, events.Paste) or (event.is_printable and event.character not in (None, " "))
            self._is_typing |= is_begun
            if self._is_typing:
                self._focus(self._command)
            if isinstance(event, events.Key) and event.key in ("enter", "ctrl+j", "escape"):
                self._is_typing = False
        await super().on_event(event)

    # For the session

    def say(self, text: str) -> None:
        """Show the answer to a command: beside the board, or over it if it is long or the lobby is shown."""
        if self.session.has_quit:
            self._farewell = text
            return
        lines = text.splitlines()
        if len(wrap_lines(text, self._page.news_width)) > LONG_LINES:
            self.push_screen(TextScreen(text))
            return
        if self._is_lobby_shown:
            self.notify(text, markup=False, timeout=6)
        if self.session.shown is not None:
            self._page.add_news(self.session.shown, lines)
        self._redraw()

    def list_entries(self, entries: Sequence[tuple[str, str]], heading: str) -> None:
        """Show a list over the screen, from which an entry can be picked."""
        choices = [Choice(f"{number:>2}  {line}", command) for number, (line, command) in enumerate(entries, 1)]
        self.push_screen(PickScreen(heading, choices), self._take_picked)

    def prepare(self, line: str) -> None:
        """Put a command into the command line."""
        command = self._command
        command.value = line
        command.cursor_position = len(line)
        self._is_typing = True
        self._focus(command)

    def show_help(self) -> None:
        """Show the commands over the screen, to be searched; a picked one is put into the command line."""
        self.push_screen(PickScreen("", help_choices(groups_of(self.session)), HELP_HINT), self._take_picked)

    def hand_out(self, text: str) -> None:
        """Show a text over the screen, from where it can be copied."""
        self.push_screen(TextScreen(text, is_for_copying=True))

    def show(self, board: OpenBoard) -> None:
        """Show the tab of a board, also if a list or a text covers it."""
        while isinstance(self.screen, PickScreen) or (isinstance(self.screen, TextScreen) and self.screen.is_passing):
            self.pop_screen()
        self._is_lobby_shown = False
        self.clear_notifications()
        self._switcher.current = "board_page"
        self._page.view.leave()
        self._focus_main()
        self._lines.changed()
        self._redraw()

    def changed(self, board: OpenBoard, news: Sequence[str]) -> None:
        """Show a change, together with others that follow immediately."""
        self._lines.changed()
        self._page.add_news(board, news)
        if board is self.session.shown or board.needs_attention:
            self._redraw()

    def remove(self, board: OpenBoard) -> None:
        """Drop the tab of a board."""
        self._page.forget(board)
        if not self.session.boards:
            self.action_lobby()
        self._redraw()

    @property
    def repeats_secrets(self) -> bool:
        """Whether a new password is asked for twice."""
        return True

    async def ask_secret(self, question: str) -> str:
        """Return the answer to a question, which is not shown; empty if the player presses Esc."""
        answered: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self.push_screen(SecretScreen(question), answered.set_result)
        return await answered or ""

    def draw_with(self, glyphs: Glyphs) -> None:
        """Draw boards with another set of characters."""
        self._glyphs = glyphs
        self._page.draw_with(glyphs)
        self._set_classes(self.size)
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
        following = tabs[(tabs.index(self._shown) + step) % len(tabs)]
        if following is None:
            self.action_lobby()
        else:
            self.session.show(following)

    @on(CommandLine.Entered)
    def _take_typed(self, event: CommandLine.Entered) -> None:
        self._focus_main()
        if event.line.strip():
            self._begin(self._lines.run(event.line, event.openings))

    async def _run_typed(self, line: str) -> None:
        """Run a typed line: a command, a move, or a click that is a part of one."""
        shown, view = self._shown, self._page.view
        is_choice = shown is not None and shown.as_move(line) in view.branch
        if not (is_choice or is_move(self.session, line)):
            await self._run(line)
            return
        board = self.session.board
        if shown is None:
            self.session.show(board)
        move = board.as_move(line)
        view.show_picture(board.picture)
        if isinstance(view.branch.get(move), Mapping):
            view.choose(move)
            return
        words = (*view.clicks, move) if move in view.branch else tuple(move.split())
        view.send(words)
        await self._play(" ".join(words))

    def _give_back(self, line: str, why: str) -> None:
        """Let the player enter a line once more."""
        self.notify(f"{why} Enter runs it here: {line}", markup=False, timeout=6)
        if not self._is_typing:
            self.prepare(line)

    @on(LinesView.Chosen)
    def _run_clicked(self, event: LinesView.Chosen) -> None:
        command = event.command
        if command == LOBBY:
            self.action_lobby()
        elif command.startswith("!"):
            self._page.view.choose(command[1:])
        elif command.startswith("?"):
            self.prepare(command[1:])
            self.notify(f"Press Enter to {command[1:]}, or Esc.", timeout=4)
        else:
            self.action_run(command)

    @on(Lobby.Picked)
    def _run_picked(self, event: Lobby.Picked) -> None:
        self._take_picked(event.command)

    def _take_picked(self, command: str | None) -> None:
        """Run a command that was picked, or put it into the command line if the player has to complete it."""
        if command and command.endswith(COMPLETED):
            self.prepare(command.removesuffix(COMPLETED))
        elif command:
            self.action_run(command)

    @on(BoardView.Entered)
    def _play_entered(self, event: BoardView.Entered) -> None:
        self._begin(self._play(event.move))

    def key_escape(self) -> None:
        """Leave the command line."""
        if self._command.has_focus:
            self._focus_main()

    def _focus(self, widget: Widget) -> None:
        """Focus a widget immediately: the next typed character goes there."""
        self.screen_stack[0].set_focus(widget)

    def _focus_main(self) -> None:
        """Focus the lobby or the board, unless a line is being typed."""
        if not self._is_typing:
            self._focus(self._lobby.play if self._shown is None else self._page.view)

    async def _play(self, move: str) -> None:
        """Play a move that the board shows as entered."""
        board = self._shown
        await self._run_line(move)
        if board is not None and board is self._shown:
            self._page.view.answer()

    async def _run(self, line: str) -> None:
        with self._command.show_unanswered(line):
            await self._run_line(line)

    async def _run_line(self, line: str) -> None:
        await run_line(self.session, line)
        self._redraw()
        if self.session.has_quit:
            self._leave(self._farewell, 0)

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        """Run a coroutine in the background; if the connection is lost, the program ends."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, ClientError):
            # The server closes the connection of a player who signs out.
            if self.session.has_quit:
                self._leave(self._farewell, 0)
            else:
                self._leave(str(error), 1)
        elif error is not None:
            raise error

    def _leave(self, message: str | None, return_code: int) -> None:
        """End the program, and print a message then: the first, since all tasks fail together."""
        if not self._has_left:
            self._has_left = True
            self.exit(message=message, return_code=return_code)

    # Drawing

    def _set_classes(self, size: Size) -> None:
        for name, is_set in {**size_classes(size), "-plain": not self._glyphs.has_colours}.items():
            self.screen_stack[0].set_class(is_set, name)
        self.theme = theme_of(self._glyphs)

    def _redraw(self) -> None:
        """Draw soon, together with all changes until then."""
        if not self._is_drawing_due and self.is_running:
            self._is_drawing_due = True
            self.set_timer(REDRAW_S, self._draw)

    def _draw(self) -> None:
        self._is_drawing_due = False
        self._lobby.greet(self.session.me.player.name)
        self._draw_tabs()
        if (board := self._shown) is not None:
            self._page.draw(board)

    def _draw_clocks(self) -> None:
        """Draw what changes without an event."""
        self._draw_tabs()
        if (board := self._shown) is not None:
            self._page.draw_clocks(board)

    def _draw_tabs(self) -> None:
        session = self.session
        line = tab_line(session.boards, self._shown, session.me.is_connected, self._glyphs, self.size.width)
        self._tabs.set_lines([line])
        shown = self._shown
        keys = {"is_lobby": shown is None, "has_steps": shown is not None and shown.has_steps}
        self._keys.set_lines([key_line(**keys, has_tabs=bool(session.boards), width=self.size.width)])

    @property
    def _shown(self) -> OpenBoard | None:
        """The board that is shown; None while the lobby is."""
        return None if self._is_lobby_shown else self.session.shown
