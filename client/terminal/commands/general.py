"""Commands about the terminal itself: open boards, how they are drawn, and the end. `help` is in `all_commands`."""

from ..boards import OpenBoard
from ..glyphs import GLYPH_SETS
from ..usage import UsageError
from .command import Command, Group
from .session import Entry, Session


async def _list_boards(session: Session, _: list[str]) -> None:
    # Numbers are those of the boards, so that 2 goes to board 2.
    numbers = range(1, 1 + max((board.number for board in session.boards), default=0))
    session.listed = tuple(Entry("", "", f"tab {number}") for number in numbers)
    lines = (f"{'>' if board is session.shown else ' '}{board_line(board)}" for board in session.boards)
    session.say(lines, "No board is open.")


async def _show_board(session: Session, words: list[str]) -> None:
    session.show(_board_of(session, words[0]))


async def _close_board(session: Session, words: list[str]) -> None:
    board = _board_of(session, words[0]) if words else session.board
    session.face.say(f"Closed {board.title}.")
    session.close(board)


async def _draw_with(session: Session, words: list[str]) -> None:
    glyphs = GLYPH_SETS.get(words[0])
    if glyphs is None:
        raise UsageError(f"Boards are drawn in {', '.join(GLYPH_SETS)}; there is no {words[0]}.")
    session.face.draw_with(glyphs)
    if session.shown is not None:
        session.show(session.shown)


async def _quit(session: Session, _: list[str]) -> None:
    session.has_quit = True


def board_line(board: OpenBoard) -> str:
    """Return an open board as a line."""
    return f"{board.number}  {board.title}{'  <- your turn' if board.needs_attention else ''}"


def _board_of(session: Session, word: str) -> OpenBoard:
    for board in session.boards:
        if word == str(board.number):
            return board
    raise UsageError(f"There is no board {word}. Type tabs to list the open ones.")


GENERAL = Group(
    "The terminal",
    (
        Command("tabs", "list the open boards", _list_boards),
        Command("tab NUMBER", "go to an open board", _show_board, "tab 2"),
        Command("close [NUMBER]", "close a board; its match continues", _close_board, "close 1"),
        Command("style SET", "draw in colour, light, ascii or contrast", _draw_with, "style contrast"),
        Command("quit", "quit; your matches continue", _quit, also="exit bye q"),
    ),
)
