"""The full screen without a terminal, for tests: waiting for what it shows, and its text."""

import asyncio
import html
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from millrace.client import connect
from millrace.client.terminal.boards import OpenMatch
from millrace.client.terminal.full_screen import FullScreen
from millrace.client.terminal.full_screen.board_view import BoardView
from millrace.client.terminal.glyphs import COLOUR, Glyphs
from tests.serving import PATIENCE_S, ServerProcess

_TEXT = re.compile(
    r'<text [^>]*x="(?P<x>[\d.]+)"[^>]*clip-path="url\(#[\w-]+-line-(?P<line>\d+)\)">(?P<text>.*?)</text>'
)
_WIDTH = 12.2
"""The width of a character in a screenshot."""
STEADY_S = 0.3
"""How long a label stays in its place before it is clicked."""


class Screen:
    """A full screen that a test looks at and works on."""

    def __init__(self, app: FullScreen, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def lines(self) -> list[str]:
        """The lines that are shown, without spaces at their ends."""
        rows: dict[int, list[str]] = {}
        for found in _TEXT.finditer(self.app.export_screenshot()):
            row, column = rows.setdefault(int(found["line"]), []), round(float(found["x"]) / _WIDTH)
            row += [" "] * (column - len(row))
            row += html.unescape(found["text"]).replace("\xa0", " ")
        return ["".join(rows.get(number, [])).rstrip() for number in range(self.app.size.height)]

    @property
    def text(self) -> str:
        """All that is shown."""
        return "\n".join(self.lines)

    async def see(self, pattern: str) -> str:
        """Return all that is shown, once it matches."""
        await self.until(lambda: re.search(pattern, self.text, re.MULTILINE) is not None, pattern)
        return self.text

    async def until(self, condition: Callable[[], bool], what: str) -> None:
        """Return once a condition holds."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not condition():
                    await self.pilot.pause(0.1)
        except TimeoutError:
            raise AssertionError(f"{what} is not shown:\n{self.text}") from None

    async def type(self, line: str, pattern: str) -> str:
        """Type a line, and return what is shown once it matches."""
        for character in line:
            await self.pilot.press({" ": "space"}.get(character, character))
        await self.pilot.press("enter")
        return await self.see(pattern)

    async def settle(self) -> None:
        """Return once the screen stays as it is."""
        before = ""
        while before != self.text:
            before = self.text
            await self.pilot.pause(0.3)

    async def click(self, label: str) -> None:
        """Click where a label is shown, once it stays there: what is about to move is not hit."""
        place, before = self.place_of(label), None
        while place != before:
            await self.pilot.pause(STEADY_S)
            place, before = self.place_of(label), place
        await self.pilot.click(offset=place)

    def place_of(self, label: str) -> tuple[int, int]:
        """Return a column and line where a label is shown."""
        row, line = next((row, line) for row, line in enumerate(self.lines) if label in line)
        return line.index(label) + 1, row

    async def click_when(self, label: str) -> None:
        """Click a label once it is shown."""
        await self.see(re.escape(label))
        await self.click(label)

    async def click_cell(self, cell: str) -> None:
        """Click a cell of the board."""
        view = self.app.query_one(BoardView)
        place = view.place_of(cell)
        assert place is not None, f"{cell} is not drawn"
        await self.pilot.click(view, offset=place)


@asynccontextmanager
async def screened(
    server: ServerProcess,
    token: str = "",
    size: tuple[int, int] = (120, 40),
    glyphs: Glyphs = COLOUR,
    *,
    is_local: bool = False,
) -> AsyncIterator[Screen]:
    """Run a full screen for a player."""
    async with connect(server.address, token=token) as me:
        app = FullScreen(me, glyphs, is_local=is_local)
        async with app.run_test(size=size, notifications=True) as pilot:
            screen = Screen(app, pilot)
            await screen.see("Your matches")
            yield screen


def can_click(view: BoardView, word: str) -> bool:
    """Return whether a cell can be clicked now."""
    return word in view.branch


def shown_match(screen: Screen) -> OpenMatch:
    """Return the match on the screen."""
    board = screen.app.session.shown
    assert isinstance(board, OpenMatch)
    return board
