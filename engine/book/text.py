"""A book as text that people can read and version control can compare: a header, and a line for each move.

    {"format":1,"game":"morris",...}
    d6 900 931 0.512
     f4 610 590 0.495
      b4 402 420 -

A move stands one space further to the right than the move that it answers; behind it stand the matches in which it was
played, the half points that it brought to its side, and its worth if it was weighed. Where a position comes up a second
time by another order of moves, or turned, its moves are not told again. The header is a line of JSON, with a checksum
of the other lines.
"""

import hashlib
from collections.abc import Iterator

import msgspec

from ..game import EngineError, Game
from ..state import State
from .book import HALF_POINTS, Book, BookError, Recipe, Tally
from .canonical_form import Clicks, Key

FORMAT = 2
CHECKSUM_BYTES = 8
NOT_WEIGHED = "-"


class Header(msgspec.Struct, frozen=True):
    """What the first line says."""

    format: int
    game: str
    matches: int
    recipe: Recipe
    checksum: str
    """BLAKE2b of what follows the first line, in hexadecimal digits."""


def format_book(book: Book) -> str:
    """Return a book as text, without the moves that no other leads to."""
    lines = "".join(f"{line}\n" for line in _lines_below(book, State.of(book.game), set()))
    header = Header(FORMAT, book.game.name, book.matches, book.recipe, _checksum(lines))
    return f"{msgspec.json.encode(header).decode()}\n{lines}"


def parse_book(game: Game, text: str) -> Book:
    """Read what `format_book` wrote. Raises: BookError."""
    first, _, lines = text.partition("\n")
    try:
        header = msgspec.json.decode(first, type=Header)
    except (msgspec.MsgspecError, UnicodeEncodeError) as error:
        raise BookError("This does not begin as an opening book does.") from error
    if (header.format, header.game) != (FORMAT, game.name):
        raise BookError(f"This is not an opening book of {game.title}, or one of another version.")
    if _checksum(lines) != header.checksum:
        raise BookError("This opening book is damaged: its checksum does not match.")
    book = Book(game, header.recipe, header.matches)
    try:
        _read_lines(book, lines)
    except (EngineError, ValueError, IndexError) as error:
        raise BookError(f"This opening book cannot be read: {error}") from error
    return book


def _lines_below(book: Book, state: State, told: set[Key]) -> Iterator[str]:
    """Yield the lines of what follows a state, the most played move first."""
    sight = book.onlooker.sight_of(state)
    node = book.nodes.get(sight.key, {})
    if sight.key in told or not node:
        return
    told.add(sight.key)
    # Where one order of moves would bring a position back, another does not: hence not the legal moves.
    moves = book.onlooker.alike(state, sight, state.generated_moves)
    for clicks, tally in sorted(node.items(), key=_rank):
        move = moves[clicks][0]
        worth = NOT_WEIGHED if tally.worth is None else f"{tally.worth:.3f}"
        yield f"{' ' * state.ply}{state.format_move(move)} {tally.matches} {tally.half_points} {worth}"
        yield from _lines_below(book, state.after(move), told)


def _rank(entry: tuple[Clicks, Tally]) -> tuple[int, Clicks]:
    clicks, tally = entry
    return -tally.matches, clicks


def _read_lines(book: Book, lines: str) -> None:
    """Fill a book. Raises: EngineError, ValueError, IndexError."""
    onlooker = book.onlooker
    states, moves = [State.of(book.game)], list[int]()
    sights = [onlooker.sight_of(states[0])]
    for line in lines.splitlines():
        move_text, matches, half_points, worth = line.lstrip(" ").split(" ")
        ply = len(line) - len(line.lstrip(" "))
        if ply == len(states):
            states.append(states[-1].after(moves[-1]))
            sights.append(onlooker.sight_of(states[-1]))
        del states[ply + 1 :], sights[ply + 1 :], moves[ply:]
        state, sight = states[ply], sights[ply]
        moves.append(state.parse_move(move_text))
        tally = Tally(int(matches), int(half_points), None if worth == NOT_WEIGHED else float(worth))
        is_possible = 0 <= tally.half_points <= HALF_POINTS * tally.matches and 0 <= (tally.worth or 0) <= 1
        if moves[ply] not in state.generated_moves or not is_possible:
            raise BookError(f"{move_text} cannot have been played there so often with such success.")
        book.nodes.setdefault(sight.key, {})[onlooker.clicks_of(state, sight, moves[ply])] = tally


def _checksum(lines: str) -> str:
    return hashlib.blake2b(lines.encode(), digest_size=CHECKSUM_BYTES).hexdigest()
