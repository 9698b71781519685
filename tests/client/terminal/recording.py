"""Snapshots of the full screen, as text: each game at two sizes and in each style. `python -m
tests.client.terminal.recording [NAME...]` takes them anew; look at what has changed.
"""

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from millrace.client.terminal.glyphs import GLYPH_SETS
from tests.client.terminal.screens import screened
from tests.serving import GENEROUS, ServerProcess

FOLDER = Path(__file__).with_name("snapshots")


class Snapshot(NamedTuple):
    """What is typed, and how the screen is then."""

    name: str
    size: tuple[int, int]
    style: str
    lines: tuple[tuple[str, str], ...]
    """What is typed, each with what is shown then."""


_MORRIS = (("here morris", "White is to move"), ("d6", "1. White: d6"), ("f4", "2. Black: f4"))
_MINGMANG = (("here mingmang", "Black is to move"), ("h2-g2", "1. Black: h2-g2"))
_SHEEP = (("here battlesheep for 4 from seed=7 seats=4", "Red is to move"),)
SNAPSHOTS = (
    Snapshot("lobby", (120, 40), "colour", ()),
    *(Snapshot(f"morris-{style}", (80, 24), style, _MORRIS) for style in GLYPH_SETS),
    Snapshot("morris-large", (120, 40), "colour", _MORRIS),
    Snapshot("mingmang", (80, 24), "colour", _MINGMANG),
    Snapshot("mingmang-large", (120, 40), "contrast", _MINGMANG),
    Snapshot("battlesheep-four-seats", (80, 24), "colour", _SHEEP),
    Snapshot("battlesheep-four-seats-large", (120, 40), "ascii", _SHEEP),
    Snapshot("morris-small", (60, 20), "colour", _MORRIS),
    Snapshot("morris-tiny", (40, 15), "colour", _MORRIS),
    Snapshot("battlesheep-four-seats-small", (60, 20), "contrast", _SHEEP),
    Snapshot("study", (80, 24), "colour", (("study morris", "After ply 0"), ("d6", "After ply 1 of 1: d6"))),
    Snapshot("lesson", (80, 24), "colour", (("lesson morris", "1 of "),)),
    Snapshot("choices", (80, 24), "colour", (
        ("here battlesheep from pasture=meadow", "Red is to move"),
        ("a1", "1. Red: a1"),
        ("b1", "2. Blue: b1"),
        ("a1", " a1 *$"),
        ("f6", r"\[15\]"),
    )),
)  # fmt: skip


async def take(server: ServerProcess, snapshot: Snapshot) -> str:
    """Return the text of the screen after what is typed."""
    async with screened(server, size=snapshot.size, glyphs=GLYPH_SETS[snapshot.style]) as screen:
        for line, shown in snapshot.lines:
            await screen.type(line, shown)
        await screen.settle()
        lines = [_without_name(line, screen.app.session.me.player.name) for line in screen.lines]
    # The lists of the lobby depend on what else is played on the server.
    return "\n".join(line[:59].rstrip() if snapshot.name == "lobby" else line for line in lines).rstrip() + "\n"


def _without_name(line: str, name: str) -> str:
    """Return a line without a guest's name, which the server invents, and which is cut on a narrow screen."""
    cut = next((name[:length] for length in range(len(name), 2, -1) if line.endswith(name[:length])), name)
    return line.replace(name, "GUEST") if name in line else line.replace(cut, "GUEST")


def main(names: Sequence[str]) -> None:
    """Take the snapshots of these names, or all of them."""
    with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder), *GENEROUS) as server:
        for snapshot in [each for each in SNAPSHOTS if not names or each.name in names]:
            text = asyncio.run(take(server, snapshot))
            (FOLDER / f"{snapshot.name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
