"""No text lies on another, leaves the window or is cut off: every page, size and language, with the longest names."""

from itertools import product

import pytest

from millrace.server.web.translation_format import LANGUAGES
from tests.browser.every_page import every_page, faults_of_boxes, member_with_long_name
from tests.browser.visitor import Visit

WINDOWS = ((360, 740), (740, 360), (768, 1024), (320, 256), (1280, 800))
"""A phone upright and on its side, a tablet, 1280x1024 at 400 % and a computer."""
CASES = sorted(product(LANGUAGES, WINDOWS), key=lambda case: (case[0] != "de", case[0] == "en"))
"""German, which has the longest words, comes first, and English on a computer last: see `rings.py`."""


@pytest.mark.parametrize(("language", "window"), CASES)
def test_no_text_lies_on_another_leaves_the_window_or_is_cut_off(
    visit: Visit, language: str, window: tuple[int, int]
) -> None:
    width, height = window
    host = member_with_long_name(visit, "Maximiliane-Wolfg-", width=width, height=height, locale=language)
    rival = member_with_long_name(visit, "MWMWMWMWMWMWMWMWMW")
    found = {name: faults_of_boxes(host) for name in every_page(host, rival)}
    assert {where: each for where, each in found.items() if each} == {}
