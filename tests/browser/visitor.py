"""Somebody at the page: what a person sees there and does there, by clicks, drags and keys.

The page runs beside the test, so nothing is read from it once and believed: what is to hold is waited for (`expect`
and the `expect_...` of `Visitor`), and a cell is clicked once it is offered. `tests/project` sees to it.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, TypeVar

from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.bare_socket import BareSocket, bare_socket
from tests.serving import Site

CLICKABLE = re.compile(r"\b(pick|go|take)\b")
ANSWER_MS = 60_000
"""Far more than anything takes; a test that waits so long has failed."""
POLL_MS = 20
BLOCKED_WORKER = "Service Worker registration blocked"
"""What Playwright writes to the console of most tests' pages, which have no service worker."""
OWN_BOTH = [{"occupant": "me"}, {"occupant": "me"}]
"""Both seats of a match for its creator."""
AGAINST_BOT: list[dict[str, Any]] = [{"occupant": "me"}, {"occupant": "bot", "level": 1}]
"""A match that others find in lists."""

_TOKEN_SCRIPT = "() => localStorage.getItem('millrace.token') ?? ''"

_BOARD_SCRIPT = """() => Object.fromEntries(
  [...document.querySelectorAll('[data-cell]:not([data-seat=""])')]
    .map((cell) => [cell.dataset.cell, Number(cell.dataset.seat)])
)"""
_IS_BOARD_SCRIPT = f"""expected => {{
  const shown = ({_BOARD_SCRIPT})();
  const cells = Object.keys(expected);
  return cells.length === Object.keys(shown).length && cells.every((cell) => shown[cell] === expected[cell]);
}}"""
_FITS_SCRIPT = "() => document.documentElement.scrollWidth <= innerWidth"

_TOASTS_SCRIPT = """window.toasts = [];
new MutationObserver((changes) => {
  for (const node of changes.flatMap((change) => [...change.addedNodes])) {
    if (node instanceof HTMLElement && node.classList.contains("toast")) window.toasts.push(node.textContent);
  }
}).observe(document, { childList: true, subtree: true });"""
_WAS_TOLD_SCRIPT = "words => window.toasts.some((toast) => toast.includes(words))"
"""A toast goes by itself, so that a test must not depend on when it looks."""


