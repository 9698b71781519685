"""The pictures of the README: a board of each game, a match of Nine Men's Morris as it moves, and its analysis.

Run `python -m benchmarks.pictures`. It makes the engines for browsers, starts a server and a headless Chromium, plays
and analyses in the page, and writes `docs/images/morris.png`, `mingmang.png`, `battlesheep.png`, `analysis.png` and
`match.webp`. The moving picture is what Chromium
paints, frame by frame, by the DevTools protocol's screencast.
"""

import base64
import io
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from PIL import Image
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.accounts import register
from tests.browser.chromium import CHROMIUM_NAMES, CHROMIUM_OPTIONS
from tests.browser.positions import WHITE_WINS
from tests.browser.random_moves import play_random_move
from tests.browser.visitor import ANSWER_MS, Visitor
from tests.serving import ServerProcess

FOLDER = Path(__file__).parents[1] / "docs" / "images"
WIDTH, HEIGHT = 1120, 760
"""Of the window, in pixels."""
SHOWN = (8, 58, 1068, 750)
"""What is seen of the page: left, top, right and bottom, without the header."""
MOVING_SIZE = (800, 522)
"""Of the moving picture, in pixels."""
CLOCK = {"initial_ms": 300_000, "increment_ms": 2_000}
Table: TypeAlias = Sequence[Visitor]
FIRST_PLY = 12
"""The moving picture begins after this many plies."""
PAUSE_MS = 900
END_MS = 3_000
"""How long each position stays, and the last one."""
FRAME_MS = 50
"""The shortest time between two frames."""
MAX_BYTES = 1_000_000


class Frame(NamedTuple):
    """What Chromium painted, and when."""

    picture: bytes
    at_ms: float


class Screencast:
    """The frames of a page, from when it is created."""

    def __init__(self, visitor: Visitor) -> None:
        self.frames: list[Frame] = []
        self._session = visitor.page.context.new_cdp_session(visitor.page)
        self._session.on("Page.screencastFrame", self._keep)
        self._session.send("Page.startScreencast", {"format": "png"})

    def stop(self) -> None:
        """Keep no more frames."""
        self._session.send("Page.stopScreencast")

    def _keep(self, event: dict[str, Any]) -> None:
        self._session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})
        self.frames.append(Frame(base64.b64decode(event["data"]), event["metadata"]["timestamp"] * 1000))


@contextmanager
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    path = next(filter(None, map(shutil.which, CHROMIUM_NAMES)))
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_OPTIONS))
        yield launched
        launched.close()


def seat_players(chromium: Browser, server: ServerProcess, game: str, names: Sequence[str], setup: str = "") -> Table:
    """Return the pages of players who sit at a table for as many, in the order of their seats."""
    players = []
    for _ in names:
        context = chromium.new_context(viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=1)
        players.append(Visitor(context.new_page(), server))
    for player, name in zip(players, names, strict=True):
        register(player.open(), name)
    host, *guests = players
    seats = [{"occupant": "me"}, *[{"occupant": "open"}] * len(guests)]
    path = host.create(setup, seats, CLOCK, game)
    host.open(path)
    for guest in guests:
        guest.open(path).page.locator(".join-button").first.click()
        expect(guest.page.locator(".join-button")).to_have_count(0)
    return players


def save_board(player: Visitor, name: str) -> None:
    """Write what the page shows below its header."""
    player.page.mouse.move(1, 1)
    player.page.wait_for_timeout(PAUSE_MS)
    with Image.open(io.BytesIO(player.page.screenshot())) as picture:
        picture.convert("RGB").crop(SHOWN).save(FOLDER / f"{name}.png", optimize=True)
    print(f"{name}.png")


def picture_middle(players: Table, plies: int, seed: int, name: str) -> None:
    """Picture a match after some random plies."""
    chance = random.Random(seed)
    for ply in range(plies):
        play_random_move(players[ply % len(players)], chance)
    expect(players[0].moves).to_have_count(plies)
    save_board(players[0], name)


def record_match(players: Table) -> None:
    """Record a match to its end as the first player sees it, and picture the end."""
    seen = players[0]
    for ply, move in enumerate(WHITE_WINS.moves):
        if ply == FIRST_PLY:
            seen.page.wait_for_timeout(PAUSE_MS)
            screencast = Screencast(seen)
        players[ply % 2].play(move)
        expect(seen.moves).to_have_count(ply + 1)
        seen.page.wait_for_timeout(PAUSE_MS)
    expect(seen.headline).to_have_text("You won")
    seen.page.wait_for_timeout(PAUSE_MS)
    screencast.stop()
    save_board(seen, "morris")
    save_moving(screencast.frames, FOLDER / "match.webp")


def picture_analysis(player: Visitor) -> None:
    """Picture the turning point of the match that the player's page shows, found by the engine in the page."""
    player.open(f"/analysis{player.path}")
    player.page.locator(".turning-point button").click()
    expect(player.page.locator(".engine-line")).to_have_count(1)
    player.page.evaluate("scrollTo(0, 0)")
    save_board(player, "analysis")


def save_moving(frames: Sequence[Frame], path: Path) -> None:
    """Write frames as a picture that moves and begins again. Raises: SystemExit if it is too large."""
    kept = thinned(frames)
    pictures = [
        Image.open(io.BytesIO(frame.picture)).convert("RGB").crop(SHOWN).resize(MOVING_SIZE, Image.Resampling.LANCZOS)
        for frame in kept
    ]
    times = [round(later.at_ms - frame.at_ms) for frame, later in pairwise(kept)]
    first, *others = pictures
    first.save(path, save_all=True, append_images=others, duration=[*times, END_MS], loop=0, quality=60, method=4)
    size = path.stat().st_size
    print(f"{path.name}: {len(kept)} frames, {sum(times) / 1000:.0f} s, {size:,} bytes")
    if size > MAX_BYTES:
        raise SystemExit(f"{path.name} is larger than {MAX_BYTES:,} bytes.")


def thinned(frames: Sequence[Frame]) -> list[Frame]:
    """Return the frames without those that follow another too soon, except the last."""
    kept: list[Frame] = []
    # Chromium may hand them over in another order than it painted them.
    ordered = sorted(frames, key=lambda frame: frame.at_ms)
    for frame in ordered:
        if not kept or frame.at_ms - kept[-1].at_ms >= FRAME_MS:
            kept.append(frame)
    return kept if kept[-1] is ordered[-1] else [*kept[:-1], ordered[-1]]


def main() -> None:
    """Take all pictures."""
    expect.set_options(timeout=ANSWER_MS)
    subprocess.run([sys.executable, "-m", "millrace.server.bots.module_process"], check=True)
    arguments = ("--bot-workers", "1", "--address-factor", "100", "--limit", "messages.connection=4000")
    with (
        browser() as chromium,
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder), *arguments) as server,
    ):
        server.wait_for_rules()
        four = seat_players(chromium, server, "battlesheep", ("Alicia", "Bernard", "Clara", "Dmitri"), "seats=4")
        picture_middle(four, 24, 7, "battlesheep")
        picture_middle(seat_players(chromium, server, "mingmang", ("Edith", "Farid")), 26, 3, "mingmang")
        morris = seat_players(chromium, server, "morris", ("Greta", "Hugo"))
        record_match(morris)
        picture_analysis(morris[0])


if __name__ == "__main__":
    main()
