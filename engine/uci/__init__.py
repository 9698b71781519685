"""The line protocol by which any program can use the engine: UCI's commands with this project's moves and positions.

No streams here: lines come from a queue that someone else fills, so that `stop` is heard during a search, and go out
through a function. Imported by the command `millrace engine`. The protocol follows UCI (Huber and Meyer-Kahlen, 2000):

    uci                                      id name ..., id author ..., option ..., uciok
    isready                                  readyok, also during a search
    setoption name Level value WHO           1 to 8, easy, medium, hard, or a personality (`engine.opponents`)
    setoption name Hash|Threads value V      Threads search together, at the strongest level
    setoption name Book value true|false     whether moves of an opening book are played, where only time is a limit
    setoption name Ponder value true|false   accepted, as UCI asks; the engine needs no preparation
    setoption name Setup value TEXT          where startpos is from now on: a position text or options (seats=4 seed=1);
                                             without a text, the standard start
    ucinewgame
    position startpos|text TEXT [moves M...]
    go LIMITS                                info depth D score V nodes N nps N time MS pv M..., bestmove M [ponder M]
    ponderhit, stop, quit

`score` is in hundredths of a man for the seat to move. What cannot be done is answered by `info string error ...`.

LIMITS are `infinite`, or one or more of these, of which the first that is reached counts:

    movetime MS, depth N, nodes N
    time MS [inc MS] [delay MS] [movestogo N]
        the clock of the seat to move: what it has left, what each of its plies adds or may take before the clock runs,
        and after how many of its own plies it gets more. How much of that this ply takes is for the engine to decide
    wtime MS btime MS [winc MS] [binc MS] [movestogo N]
        the same in UCI's words where two play: w is the seat that moves first in a match
    ponder
        before the others: the position is what the opponent is expected to make of it. Nothing is answered, and no
        time counts, before `ponderhit` says that it has come about, or `stop` that it has not. What was found until
        then is kept

`bestmove` tells after `ponder` the answer that is expected, where two play. While a search goes on, `stop`, `quit`,
`isready` and, if it ponders, `ponderhit` are heard at once; other lines are put off until it has ended.
"""

from engine.uci.session import Inbox, serve_lines

__all__ = ["Inbox", "serve_lines"]
