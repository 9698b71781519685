"""Challenges by name in the page: told wherever the challenged player is, accepted, declined, withdrawn."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import member
from tests.browser.lobby import ask, banner, challenge, expect_match, seek
from tests.browser.sites import on_two_nodes_too
from tests.browser.visitor import Visit


@on_two_nodes_too
def test_a_challenge_appears_on_every_page_and_can_be_accepted_there(visit: Visit) -> None:
    ann = visit().open()
    bea, name = member(visit, width=360)
    bea.open("/account")
    challenge(ann, name)
    expect(banner(bea)).to_contain_text("challenges you: Nine Men's Morris · 10+5 · casual")
    bea.expect_no_overflow()
    banner(bea).get_by_role("button", name="Accept").click()
    expect_match(ann, bea)
    expect(banner(bea)).to_have_count(0)


@on_two_nodes_too
def test_a_withdrawn_challenge_disappears_from_the_page(visit: Visit) -> None:
    ann = visit().open()
    bea, name = member(visit)
    challenge(ann, name)
    expect(banner(bea)).to_be_visible()
    ann.button("Call off").click()
    expect(banner(bea)).to_have_count(0)


def test_a_blocked_player_is_no_longer_heard(visit: Visit) -> None:
    ann = visit().open()
    bea, name = member(visit)
    challenge(ann, name)
    banner(bea).get_by_role("button", name="Block").click()
    expect(banner(bea)).to_have_count(0)
    expect(ann.page.locator(".status-panel")).to_contain_text("The challenge was declined")
    ann.open()
    challenge(ann, name)
    bea.page.reload()
    expect(bea.button("Play")).to_be_enabled()
    expect(banner(bea)).to_have_count(0)


@pytest.mark.slow
def test_members_may_be_paired_for_a_rated_match(visit: Visit) -> None:
    ann, _ = member(visit)
    bea, _ = member(visit)
    for visitor in (ann, bea):
        visitor.open_way("Quick pairing")
        visitor.page.locator(".quick-pairing .choice", has_text="Rated").click()
    seek(ann, "5+3")
    expect(ann.page.locator(".waiting-what")).to_have_text(re.compile("rated$"))
    ask(bea, "5+3")
    expect_match(ann, bea)
    for visitor in (ann, bea):
        expect(visitor.page.locator(".about")).to_have_text("Nine Men's Morris · 5+3 · rated")
