"""Opening books: which moves did well, in whole matches of the engine against itself, from the start of a game.

No files here: a book is text that is handed in and out; `server.books` reads and writes it.

    form.py        positions and moves that a symmetry of the board turns into one another count as one
    record.py       what has been played: for each position, how each move did
    text.py         a book as text, a line for each move
    growing.py      which match to play next, playing it, and adding it
    weighing.py     what moves are worth to a long search
    choosing.py     the move that a book plays
"""
