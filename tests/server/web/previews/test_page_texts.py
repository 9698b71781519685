"""The tags of a page's head."""

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from millrace.server.web.previews.page_texts import PageText, tags_of


@given(st.text(max_size=40), st.text(max_size=40))
def test_texts_are_escaped_in_tags(title: str, description: str) -> None:
    tags = tags_of(PageText(title, description, "/picture/x.png?a=1&b=2"), "https://play.example.org", "/icon.png")
    found = dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', tags))
    assert tags.count("<") == tags.count(">") == len(found)
    assert unescape(found["og:title"]) == unescape(title) or "&" in title
    assert unescape(found["og:image"]) == "https://play.example.org/picture/x.png?a=1&b=2"
    assert found["twitter:card"] == "summary_large_image"
