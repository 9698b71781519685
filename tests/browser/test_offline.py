"""The page without its server: what it keeps, and how it changes to another release."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.installed_page import SHORT_PAUSES, InstalledVisitor
from tests.browser.positions import ABOUT_TO_END
from tests.browser.visitor import OWN_BOTH, visiting
from tests.serving import ServerProcess

_IS_INSTALLED = """async () => {
  const { installing, waiting, active } = await navigator.serviceWorker.getRegistration();
  return installing === null && waiting === null && active?.state === "activated";
}"""
"""The cache of a release is there before its files are; this is when all of them are kept."""


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that the test may stop, and start again at the same address."""
    with ServerProcess(tmp_path, "--bot-workers", "1", "--address-factor", "100") as process:
        process.wait_for_rules()
        yield process


@pytest.fixture
def person(browser: Browser, own_server: ServerProcess) -> Iterator[InstalledVisitor]:
    with visiting(browser, own_server, InstalledVisitor) as visitor:
        yield visitor


def test_a_reload_while_the_server_is_away_shows_the_page_which_reconnects(
    person: InstalledVisitor, own_server: ServerProcess
) -> None:
    person.open_installed()
    own_server.kill()
    person.page.reload()
    person.expect_status("offline")
    expect(person.page.locator(".banner.away")).to_contain_text("The server cannot be reached")
    expect(person.page.get_by_role("radio", name="Nine Men's Morris")).to_be_visible()
    person.page.set_viewport_size({"width": 360, "height": 740})
    person.expect_no_overflow()
    own_server.start()
    person.expect_status("online")
    expect(person.page.locator(".banner.away")).to_have_count(0)
    expect(person.page.locator(".play-now")).to_be_enabled()


def test_offline_rules_lessons_puzzles_and_finished_matches_still_work(
    person: InstalledVisitor, own_server: ServerProcess
) -> None:
    path = person.create(ABOUT_TO_END, OWN_BOTH)
    person.open_installed(path)
    person.play("g4-g7xd2")
    result = person.headline.inner_text()
    person.open("/puzzles/mingmang")
    expect(person.page.locator(".puzzle-task")).not_to_be_empty()
    puzzle, task = person.path, person.page.locator(".puzzle-task").inner_text()
    person.open("/learn/morris")
    expect(person.page.locator(".step-title")).not_to_be_empty()
    title = person.page.locator(".step-title").inner_text()
    person.wait_until(lambda: path.removeprefix("/match/") in person.kept("matches"))
    own_server.kill()

    person.page.goto(f"{own_server.url}/offline")
    person.expect_status("offline")
    expect(person.page.get_by_role("link", name=task)).to_be_visible()
    person.page.get_by_role("link", name=re.compile(" \N{EN DASH} ")).click()
    expect(person.moves).to_have_text(["g4-g7xd2"])
    expect(person.headline).to_have_text(result)

    person.page.goto(own_server.url + puzzle)
    expect(person.page.locator(".puzzle-task")).to_have_text(task)
    expect(person.page.locator(".board [data-cell]").first).to_be_visible()

    person.page.goto(f"{own_server.url}/learn/morris")
    expect(person.page.locator(".step-title")).to_have_text(title)
    person.page.get_by_text("The rules on one screen").click()
    expect(person.page.locator(".rules-list dt").first).to_be_visible()
    expect(person.page.locator(".board [data-cell]").first).to_be_visible()


@pytest.mark.slow
def test_lessons_are_stored_before_the_reader_opens_them(person: InstalledVisitor, own_server: ServerProcess) -> None:
    person.page.add_init_script(SHORT_PAUSES)  # the page asks for them at leisure
    person.open_installed()
    person.wait_until(lambda: sum('"get_lesson"' in key for key in person.kept("answers")) == 3)
    person.wait_until(lambda: len(person.kept("puzzles")) == 3)
    own_server.kill()
    for game in ("morris", "mingmang", "battlesheep"):
        person.page.goto(f"{own_server.url}/learn/{game}")
        expect(person.page.locator(".step-title")).not_to_be_empty()
        expect(person.page.locator(".board [data-cell]").first).to_be_visible()


def test_a_move_that_needs_the_server_is_refused_with_an_explanation(
    person: InstalledVisitor, own_server: ServerProcess
) -> None:
    person.open_installed("/puzzles/mingmang")
    expect(person.page.locator(".puzzle-task")).not_to_be_empty()
    own_server.kill()
    expect(person.page.locator(".banner.away")).to_be_visible()
    person.button("Show the solution").click()
    person.expect_told("You are offline")
    expect(person.button("Show the solution")).to_be_visible()


@pytest.mark.slow
def test_a_page_loaded_without_the_worker_is_still_served_by_it_afterwards(person: InstalledVisitor) -> None:
    person.open_installed()
    browser = person.page.context.new_cdp_session(person.page)
    browser.send("Page.reload", {"ignoreCache": True})
    person.expect_status("online")
    person.wait_until_kept()


def test_a_new_release_replaces_the_stored_one_and_modules_never_mix(browser: Browser, tmp_path: Path) -> None:
    checkout = Path(__file__).parents[2]
    changed = tmp_path / "changed"
    for name in ("client", "engine", "protocol", "server", "migrations", "millrace"):
        shutil.copytree(checkout / name, changed / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    page = changed / "client" / "web" / "offline" / "offline_page.js"
    page.write_text(page.read_text().replace("Available offline", "Without a server"))
    old = ServerProcess(tmp_path / "data", "--bot-workers", "1")
    with old, visiting(browser, old, InstalledVisitor) as person:
        person.open_installed()
        releases = person.page.evaluate("caches.keys()")
        old.kill()
        new = ServerProcess(tmp_path / "data", "--bot-workers", "1", folder=changed, port=old.port)
        with new:
            person.expect_status("online")
            # The open page goes on with the modules of its own release, which the server no longer has.
            person.page.evaluate("window.isSamePage = true")
            person.wait_until(lambda: len(person.page.evaluate("caches.keys()")) > len(releases))
            person.page.evaluate(
                "history.pushState(null, '', '/offline'); dispatchEvent(new PopStateEvent('popstate'))"
            )
            expect(person.page.get_by_role("heading", name="Available offline")).to_be_visible()
            person.page.wait_for_function("() => window.isSamePage")
            person.wait_until(lambda: person.page.evaluate(_IS_INSTALLED))
            # A reload shows the new one, also without the server.
            person.page.reload()
            expect(person.page.get_by_role("heading", name="Without a server")).to_be_visible()
        person.page.reload()
        expect(person.page.get_by_role("heading", name="Without a server")).to_be_visible()
        person.wait_until(lambda: len(person.page.evaluate("caches.keys()")) == 2)


def test_stored_data_of_one_player_is_dropped_for_another(person: InstalledVisitor) -> None:
    person.open_installed(path := person.create(ABOUT_TO_END, OWN_BOTH))
    person.play("g4-g7xd2")
    person.wait_until(lambda: path.removeprefix("/match/") in person.kept("matches"))
    person.page.evaluate("localStorage.removeItem('millrace.token')")
    person.open("/")
    person.wait_until(lambda: person.kept("matches") == [])
