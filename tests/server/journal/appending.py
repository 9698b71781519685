"""A process that starts others, which append to the journal as fast as they can and print what has been acknowledged.

`python -m tests.server.journal.appending URL` forks a child for each line of its input, a name for the child's matches.
The child prints `began PID`, then `MATCH SEQ` for each append, until it is killed; then its parent prints `ended`. To
fork spares each child the imports.
"""

import asyncio
import os
import sys

from millrace.protocol import CommandId, Created, MatchId, Moved
from millrace.server.app.stores import open_journal
from millrace.server.journal.entries import Entry, Origin

MATCHES = 5


def say(words: str) -> None:
    """Print a line at once and in one piece."""
    os.write(sys.stdout.fileno(), f"{words}\n".encode())


async def append_for_ever(url: str, run: str) -> None:
    """Append to several matches at once, one to three events at a time."""
    journal = await open_journal(url)

    async def play(match: MatchId) -> None:
        seq = 0
        while True:
            first = Entry(Created("morris", "", (), None), 0) if seq == 0 else Entry(Moved(0, f"{seq + 1}", None), 0)
            more = [Entry(Moved(0, f"{seq + 2 + i}", None), 0) for i in range(seq % 3)]
            origin = Origin(run, CommandId(match)) if seq == 0 else None
            assert await journal.append(match, seq, [first, *more], origin)
            seq += 1 + len(more)
            say(f"{match} {seq}")

    await asyncio.gather(*(play(MatchId(f"{run}-{number}")) for number in range(MATCHES)))


def start_children(url: str) -> None:
    """Fork a child for each line, and wait for its end."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            say(f"began {os.getpid()}")
            asyncio.run(append_for_ever(url, line.strip()))
        os.waitpid(child, 0)
        say("ended")


if __name__ == "__main__":
    start_children(sys.argv[1])
