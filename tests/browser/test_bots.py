"""Bots that others write, in the page: an account made one, marked, found among those online, challenged and played."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accounts import fill, member
from tests.browser.visitor import Visit, Visitor
from tests.processes import end_with_tests
from tests.serving import PATIENCE_S, Site


def make_bot(visit: Visit) -> tuple[Visitor, str, str]:
    """Make the account of a bot in the page; return its page, its name, and an API token."""
    owner, name = member(visit)
    owner.open("/account")
    fill(owner, "Convert to a bot account", name=name)
    expect(owner.page.get_by_role("heading", name="Bot account", exact=True)).to_be_visible()
    fill(owner, "API tokens", label="my bot")
    token = owner.page.get_by_label("The new token", exact=True)
    expect(token).to_be_visible()
    return owner, name, token.input_value()


@contextmanager
def running(server: Site, token: str) -> Iterator[None]:
    """Run the bot that plays at random while the context lasts."""
    process = subprocess.Popen(
        [sys.executable, "-m", "millrace.client.examples.random_bot", server.address],
        env={**os.environ, "MILLRACE_TOKEN": token},
        cwd=Path(__file__).parents[2],
        stdout=subprocess.DEVNULL,
        preexec_fn=end_with_tests,
    )
    try:
        yield
    finally:
        process.kill()
        process.wait(PATIENCE_S)


def line_of(visitor: Visitor, name: str) -> Locator:
    """The bot's line in the list of those that are online."""
    return visitor.page.get_by_role("region", name="Bots online").get_by_role("listitem").filter(has_text=name)


def test_an_online_bot_is_found_challenged_and_played_and_is_marked_as_a_bot(visit: Visit) -> None:
    owner, name, token = make_bot(visit)
    ann = visit(width=360, height=740).open()
    with running(owner.server, token):
        line = line_of(ann, name)
        expect(line.locator(".bot-mark")).to_have_text("Bot")
        expect(line).to_contain_text("casual or rated")
        ann.expect_no_overflow()
        line.get_by_role("button", name=f"Challenge {name}").click()
        expect(ann.page.get_by_label("Name of the player")).to_have_value(name)
        ann.page.locator(".for-friend .choice", has_text="White").click()
        ann.page.locator(".for-friend").get_by_role("button", name="Challenge").click()
        ann.click("a7")
        expect(ann.moves).to_have_count(2)
        expect(ann.seat(1).locator(".bot-mark")).to_be_visible()
        expect(ann.seat(0).locator(".bot-mark")).to_have_count(0)
        ann.expect_no_overflow()
        watcher = visit().open()
        live = watcher.page.get_by_role("region", name="Live matches").locator(".live-match", has_text=name)
        expect(live.locator(".bot-mark")).to_be_visible()
        ann.resign()
    expect(line_of(watcher, name)).to_have_count(0)


@pytest.mark.slow
def test_a_bots_profile_says_so_and_bots_cannot_use_quick_pairing(visit: Visit) -> None:
    owner, name, _ = make_bot(visit)
    reader = visit()
    reader.page.goto(f"{owner.server.url}/player/{name}")
    expect(reader.page.get_by_role("heading", name=name).locator(".bot-mark")).to_be_visible()
    owner.open()
    owner.open_way("Quick pairing")
    owner.page.locator(".pairing-tile").first.click()
    owner.expect_told("Bots cannot use quick pairing; set challenge rules and wait instead.")
