"""An open board on the full screen, with its seats, buttons, moves and news."""

from collections.abc import Sequence

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import RichLog

from ..boards import OpenBoard, Picture
from ..commands.actions import Action, actions_of
from ..glyphs import Glyphs
from ..wrapping import wrap_lines
from .board_view import BoardView
from .colours import QUIET
from .lines_view import Line, LinesView, Span
from .match_panel import action_lines, heading_line, move_lines, seat_lines, text_lines

MOST_NEWS = 300
"""Maximum lines of a board's news."""
LEAST_NEWS_WIDTH = 30
"""Columns of a board's news, on a narrow screen."""
CUT_OFF = "Arrows show the rest."
"""Below a board that is larger than the screen."""
AREAS = ("about", "seats", "status", "actions", "moves", "heading")
"""The panel beside a board, from the top."""


class BoardPage(Horizontal):
    """Draws one of the open boards."""

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.view = BoardView(glyphs, id="board")
        """The board itself."""
        self._glyphs = glyphs
        self._areas = {name: LinesView(id=name) for name in AREAS}
        self._choices = LinesView(id="choices")
        self._news_log = RichLog(id="news", wrap=True, max_lines=MOST_NEWS, min_width=10)
        self._news: dict[OpenBoard, list[str]] = {}
        self._told: tuple[tuple[OpenBoard, int] | None, int] = (None, 0)
        """The board whose news are shown and the width for which they are wrapped; and how many of them."""

    def compose(self) -> ComposeResult:
        """Return the widgets."""
        with Vertical(id="left"):
            yield self.view
            yield self._choices
        with Vertical(id="side"):
            yield from self._areas.values()
            yield self._news_log

    @property
    def news_width(self) -> int:
        """The columns of a board's news."""
        return self._news_log.scrollable_content_region.width or LEAST_NEWS_WIDTH

    def add_news(self, board: OpenBoard, news: Sequence[str]) -> None:
        """Keep news of a board, to be drawn with it."""
        self._news.setdefault(board, []).extend(news)

    def forget(self, board: OpenBoard) -> None:
        """Drop the news of a board."""
        self._news.pop(board, None)

    def draw_with(self, glyphs: Glyphs) -> None:
        """Draw with another set of characters."""
        self._glyphs = self.view.glyphs = glyphs

    def draw(self, board: OpenBoard) -> None:
        """Draw a board as it is now, as far as the server has sent it."""
        picture = board.picture
        self.view.show_picture(picture)
        self.draw_choices()
        if picture is None:
            # Nothing of another board, least of all its buttons, may be taken for this one's.
            for area in self._areas.values():
                area.set_lines([])
            self._draw_news(board)
            return
        areas, width = self._areas, self._width
        areas["about"].set_lines([[Span(line, QUIET)] for line in wrap_lines(picture.about, width, 0)])
        areas["heading"].set_lines([heading_line("Messages", picture.audience, width)])
        self._draw_state(board, picture)
        self._draw_news(board)

    def draw_clocks(self, board: OpenBoard) -> None:
        """Draw what changes with time: clocks and claims."""
        picture = board.picture if board.is_timed else None
        if picture is not None:
            self._draw_state(board, picture)

    @on(BoardView.Changed)
    def draw_choices(self) -> None:
        """Draw the choices that are not cells, and the cells that are clicked or pointed at."""
        view = self.view
        pointed = view.hovered or (view.cursor if view.has_focus else None) or ""
        entered = " ".join([*view.sent, "..."] if view.sent else [*view.clicks, pointed]).strip()
        if view.may_premove and view.clicks:
            entered = f"{' '.join(view.clicks)}  again for a premove, Backspace undoes"
        hint = Span(entered or (CUT_OFF if view.is_cut_off else ""), QUIET)
        lines: list[Line] = [[hint]]
        if view.choices:
            buttons = [Action(choice, f"!{choice}") for choice in view.choices]
            lines = action_lines(buttons, self._glyphs, self._choices.size.width)
            lines[-1] = [*lines[-1], Span(" "), hint]
        self._choices.set_lines(lines)

    @property
    def _width(self) -> int:
        """The columns of the panel beside the board."""
        return self._areas["seats"].size.width

    def _draw_state(self, board: OpenBoard, picture: Picture) -> None:
        areas, width = self._areas, self._width
        areas["seats"].set_lines(seat_lines(picture, self._glyphs, width))
        status = " ".join(filter(None, (picture.status, picture.bot_explanation, picture.countdown)))
        areas["status"].set_lines(text_lines(status, width))
        moves = areas["moves"]
        moves.set_lines(
            [[Span(line)] for line in picture.standings]
            or move_lines(picture.moves, len(picture.seats), width, moves.size.height)
        )
        areas["actions"].set_lines(action_lines(actions_of(board), self._glyphs, width))

    def _draw_news(self, board: OpenBoard) -> None:
        log, news = self._news_log, self._news.setdefault(board, [])
        width = self.news_width
        shown, count = self._told
        if shown != (board, width):
            log.clear()
            count = 0
        for line in news[count:]:
            log.write(Text("\n".join(wrap_lines(line, width))))
        self._told = ((board, width), len(news))
