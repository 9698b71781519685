"""How soon a browser shows the page, at the first visit and at a later one.

    python -m benchmarks.visits [--visits N]

A server and a headless Chromium run on this machine. Each visit is a new browser context, which opens the start page
and then the live matches. Time is measured from requesting the page until its heading is shown; the server's processor
time is for both together.
"""

import shutil
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from playwright.sync_api import Browser, sync_playwright

from benchmarks.server import cpu_seconds
from tests.browser.chromium import CHROMIUM_NAMES, CHROMIUM_OPTIONS
from tests.serving import ServerProcess


def main(visits: Annotated[int, typer.Option(min=1, help="Number of visits.")] = 16) -> None:
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if chromium is None:
        raise SystemExit("error: There is no Chromium on this machine.")
    with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder), "--bot-workers", "1") as server:
        server.wait_for_bots()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM_OPTIONS))
            before_s = cpu_seconds(server.pid)
            shown = [visit(browser, server.url) for _ in range(visits)]
            server_s = (cpu_seconds(server.pid) - before_s) / visits
            browser.close()
    first_s, second_s = (median(each) for each in zip(*shown, strict=True))
    print(f"first visit {first_s * 1000:.0f} ms, second {second_s * 1000:.0f} ms (medians of {visits});", end=" ")
    print(f"server {server_s * 1000:.0f} ms of processor for both")


def visit(browser: Browser, url: str) -> tuple[float, float]:
    """Return the seconds until a new browser shows the page, and then another address of it."""
    context = browser.new_context()
    page = context.new_page()
    shown = []
    for address in (url, f"{url}/watch"):
        began = time.perf_counter()
        page.goto(address)
        page.wait_for_selector("main h1")
        shown.append(time.perf_counter() - began)
    context.close()
    return shown[0], shown[1]


if __name__ == "__main__":
    typer.run(main)
