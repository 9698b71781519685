"""Notifications in the page: the bell, and browser notifications."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accounts import member
from tests.browser.lobby import challenge
from tests.browser.sites import on_two_nodes_too
from tests.browser.visitor import Visit, Visitor

_WATCH_NOTIFICATIONS_SCRIPT = """
window.asked = 0; window.shown = []; window.hidesPage = false;
window.Notification = class extends EventTarget {
  static permission = "default";
  static async requestPermission() { window.asked += 1; return (Notification.permission = "granted"); }
  constructor(title, options) { super(); window.shown.push([title, options.body]); window.latest = this; }
  close() {}
};
Object.defineProperty(document, "hidden", { get: () => window.hidesPage });
"""
"""Stands in for what the browser does, which has nobody here to ask; a page cannot be put in the background either."""


def bell(visitor: Visitor) -> Locator:
    return visitor.page.locator(".bell > summary")


def entry(visitor: Visitor, words: str) -> Locator:
    return visitor.page.locator(".bell-entry", has_text=words)


@on_two_nodes_too
def test_a_challenge_arrives_on_another_page_and_waits_there_until_it_is_answered(visit: Visit) -> None:
    ann = visit().open()
    bea, name = member(visit, width=360)
    bea.open("/leaders")
    challenge(ann, name)
    expect(bell(bea)).to_have_accessible_name("Notifications, 1 new")
    bea.page.reload()
    expect(bell(bea)).to_have_accessible_name("Notifications, 1 new")
    bell(bea).click()
    expect(entry(bea, "challenges you")).to_have_attribute("data-read", "false")
    expect(bell(bea)).to_have_accessible_name("Notifications")
    bea.expect_no_overflow()
    bea.page.keyboard.press("Escape")
    expect(bea.page.locator(".bell-panel")).to_be_hidden()
    expect(bell(bea)).to_be_focused()
    bea.page.locator(".banner.challenge").get_by_role("button", name="Decline").click()
    bell(bea).click()
    expect(bea.page.locator(".bell-panel")).to_contain_text("No notifications")
    expect(entry(bea, "challenges you")).to_have_count(0)
    ann.open("/")
    bell(ann).click()
    entry(ann, "declined").click()
    expect(ann.page).to_have_url(re.compile("/match/"))
    expect(ann.page.locator(".bell-panel")).to_be_hidden()


def test_the_browsers_permission_is_requested_only_when_the_reader_accepts_after_a_challenge(visit: Visit) -> None:
    ann, _ = member(visit)
    bea, name = member(visit)
    ann.page.add_init_script(_WATCH_NOTIFICATIONS_SCRIPT)
    ann.open("/")
    offer = ann.page.locator(".desktop-notification-offer")
    expect(offer).to_be_empty()
    challenge(ann, name)
    expect(offer).to_contain_text("browser notification")
    ann.page.wait_for_function("() => window.asked === 0")
    ann.button("Notify me").click()
    ann.page.wait_for_function("() => window.asked === 1")
    expect(offer).to_be_empty()
    ann.page.evaluate("window.hidesPage = true")
    bea.page.locator(".banner.challenge").get_by_role("button", name="Decline").click()
    ann.page.wait_for_function("() => JSON.stringify(window.shown).includes('declined')")
    expect(ann.page).to_have_title(re.compile(r"^\(1\) "))
    ann.page.evaluate("latest.dispatchEvent(new Event('click'))")
    expect(ann.page).to_have_url(re.compile("/match/"))


@pytest.mark.slow
def test_a_reader_who_declines_notifications_is_not_asked_again(visit: Visit) -> None:
    ann, _ = member(visit)
    _, name = member(visit)
    ann.page.add_init_script(_WATCH_NOTIFICATIONS_SCRIPT)
    ann.open("/")
    challenge(ann, name)
    ann.button("No, thanks").click()
    ann.button("Call off").click()
    ann.open("/")
    challenge(ann, name)
    expect(ann.page.locator(".desktop-notification-offer")).to_be_empty()
    ann.page.wait_for_function("() => window.asked === 0")


def test_the_kinds_of_notifications_are_chosen_with_the_account(visit: Visit) -> None:
    bea, name = member(visit)
    ann = visit().open()
    bea.open("/account")
    form = bea.page.get_by_role("form", name="Notifications")
    box = form.get_by_label("I am challenged", exact=True)
    expect(box).to_be_checked()
    box.uncheck()
    expect(form).not_to_have_attribute("aria-busy", "true")
    bea.open("/account")
    expect(box).to_be_enabled()
    expect(box).not_to_be_checked()
    challenge(ann, name)
    expect(bea.page.locator(".banner.challenge")).to_be_visible()
    expect(bell(bea)).to_have_accessible_name("Notifications")
