"""Books of random matches, and the entry of a move in a book."""

import random

from millrace.engine.book.book import Book, BookMove, Recipe
from millrace.engine.games import GAMES
from millrace.engine.state import State


def book_move_of(book: Book, *moves: str) -> BookMove:
    """Return what the book has of the last of some moves."""
    state = State.from_moves(book.game, "", moves[:-1])
    form = book.canonicalizer.canonical_form(state)
    return book.nodes[form.key][book.canonicalizer.canonical_clicks(state, form, state.parse_move(moves[-1]))]


def random_book(name: str, chance: random.Random, matches: int, results: tuple[int, ...] = (0, 1, 2)) -> Book:
    book = Book(GAMES[name], Recipe(deepest=6))
    for _ in range(matches):
        state = State.of(book.game)
        while state.outcome is None and state.ply < 8:
            state = state.play(chance.choice(state.legal_moves[:3]))
        book.add(state.move_texts, chance.choice(results))
    for node in book.nodes.values():
        for book_move in node.values():
            book_move.expected_score = chance.choice((None, 0.0, 0.123, 1.0))
    return book
