"""A board on the full screen: entering moves by mouse and keys. It knows no rules, only the tree of legal clicks."""

import re
from collections.abc import Mapping

from textual import events
from textual.binding import Binding
from textual.message import Message

from ..board import DrawnBoard, Marks, Symbols, largest_scale
from ..boards import Picture
from ..glyphs import COLOUR, Glyphs, colours_of
from .colours import style_of
from .lines_view import LinesView, Span

_CELL = re.compile(r"[a-z]+\d+")
"""A cell in the text of a move."""


class BoardView(LinesView, can_focus=True):
    """The board of a picture, with a cursor and the clicks of the move that is being entered."""

    BINDINGS = [
        Binding("left", "move(-1, 0)", show=False),
        Binding("right", "move(1, 0)", show=False),
        Binding("up", "move(0, -1)", show=False),
        Binding("down", "move(0, 1)", show=False),
        Binding("enter,space", "enter", "Enter the cell"),
        Binding("escape,backspace", "undo", "Undo"),
    ]

    class Entered(Message):
        """A whole move was entered."""

        def __init__(self, move: str) -> None:
            super().__init__()
            self.move = move

    class Changed(Message):
        """Other clicks can be made now, or the cursor is on another cell."""

    def __init__(self, glyphs: Glyphs = COLOUR, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self.clicks: tuple[str, ...] = ()
        """The clicks of a move that were made so far."""
        self.sent: tuple[str, ...] = ()
        """The words of a move that waits for its answer. Until then nothing else can be entered."""
        self.cursor: str | None = None
        """The cell of the cursor, once a key has been used."""
        self.hovered: str | None = None
        """The cell under the pointer."""
        self._is_answered = False
        """Whether the move that was entered has been answered."""
        self._picture: Picture | None = None
        self._drawn: DrawnBoard | None = None

    @property
    def choices(self) -> tuple[str, ...]:
        """The next choices that are not cells, such as a number of sheep or `pass`."""
        cells = set() if self._picture is None else {cell.name for cell in self._picture.content.board.cells}
        return tuple(word for word in self.branch if word not in cells)

    @property
    def branch(self) -> Mapping[str, object]:
        """What can be clicked next."""
        if self.sent:
            return {}
        return _follow(self._picture, self.clicks) or {}

    @property
    def is_cut_off(self) -> bool:
        """Whether the board is larger than the widget, which then shows the part around the cursor."""
        drawn = self._drawn
        return drawn is not None and (drawn.width > self.size.width or drawn.height > self.size.height)

    def place_of(self, cell: str) -> tuple[int, int] | None:
        """Return the column and line of a cell in the widget; None if it is not drawn."""
        place = None if self._drawn is None else self._drawn.place_of(cell)
        return None if place is None else (place[0] + self._offset[0], place[1] + self._offset[1])

    def show_picture(self, picture: Picture | None) -> None:
        """Show another picture. A move that is being entered stays while it is legal."""
        if self._is_answered or picture is None or self._picture is None or picture.tree is not self._picture.tree:
            self.sent = ()
        self._picture = picture
        if self.clicks and not self.may_premove and _follow(picture, self.clicks) is None:
            self.clicks = ()
        self.draw()

    def draw(self) -> None:
        """Draw the board as it is now."""
        picture = self._picture
        if picture is None or not self.size:
            self.set_lines([])
            return
        names = picture.game.seat_names
        symbols, colours = Symbols.of(names, self.glyphs), colours_of(names)
        cursor = (self.cursor,) if self.cursor is not None and self.has_focus else ()
        # What could be clicked stays marked until the answer: a slow link would notice these cells being painted twice.
        targets = _follow(picture, self.sent[:-1] or self.clicks) or {}
        chosen = self.sent or self.clicks or _CELL.findall(" ".join(picture.premoves or ()))
        marks = Marks(cursor, chosen, tuple(targets), picture.lit, picture.last)
        drawn = largest_scale(picture.content, symbols, self.glyphs, self.size.width, self.size.height, marks)
        self._drawn = drawn
        lines = [
            [Span(run.text, style_of(run.role, colours, self.glyphs.has_colours)) for run in row] for row in drawn.rows
        ]
        column, row = (None if self.cursor is None else drawn.place_of(self.cursor)) or (0, 0)
        left = _start(drawn.width, self.size.width, column)
        top = _start(drawn.height, self.size.height, row)
        self.set_lines(lines, (left, top))

    def choose(self, word: str) -> None:
        """Make a click: a cell or a choice. A click that does not fit restarts the move, if possible."""
        branch = self.branch
        if self.may_premove:
            self._choose_premove(word)
            return
        if word not in branch:
            self.clicks, branch = (), self._root
            if word not in branch:
                self._tell()
                return
        following = branch[word]
        if isinstance(following, Mapping):
            self.clicks = (*self.clicks, word)
            self._tell()
        else:
            words = (*self.clicks, word)
            self.send(words)
            self.post_message(self.Entered(" ".join(words)))

    @property
    def may_premove(self) -> bool:
        """Whether clicks make a move for the player's next turn."""
        return self._picture is not None and self._picture.premoves is not None and not self.sent

    def _choose_premove(self, word: str) -> None:
        """Add a click to a premove. It is complete when its last cell is clicked again: no rules are known here."""
        if self.clicks[-1:] == (word,):
            move, self.clicks = " ".join(self.clicks), ()
            self.post_message(self.Entered(move))
        else:
            self.clicks = (*self.clicks, word)
        self._tell()

    def send(self, words: tuple[str, ...]) -> None:
        """Show a whole move as entered until `answer`, or until other moves are legal."""
        self.clicks, self.sent, self._is_answered = (), words, False
        self._tell()

    def answer(self) -> None:
        """Forget the entered move with the next picture, even if it is the same: the move may have been refused."""
        self._is_answered = True

    def leave(self) -> None:
        """Forget what is entered and pointed at, before another board is shown."""
        self.clicks, self.sent, self.cursor, self.hovered = (), (), None, None

    def action_move(self, across: int, down: int) -> None:
        """Move the cursor."""
        drawn = self._drawn
        if drawn is None or self._picture is None:
            return
        if self.cursor is None or drawn.place_of(self.cursor) is None:
            cells = [cell.name for cell in self._picture.content.board.cells if drawn.place_of(cell.name) is not None]
            middle = cells[len(cells) // 2] if cells else None
            self.cursor = next((cell for cell in cells if cell in self.branch), middle)
        else:
            self.cursor = drawn.neighbour(self.cursor, across, down)
        self._tell()

    def action_enter(self) -> None:
        """Click the cell of the cursor."""
        if self.cursor is not None:
            self.choose(self.cursor)

    def action_undo(self) -> None:
        """Take the last click back."""
        self.clicks = self.clicks[:-1]
        self._tell()

    def on_click(self, event: events.Click) -> None:
        """Click the cell under the pointer."""
        left, top = self._offset
        cell = None if self._drawn is None else self._drawn.cell_at(event.x - left, event.y - top)
        if cell is not None:
            self.choose(cell)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Report the cell under the pointer: small boards have no room for names."""
        left, top = self._offset
        cell = None if self._drawn is None else self._drawn.cell_at(event.x - left, event.y - top)
        if cell != self.hovered:
            self.hovered = cell
            self.post_message(self.Changed())

    def on_resize(self) -> None:
        """Draw the board as large as possible, and say whether it fits."""
        self._tell()

    def on_focus(self, event: events.Focus) -> None:
        """Show the cursor; repaint nothing else."""
        event.prevent_default()
        self.has_focus = True
        self.draw()

    def on_blur(self, event: events.Blur) -> None:
        """Hide the cursor; repaint nothing else."""
        event.prevent_default()
        self.has_focus = False
        self.draw()

    @property
    def _root(self) -> Mapping[str, object]:
        return {} if self._picture is None or self._picture.tree is None else self._picture.tree

    def _tell(self) -> None:
        self.draw()
        self.post_message(self.Changed())


def _start(length: int, room: int, shown: int) -> int:
    """Return the start of a board in a space of columns or lines: centred, or showing a place if it is longer.

    >>> _start(20, 30, 5), _start(40, 30, 5), _start(40, 30, 22), _start(40, 30, 39)
    (5, 0, -7, -10)
    """
    if length <= room:
        return (room - length) // 2
    return -min(max(0, shown - room // 2), length - room)


def _follow(picture: Picture | None, clicks: tuple[str, ...]) -> Mapping[str, object] | None:
    """Return what can be clicked after some clicks; None if they begin no legal move."""
    branch: object = None if picture is None else picture.tree
    for click in clicks:
        branch = branch.get(click) if isinstance(branch, Mapping) else None
    return branch if isinstance(branch, Mapping) else None
