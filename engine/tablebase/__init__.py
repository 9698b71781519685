"""Tablebases: endgames solved by retrograde analysis.

No files: tables are arrays that are passed in and out; `server.bots.tablebases` reads and writes them. Today only Nine
Men's Morris has a tablebase. How positions are numbered in a table is the game's own business (`Strength.tablebase`).
See chessprogramming.org/Endgame_Tablebases.

    codes.py                  what an entry of a table means
    tables.py                 how codes are stored
    pairs.py                  which tables there are, and in which order to solve them
    retrograde_analysis.py    solving two tables that lead to each other, by several threads:
      solving_table.py          a table that is being solved
      initialisation.py         what captures and the number of moves say of each entry
      settling.py               distance by distance, what settled entries say of their predecessors
    placing_proof.py          the value of positions with men in hand, by a search that ends in tables
    result_coding.py          results without distances, compressed in blocks
    small_edition.py          positions in compressed tables
    results.py                who wins, without distances: what other code needs of a solved game
    morris_results.py         who wins in Nine Men's Morris, by both editions of the tables and by proofs
    probing.py                a position's distance, and the moves that keep it
    verdicts.py               what all of this says of a position and its moves, with a distance or without
    endings.py                positions to practise, and the most stubborn defence
    verification.py           counting a table, and checking it against its moves
    independent_solver.py     solving the smallest tables a second time, in the plainest way
"""
