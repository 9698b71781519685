"""A book as text that can be read and compared by version control: a header, then one line for each move.

    {"format":2,"game":"morris",...}
    d6 900 931 0.512
     f4 610 590 0.495
      b4 402 420 -

A move is indented by one space more than the move that it answers. Then follow the matches in which it was played, its
half points for its side, and its expected score, or `-` if it was not scored. Where a position occurs again, by another
order of moves or a symmetry, its moves are not repeated. The header is a line of JSON with a checksum of the other
lines.
"""

import hashlib
from collections.abc import Iterator

import msgspec

from ..game import EngineError, Game
from ..state import State
from .book import HALF_POINTS, Book, BookError, BookMove, Recipe
from .canonical_form import Clicks, Key

FORMAT = 2
CHECKSUM_BYTES = 8
NOT_SCORED = "-"


class Header(msgspec.Struct, frozen=True):
    """The first line."""

    format: int
    game: str
    matches: int
    recipe: Recipe
    checksum: str
    """BLAKE2b of all text after the first line, in hexadecimal."""


def format_book(book: Book) -> str:
    """Return a book as text, without moves that no line leads to."""
    lines = "".join(f"{line}\n" for line in _lines_below(book, State.of(book.game), set()))
    header = Header(FORMAT, book.game.name, book.matches, book.recipe, _checksum(lines))
    return f"{msgspec.json.encode(header).decode()}\n{lines}"


def parse_book(game: Game, text: str) -> Book:
    """Parse the output of `format_book`. Raises: BookError."""
    first, _, lines = text.partition("\n")
    try:
        header = msgspec.json.decode(first, type=Header)
    except (msgspec.MsgspecError, UnicodeEncodeError) as error:
        raise BookError("This is not an opening book: its first line is not a header.") from error
    if (header.format, header.game) != (FORMAT, game.name):
        raise BookError(f"This is not an opening book of {game.title}, or it has another format version.")
    if _checksum(lines) != header.checksum:
        raise BookError("This opening book is damaged: its checksum does not match.")
    book = Book(game, header.recipe, header.matches)
    try:
        _read_lines(book, lines)
    except (EngineError, ValueError, IndexError) as error:
        raise BookError(f"This opening book cannot be read: {error}") from error
    return book


def _lines_below(book: Book, state: State, written: set[Key]) -> Iterator[str]:
    """Yield the lines below a state, the most played move first."""
    form = book.canonicalizer.canonical_form(state)
    node = book.nodes.get(form.key, {})
    if form.key in written or not node:
        return
    written.add(form.key)
    # Not the legal moves: a move that repeats a position in one line may be legal in another.
    moves = book.canonicalizer.equivalent_moves(state, form, state.generated_moves)
    for clicks, book_move in sorted(node.items(), key=_rank):
        move = moves[clicks][0]
        expected = NOT_SCORED if book_move.expected_score is None else f"{book_move.expected_score:.3f}"
        yield f"{' ' * state.ply}{state.format_move(move)} {book_move.matches} {book_move.half_points} {expected}"
        yield from _lines_below(book, state.after(move), written)


def _rank(entry: tuple[Clicks, BookMove]) -> tuple[int, Clicks]:
    clicks, book_move = entry
    return -book_move.matches, clicks


def _read_lines(book: Book, lines: str) -> None:
    """Fill a book. Raises: EngineError, ValueError, IndexError."""
    canonicalizer = book.canonicalizer
    states, moves = [State.of(book.game)], list[int]()
    forms = [canonicalizer.canonical_form(states[0])]
    for line in lines.splitlines():
        move_text, matches, half_points, expected = line.lstrip(" ").split(" ")
        ply = len(line) - len(line.lstrip(" "))
        if ply == len(states):
            states.append(states[-1].after(moves[-1]))
            forms.append(canonicalizer.canonical_form(states[-1]))
        del states[ply + 1 :], forms[ply + 1 :], moves[ply:]
        state, form = states[ply], forms[ply]
        moves.append(state.parse_move(move_text))
        book_move = BookMove(int(matches), int(half_points), None if expected == NOT_SCORED else float(expected))
        is_possible = (
            0 <= book_move.half_points <= HALF_POINTS * book_move.matches and 0 <= (book_move.expected_score or 0) <= 1
        )
        if moves[ply] not in state.generated_moves or not is_possible:
            raise BookError(f"The line of {move_text} is wrong: an impossible move or result.")
        book.nodes.setdefault(form.key, {})[canonicalizer.canonical_clicks(state, form, moves[ply])] = book_move


def _checksum(lines: str) -> str:
    return hashlib.blake2b(lines.encode(), digest_size=CHECKSUM_BYTES).hexdigest()
