"""Files of opening books: one text file per game, always written whole.

A shipped game's book is in the game's folder.
"""

from importlib import resources
from pathlib import Path

import structlog

from millrace.engine.book.book import Book, BookError
from millrace.engine.book.text import format_book, parse_book
from millrace.engine.game import Game
from millrace.engine.games import find_game

from ...runtime.gentle_files import replacing

log = structlog.get_logger()

SHIPPED_NAME = "opening.book"
SUFFIX = ".book"


def path_of(folder: Path, game: str) -> Path:
    """Return the file of a game's book in a folder of books."""
    return folder / f"{game}{SUFFIX}"


def write_book(path: Path, book: Book) -> None:
    """Write a book atomically. Raises: OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        file.write(format_book(book).encode())


def read_book(path: Path, game: Game) -> Book:
    """Read a book. Raises: OSError; BookError, which names the file."""
    try:
        return parse_book(game, path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise BookError(f"{path} is not text in UTF-8.") from error
    except BookError as error:
        raise BookError(f"{path}: {error}") from error


def shipped_book(game: Game) -> Book | None:
    """Return the book shipped with a game, or None. Raises: BookError."""
    file = resources.files("millrace.engine.games") / game.name / SHIPPED_NAME
    return parse_book(game, file.read_text(encoding="utf-8")) if file.is_file() else None


class BookLibrary:
    """The available books, each read at its first use."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._books: dict[str, Book | None] = {}

    def book(self, game_name: str) -> Book | None:
        """Return a game's book from the folder or the shipped one, whichever was built from more matches.

        Returns None if there is no usable book. A damaged book is logged and ignored. Raises: UnknownGameError.
        """
        if game_name not in self._books:
            game = find_game(game_name)
            books = (self._built_here(game), shipped_book(game))
            useful = [book for book in books if book is not None and book.scored_positions > 0]
            self._books[game_name] = max(useful, key=lambda book: book.matches, default=None)
        return self._books[game_name]

    def _built_here(self, game: Game) -> Book | None:
        try:
            return read_book(path_of(self._folder, game.name), game)
        except FileNotFoundError:
            return None
        except (OSError, BookError) as error:
            log.warning("opening book ignored", game=game.name, error=str(error))
            return None
