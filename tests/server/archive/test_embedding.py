"""Boards on other sites: they may be framed, and viewers are anonymous."""

from millrace.protocol import VERSION
from tests.server.in_process_server import Served
from tests.server.players.accounts.registered_players import register
from tests.server.web.get_requests import get


async def test_an_embedded_board_may_be_framed_anywhere_and_the_page_nowhere(served: Served) -> None:
    status, headers, body = await get(served, "/embed/m1")
    assert status == 200
    assert "frame-ancestors *" in headers["Content-Security-Policy"]
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert body != (await get(served, "/match/m1"))[2]
    assert "frame-ancestors 'none'" in (await get(served, "/match/m1"))[1]["Content-Security-Policy"]


async def test_an_anonymous_visitor_is_a_new_guest_despite_cookies(served: Served) -> None:
    ann = await register(served, "Anna")
    cookie = {"Cookie": f"millrace_session={ann.token}"}
    known = await (await served.socket(additional_headers=cookie)).greet()
    assert known.player["name"] == "Anna"
    nobody = await served.socket(additional_headers=cookie)
    await nobody.say("hello", version=VERSION, anonymous=True)
    welcome = await nobody.hear_until("welcome")
    assert welcome["player"]["registered"] is False
