"""The QR code beside an invitation, as a phone's camera sees it on the screen."""

import re

import pytest
import zxingcpp
from playwright.sync_api import expect

from tests.browser.visitor import Visit
from tests.server.web.previews.pictures import pixels_of


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_qr_code_leads_to_the_match(visit: Visit, theme: str) -> None:
    ann, ben = visit(), visit(width=360, height=740)
    ann.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    path = ann.create()
    ann.open(path)
    code = ann.page.get_by_role("img", name="QR code with the link to this match")
    expect(code).to_have_js_property("complete", True)
    code.scroll_into_view_if_needed()
    ann.expect_no_overflow()
    (scanned,) = zxingcpp.read_barcodes(pixels_of(ann.page.screenshot()))
    assert scanned.text == ann.server.url + path
    ben.page.goto(scanned.text)
    ben.page.locator(".join-button").click()
    expect(ann.page.get_by_role("img", name=re.compile("QR code"))).to_have_count(0)
    expect(ben.page.locator(".join-button")).to_have_count(0)
