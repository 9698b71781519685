"""The texts of push messages are the page's, so that its catalogues translate them."""

import pytest

from millrace.protocol import NotificationKind
from millrace.server.notifications.push.texts import MESSAGES
from tests.project.repository import read


@pytest.mark.parametrize("kind", NotificationKind)
def test_the_messages_of_each_kind_match_the_page(kind: NotificationKind) -> None:
    page = read("client/web/notifications/notification_texts.js")
    for message in filter(None, MESSAGES[kind]):
        assert f'gettext("{message}"' in page