class Visitor:
    """A page with an identity of its own."""

    def __init__(self, page: Page, server: Site, token: str = "") -> None:
        self.page = page
        self.server = server
        self._token = token
        self.problems: list[str] = []
        self.expected_problem = "(nothing)"
        page.on("console", lambda message: self._note(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self._note(str(error)))
        page.add_init_script(_TOASTS_SCRIPT)

    def open(self, path: str = "/") -> "Visitor":
        """Go to a page and wait for the connection and, at a match, for its board (or the word that there is none)."""
        self.page.goto(self.server.url + path)
        expect(self.page.locator(".connection-badge")).to_have_attribute("data-status", "online")
        if path.startswith("/match/"):
            expect(self.page.locator(".match-page .board, .notice")).to_be_visible()
        return self

    def create(
        self,
        setup: str = "",
        seats: list[dict[str, Any]] | None = None,
        clock: Any = None,
        game: str = "morris",
        rated: bool = False,
        *,
        listed: bool = False,
    ) -> str:
        """Make a match from a set-up text and return its path; by default an invitation with seat 0 for oneself."""
        plan = seats or [{"occupant": "me"}, {"occupant": "open"}]
        answer = self.ask("create", game=game, seats=plan, setup=setup, clock=clock, rated=rated, listed=listed)
        return f"/match/{answer['match']}"

    def ask(self, type_: str, **fields: Any) -> dict[str, Any]:
        """Send a command beside the page, and return its answer."""
        with self.beside_the_page() as socket:
            return socket.ask(type_, **fields)

    def beside_the_page(self) -> AbstractContextManager[BareSocket]:
        """Connect as the same person."""
        cookies = "; ".join(f"{each['name']}={each['value']}" for each in self.page.context.cookies(self.server.url))
        return bare_socket(self.server.address, self._own_token(), cookies)

    def _own_token(self) -> str:
        if not self._token:
            if self.page.url == "about:blank":
                self.open()
            self._token = self.page.evaluate(_TOKEN_SCRIPT)
        return self._token

    def choose_game(self, title: str) -> None:
        """Choose a game on the start page."""
        self.page.get_by_role("radio", name=title).check()

    def open_way(self, name: str) -> None:
        """Open a panel of the start page, such as "Play a friend", unless it is open."""
        opener = self.page.get_by_role("button", name=re.compile(f"^{name}"))
        expect(opener).to_be_visible()
        if opener.get_attribute("aria-expanded") == "false":
            opener.click()
        expect(opener).to_have_attribute("aria-expanded", "true")

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
            self.click(name)
        expect(self.moves).to_have_count(before + 1)

    def resign(self) -> None:
        """Resign, and confirm it."""
        self.button("Resign").click()
        self.button("Resign the match").click()

    def click(self, name: str) -> None:
        """Click a cell once it is offered."""
        expect(self.cell(name)).to_have_attribute("data-marks", CLICKABLE)
        self.cell(name).click()

    def centre_of(self, name: str) -> tuple[float, float]:
        """Return where in the window the centre of a cell is."""
        box = self.cell(name).locator(".reach").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def expect_told(self, words: str) -> None:
        """Wait until a toast has said these words, since the page was loaded."""
        self.page.wait_for_function(_WAS_TOLD_SCRIPT, arg=words)

    def seat(self, seat: int) -> Locator:
        """The strip that shows a seat's player."""
        return self.page.locator(f'.seat-strip[data-seat="{seat}"]')

    def name_of(self, seat: int) -> str:
        """Return the name of the player of a seat, once it is taken."""
        name = self.seat(seat).locator(".player-name")
        expect(name).not_to_have_text("Waiting for a player")
        return name.inner_text()

    @property
    def moves(self) -> Locator:
        return self.page.locator(".move")

    @property
    def headline(self) -> Locator:
        return self.page.locator(".headline")

    @property
    def board(self) -> dict[str, int]:
        """The seat whose man stands on each cell that is not empty, as it is drawn at this moment."""
        shown: dict[str, int] = self.page.evaluate(_BOARD_SCRIPT)
        return shown

    def expect_board(self, men: Mapping[str, int]) -> None:
        """Wait until exactly these seats' men stand on exactly these cells."""
        try:
            self.page.wait_for_function(_IS_BOARD_SCRIPT, arg=dict(men))
        except PlaywrightTimeoutError:
            raise AssertionError(f"The board shows {self.board}, not {dict(men)}.") from None

    def expect_man(self, cell: str, seat: int) -> None:
        """Wait until a seat's man stands on a cell."""
        expect(self.cell(cell)).to_have_attribute("data-seat", str(seat))

    def expect_empty(self, cell: str) -> None:
        """Wait until nothing stands on a cell."""
        expect(self.cell(cell)).to_have_attribute("data-seat", "")

    def expect_no_overflow(self) -> None:
        """Wait until the page is no wider than the window."""
        self.page.wait_for_function(_FITS_SCRIPT)

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Wait for something outside the page, letting its messages come in meanwhile."""
        deadline_s = time.monotonic() + ANSWER_MS / 1000
        while not is_so():
            assert time.monotonic() < deadline_s, "what was waited for did not come about"
            self.page.wait_for_timeout(POLL_MS)

    @property
    def path(self) -> str:
        return self.page.url.removeprefix(self.server.url)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def _note(self, problem: str) -> None:
        if self.expected_problem not in problem and BLOCKED_WORKER not in problem:
            self.problems.append(problem)


class Visit(Protocol):
    """Opens a page for a new visitor, or another page for a visitor who already has one."""

    def __call__(
        self, width: int = 1280, height: int = 800, same_as: Visitor | None = None, locale: str | None = None
    ) -> Visitor:
        """Return a visitor whose window has that size, and whose browser that language."""


def begin_match(visit: Visit, *plan: Any, moves: Sequence[str] = (), **options: Any) -> tuple[Visitor, Visitor]:
    """Return the creator of a match, for which `Visitor.create` takes the plan, and a guest, after some moves."""
    host, guest = visit(), visit()
    host.open(host.create(*plan, **options))
    guest.join(host.path)
    for ply, move in enumerate(moves):
        (host, guest)[ply % 2].play(move)
    return host, guest


Kind = TypeVar("Kind", bound=Visitor)


@contextmanager
def visiting(browser: Browser, server: Site, kind: type[Kind], **options: Any) -> Iterator[Kind]:
    """Yield a visitor of a server in a browser context of its own; its page must have no problems."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"} | options)
    context.set_default_timeout(ANSWER_MS)
    visitor = kind(context.new_page(), server)
    yield visitor
    context.close()
    assert visitor.problems == []
