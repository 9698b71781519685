"""A ladder in the page: joined by two, challenged from its list, climbed."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import expect_accessible
from tests.browser.accounts import member
from tests.browser.visitor import Visit

LADDER = "/tournament/ladder-mingmang"
pytestmark = pytest.mark.slow


def test_a_challenger_climbs_a_ladder(visit: Visit) -> None:
    (ann, ann_name), (ben, ben_name) = member(visit), member(visit, width=360)
    ben.open("/tournaments")
    ben.page.get_by_role("link", name=re.compile("^Ming Mang[^:]*player")).first.click()
    for player, name in ((ann, ann_name), (ben, ben_name)):
        player.open(LADDER)
        player.button("Join").click()
        expect(player.page.locator(f'tr.own[data-player="{name}"]')).to_be_visible()
    expect_accessible(ben)
    ben.button(f"Challenge {ann_name}").click()
    for player in (ann, ben):
        if player is ann:
            ann.page.get_by_role("link", name=f"{ben_name} challenges {ann_name}").first.click()
        expect(player.page).to_have_url(re.compile(r"/match/\w+$"))
    expect(ben.page.locator(".match-page .board")).to_be_visible()
    ann.resign()
    for player in (ann, ben):
        player.page.get_by_role("link", name="To the ladder").click()
        expect(player.page.get_by_text(f"{ben_name} won place").first).to_be_visible()
    rows = ann.page.locator(".ladder-table tbody tr")
    names = rows.evaluate_all("rows => rows.map((row) => row.dataset.player)")
    assert names.index(ben_name) < names.index(ann_name)
    expect(ann.page.locator("tr", has_text=ben_name).get_by_text("You have met recently")).to_be_visible()
    ann.button("Leave the ladder").click()
    expect(ann.button("Join")).to_be_visible()
