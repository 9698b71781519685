"""The client library can do everything that the page can, except moderating and thinking for the server's bots."""

import re
from typing import get_args

from millrace import protocol
from millrace.protocol import ClientMessage, PageBotCommand, moderation
from tests.project.repository import ROOT


def test_the_library_sends_every_message_except_those_of_moderators_and_of_pages() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "client").rglob("*.py"))
    of_moderators = {each for each in get_args(ClientMessage) if each.__module__ == moderation.__name__} - {
        protocol.Report
    }
    missing = {each for each in get_args(ClientMessage) if not re.search(rf"\b{each.__name__}\(", source)}
    assert missing == of_moderators | set(get_args(PageBotCommand))
