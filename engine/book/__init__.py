"""Opening books: which moves did well in matches of the engine against itself, from a game's standard start.

No files: books are passed in and out as text; `server.bots.books` reads and writes them.

    book.py                what was played: for each position, how each move did
    move_choice.py         the move that a book plays
    canonical_form.py      positions and moves that are equal by symmetry count as one
    text.py                a book as text, one line for each move
    growth.py              which match to play next, playing it, and adding it
    position_scoring.py    the expected score of moves by a long search
    seeded_random.py       reproducible random choices
"""
