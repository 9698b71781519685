"""How soon a browser can use the start page, what it loads for that, and what it computes.

Run `python -m benchmarks.visits --visits 9`. A server and a headless Chromium run on this machine. Each visit is a new
browser context, which opens the start page (the first visit, with an empty cache), and then opens it again in another
tab (the next visit). Both are measured as they are, and with Chromium's own emulation of a slow link (a round trip of
100 ms, 1.6 Mbit/s) and of a processor that is four times slower; `--round-trip`, `--rate` and `--slowdown` choose
others. Chromium delays requests by the round trip, but neither their connections nor the frames of the socket.

The page is ready when the server has welcomed it, the first clock of quick pairing can be pressed, and the page's
thread is free for that press. Time counts from the start of the navigation, by the browser's clock. Requests (the
socket is one), bytes of the answers with their headers and of the socket's frames, and processor time are counted
until half a second after that. The processor time is that of all of Chromium's processes, to which the emulation of a
slower one adds, and of the server's. Every figure is a median.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Annotated, Any, NamedTuple

import typer
from playwright.sync_api import Browser, BrowserContext, CDPSession, sync_playwright
from rich.console import Console
from rich.table import Table

from benchmarks.server import cpu_seconds
from tests.browser.chromium import CHROMIUM_NAMES, CHROMIUM_OPTIONS
from tests.browser.first_visit import Traffic
from tests.serving import ServerProcess

READY_SCRIPT = """{
  const isReady = () => document.querySelector('.connection-badge[data-status="online"]') !== null
    && document.querySelector(".play-now:not([disabled])") !== null;
  const observer = new MutationObserver(() => {
    if (!isReady()) return;
    observer.disconnect();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { window.ready_ms = performance.now(); };
    port2.postMessage(null);
  });
  observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-status"] });
}"""
"""Notes the time at which the page is ready and its thread has run what was due."""

QUIET_MS = 500
HEADINGS = ("link", "visit", "ready ms", "requests", "KB", "browser ms", "server ms")


class Link(NamedTuple):
    """What Chromium emulates."""

    name: str
    round_trip_ms: int
    mbit_per_s: float
    slowdown: float
    """How many times slower the processor is."""


class Visit(NamedTuple):
    """The figures of one visit."""

    ready_ms: float
    requests: float
    kilobytes: float
    browser_ms: float
    """Processor time of all of Chromium's processes."""
    server_ms: float
    """Processor time of the server's process."""


def main(
    visits: Annotated[int, typer.Option(min=1, help="Number of visits for each link.")] = 9,
    round_trip: Annotated[int, typer.Option(help="Round trip of the emulated link in milliseconds.")] = 100,
    rate: Annotated[float, typer.Option(help="Rate of the emulated link in Mbit/s.")] = 1.6,
    slowdown: Annotated[float, typer.Option(help="How many times slower the emulated processor is.")] = 4,
) -> None:
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if chromium is None:
        raise SystemExit("error: There is no Chromium on this machine.")
    slow = Link(f"{round_trip} ms, {rate} Mbit/s, processor / {slowdown:g}", round_trip, rate, slowdown)
    table = Table(*HEADINGS)
    with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder), "--bot-workers", "1") as server:
        server.wait_for_bots()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM_OPTIONS))
            for link in (Link("none emulated", 0, 0, 1), slow):
                measured = [visit_twice(browser, server, link) for _ in range(visits)]
                for name, figures in zip(("first", "next"), zip(*measured, strict=True), strict=True):
                    table.add_row(link.name, name, *(f"{median(each):.0f}" for each in zip(*figures, strict=True)))
            browser.close()
    Console(width=120).print(table)


def visit_twice(browser: Browser, server: ServerProcess, link: Link) -> tuple[Visit, Visit]:
    """Open the start page in a new context, and then in another tab of it."""
    context = browser.new_context()
    context.add_init_script(READY_SCRIPT)
    first, second = visit(browser, context, server, link), visit(browser, context, server, link)
    context.close()
    return first, second


def visit(browser: Browser, context: BrowserContext, server: ServerProcess, link: Link) -> Visit:
    """Open the start page in a new tab."""
    page = context.new_page()
    session = context.new_cdp_session(page)
    traffic = Traffic(session)
    emulate(session, link)
    with processor_time(browser, server) as spent_ms:
        page.goto(server.url)
        page.wait_for_function("() => window.ready_ms !== undefined")
        page.wait_for_timeout(QUIET_MS)
    ready_ms = page.evaluate("window.ready_ms")
    page.close()
    return Visit(ready_ms, traffic.requests, traffic.received_bytes / 1000, *spent_ms)


def emulate(session: CDPSession, link: Link) -> None:
    if link.round_trip_ms:
        bytes_per_s = link.mbit_per_s * 1_000_000 / 8
        speed = {"latency": link.round_trip_ms, "downloadThroughput": bytes_per_s, "uploadThroughput": bytes_per_s}
        session.send("Network.emulateNetworkConditions", {"offline": False, **speed})
    session.send("Emulation.setCPUThrottlingRate", {"rate": link.slowdown})


@contextmanager
def processor_time(browser: Browser, server: ServerProcess) -> Iterator[list[float]]:
    """Measure the milliseconds that Chromium and the server compute: two numbers, which the list gets at the end."""
    session = browser.new_browser_cdp_session()
    spent_ms: list[float] = []
    before = browser_seconds(session), cpu_seconds(server.pid)
    yield spent_ms
    after = browser_seconds(session), cpu_seconds(server.pid)
    spent_ms.extend((now - then) * 1000 for now, then in zip(after, before, strict=True))
    session.detach()


def browser_seconds(session: CDPSession) -> float:
    """Return the processor time of all processes of a browser."""
    answer: dict[str, Any] = session.send("SystemInfo.getProcessInfo")
    return sum(float(process["cpuTime"]) for process in answer["processInfo"])


if __name__ == "__main__":
    typer.run(main)
