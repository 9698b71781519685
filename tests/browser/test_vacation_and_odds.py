"""Clocks that differ in the page: time odds in a challenge, and a vacation that stops a clock by correspondence."""

import re

from playwright.sync_api import expect

from tests.browser.accessibility import expect_accessible
from tests.browser.accounts import form, member
from tests.browser.lobby import banner, expect_match
from tests.browser.visitor import Visit

ME, OPEN = {"occupant": "me"}, {"occupant": "open"}
THREE_DAYS = {"initial_ms": 3 * 86_400_000, "renews": True}


def test_a_friend_is_challenged_with_less_time(visit: Visit) -> None:
    ann, ann_name = member(visit)
    bea, bea_name = member(visit, width=360)
    ann.open_way("Play a friend")
    options = ann.page.locator(".for-friend")
    options.locator(".options-kind .choice", has_text="Rated").click()
    options.locator(".options-clock .choice", has_text=re.compile(r"^5\+3$")).click()
    options.locator(".options-odds .choice", has_text=re.compile("^1$")).click()
    expect(options.get_by_text("1 minute; the match is casual")).to_be_visible()
    expect(options.get_by_label("Casual")).to_be_checked()
    expect(options.get_by_label("Rated")).to_be_disabled()
    expect_accessible(ann)
    options.locator(".choice", has_text="By name").click()
    ann.page.get_by_label("Name of the player").fill(bea_name)
    ann.button("Challenge").click()
    expect(banner(bea)).to_contain_text(f"5+3 ({ann_name})")
    expect(banner(bea)).to_contain_text("1+3")
    bea.expect_no_overflow()
    banner(bea).get_by_role("button", name="Accept").click()
    expect_match(ann, bea)
    for visitor, time in ((ann, "5:00"), (bea, "1:00")):
        expect(visitor.page.locator(".strips.below .clock")).to_contain_text(time)
    expect(ann.page.locator(".about")).to_contain_text(f"1+3 ({bea_name})")


def test_a_vacation_is_taken_seen_by_the_opponent_and_ended(visit: Visit) -> None:
    ann, _ = member(visit)
    bea, bea_name = member(visit, width=360)
    match = ann.ask("create", game="morris", seats=[ME, OPEN], clock=THREE_DAYS, invited=bea_name)["match"]
    bea.ask("join", match=match)
    bea.open(f"/match/{match}")
    ann.open("/account")
    vacation = form(ann, "Vacation")
    expect(vacation).to_contain_text("You are not on vacation. 30 days are left.")
    vacation.get_by_label("Days from now on").fill("7")
    vacation.get_by_role("button", name="Go on vacation").click()
    expect(vacation).to_contain_text(re.compile(r"You are on vacation until .+\. After that, 23 days are left\."))
    expect_accessible(ann)
    status = bea.page.locator(".status-panel")
    expect(status).to_contain_text(re.compile(r"On vacation until .+; the clock stands still\."))
    bea.expect_no_overflow()
    vacation.get_by_role("button", name="Come back now").click()
    expect(vacation).to_contain_text("You are not on vacation.")
    expect(status).not_to_contain_text("On vacation")
