"""Tablebases: endgames solved by retrograde analysis.

No files: tables are arrays that are passed in and out; `server.tablebases` reads and writes them. Today only Nine Men's
Morris has a tablebase. How positions are numbered in a table is the game's own business (`Strength.tablebase`). See
chessprogramming.org/Endgame_Tablebases.

    codes.py                  what an entry of a table means
    pairs.py                  which tables there are, and in which order to solve them
    retrograde_analysis.py    solving two tables that lead to each other
    probing.py                a position's distance, and the moves that keep it
    verification.py           counting a table, and checking it against its moves
"""
