"""Endings solved by retrograde analysis: what tables hold, how they are made, and how play follows them.

No files here: tables are arrays that are handed in and out; `server.tables` reads and writes them. Today only Nine
Men's Morris has such endings. Which position stands where in a table is the game's own business (`Strength.tablebase`).

    codes.py        what a byte of a table says
    pairs.py        which tables there are, and which must be solved before which
    retrograde.py   solving two tables that lead to one another
    probing.py      a position's distance, and the moves that keep it
    checking.py     counting a table, and comparing it with what its moves say
"""
