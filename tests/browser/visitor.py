"""Somebody at the page: what a person sees there and does there, by clicks, drags and keys."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.server_process import ServerProcess

CLICKABLE = re.compile(r"\b(pick|go|take)\b")
ANSWER_MS = 20_000
"""Far more than anything takes; a test that waits so long has failed."""

_CREATE_SCRIPT = """([game, setup, seats, clock]) => new Promise((resolve) => {
  const socket = new WebSocket(`ws://${location.host}/socket`);
  const say = (message) => socket.send(JSON.stringify(message));
  socket.onopen = () => say({ type: "hello", version: 1, token: localStorage.getItem("millrace.token") });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    const id = crypto.randomUUID();
    if (message.type === "welcome") say({ type: "create", id, game, seats, setup, clock });
    if (message.type !== "accepted") return;
    socket.close();
    resolve(message.match);
  };
})"""

_BOARD_SCRIPT = """cells => Object.fromEntries(
  cells.filter((cell) => cell.dataset.seat !== "").map((cell) => [cell.dataset.cell, Number(cell.dataset.seat)])
)"""


class Visitor:
    """A page with an identity of its own."""

    def __init__(self, page: Page, server: ServerProcess) -> None:
        self.page = page
        self.server = server
        self.problems: list[str] = []
        self.expected_problem = "(nothing)"
        page.on("console", lambda message: self._note(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self._note(str(error)))

    def open(self, path: str = "/") -> "Visitor":
        """Go to a page and wait for the connection."""
        self.page.goto(self.server.url + path)
        expect(self.page.locator(".connection-badge")).to_have_attribute("data-status", "online")
        return self

    def create(
        self, setup: str = "", seats: list[dict[str, Any]] | None = None, clock: Any = None, game: str = "morris"
    ) -> str:
        """Make a match from a set-up text and return its path; by default an invitation with seat 0 for oneself."""
        self.open()
        plan = seats or [{"occupant": "me"}, {"occupant": "open"}]
        return f"/match/{self.page.evaluate(_CREATE_SCRIPT, [game, setup, plan, clock])}"

    def join(self, path: str) -> None:
        """Open an invitation and take the seat."""
        self.open(path)
        self.page.locator(".join-button").click()
        expect(self.page.locator(".join-button")).to_have_count(0)

    def cell(self, name: str) -> Locator:
        return self.page.locator(f'[data-cell="{name}"]')

    def play(self, move: str) -> None:
        """Enter a move by clicking its cells, each once it is offered, and wait until it is in the list."""
        cells = re.split("[-x]", move)
        expect(self.cell(cells[0])).to_have_attribute("data-marks", CLICKABLE)
        before = self.moves.count()
        for name in cells:
            expect(self.cell(name)).to_have_attribute("data-marks", CLICKABLE)
            self.cell(name).click()
        expect(self.moves).to_have_count(before + 1)

    def centre_of(self, name: str) -> tuple[float, float]:
        """Return where in the window the centre of a cell is."""
        box = self.cell(name).locator(".reach").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def seat(self, seat: int) -> Locator:
        """The strip that shows a seat's player."""
        return self.page.locator(f'.seat-strip[data-seat="{seat}"]')

    @property
    def moves(self) -> Locator:
        return self.page.locator(".move")

    @property
    def headline(self) -> Locator:
        return self.page.locator(".headline")

    @property
    def board(self) -> dict[str, int]:
        """The seat whose man stands on each cell that is not empty."""
        shown: dict[str, int] = self.page.locator("[data-cell]").evaluate_all(_BOARD_SCRIPT)
        return shown

    @property
    def path(self) -> str:
        return self.page.url.removeprefix(self.server.url)

    @property
    def overflow(self) -> int:
        """How many pixels the page is wider than the window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def _note(self, problem: str) -> None:
        if self.expected_problem not in problem:
            self.problems.append(problem)
