"""The icons of the installed page."""

import pytest

from millrace.server.web.icons import ICONS, WEB, Icon, draw


@pytest.mark.parametrize("icon", ICONS, ids=lambda icon: icon.file)
def test_an_icon_matches_its_drawing(icon: Icon) -> None:
    assert (WEB / icon.file).read_bytes() == draw(icon), "run `python -m millrace.server.web.icons`"
