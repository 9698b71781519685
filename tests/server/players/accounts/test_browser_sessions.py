"""A browser signs in and out: tickets, cookies and the redirects between them, over real sockets."""

import asyncio

import pytest

from millrace.protocol import VERSION, Code
from tests.server.in_process_server import Frame, Served
from tests.server.players.accounts.registered_players import (
    NEW_PASSWORD,
    PASSWORD,
    refusal_of_hello,
    register,
    ticket_of,
)
from tests.server.web.get_requests import get


@pytest.fixture
def served_url(url: str) -> str:
    """The tests of this module run on every kind of database."""
    return url


async def enter(served: Served, ticket: str, back: str = "/account", site: str = "same-origin") -> tuple[int, Frame]:
    path = f"/sign-in?ticket={ticket}&next={back}"
    status, headers, _ = await get(served, path, f"Sec-Fetch-Site: {site}", "X-Forwarded-Proto: https")
    return status, headers


def cookie_of(headers: Frame) -> str:
    return str(headers["Set-Cookie"]).partition(";")[0]


async def visit_with(served: Served, cookie: str, token: str = "", **headers: str) -> Frame:
    visitor = await served.socket(additional_headers={"Cookie": cookie, **headers})
    await visitor.say("hello", version=VERSION, token=token)
    return await visitor.hear()


async def test_a_browser_gets_a_cookie_for_a_ticket_and_is_recognised_by_it(served: Served) -> None:
    owner = await register(served)
    status, headers = await enter(served, await ticket_of(served), "/match/m1?ply=3")
    assert (status, headers["Location"], headers["Cache-Control"]) == (303, "/match/m1?ply=3", "no-store")
    flags = headers["Set-Cookie"].split("; ")[1:]
    assert {"HttpOnly", "SameSite=Lax", "Path=/", "Secure"} <= set(flags)
    guest = await served.visitor()
    for token in ("", guest.token):
        welcome = await visit_with(served, cookie_of(headers), token)
        assert (welcome["player"], welcome["token"]) == (owner.player, "")


async def test_a_ticket_works_once_and_until_the_password_changes(served: Served) -> None:
    owner = await register(served)
    ticket, unused = await ticket_of(served), await ticket_of(served)
    answers = await asyncio.gather(*(enter(served, ticket) for _ in range(5)))
    assert sorted(status for status, _ in answers) == [303, 410, 410, 410, 410]
    assert sum("Set-Cookie" in headers for _, headers in answers) == 1
    assert await refusal_of_hello(served, ticket) == Code.BAD_TOKEN
    assert (await owner.ask("change_password", password=PASSWORD, new_password=NEW_PASSWORD))["type"] == "done"
    for token in (unused, owner.token):
        assert (await enter(served, token))[0] == 410
    assert (await served.visitor(owner.token)).player == owner.player


async def test_other_sites_cannot_sign_their_visitors_in(served: Served) -> None:
    await register(served)
    ticket = await ticket_of(served)
    for site in ("cross-site", "same-site", "none"):
        status, headers = await enter(served, ticket, site=site)
        assert (status, "Set-Cookie" in headers) == (403, False)
    for referer in ("", "Referer: https://evil.example/"):
        assert (await get(served, f"/sign-in?ticket={ticket}", *filter(None, [referer])))[0] == 403
    own = f"Referer: http://localhost:{served.port}/account"
    assert (await get(served, f"/sign-in?ticket={ticket}", own))[0] == 303


async def test_the_redirect_never_leads_to_another_site(served: Served) -> None:
    await register(served)
    assert (await enter(served, await ticket_of(served), "%2F%2Fevil.example"))[1]["Location"] == "/"


async def test_a_forged_cookie_or_one_from_another_site_gives_a_guest(served: Served) -> None:
    owner = await register(served)
    _, headers = await enter(served, await ticket_of(served))
    cookie = cookie_of(headers)
    for forged in (cookie[:-1], cookie + "x", "millrace_session=", f"millrace_session={owner.player['id']}"):
        assert (await visit_with(served, forged))["player"]["registered"] is False
    made = await owner.ask("create_token", label="bot", scopes=["play"])
    assert (await visit_with(served, f"millrace_session={made['token']}"))["player"]["registered"] is False


async def test_a_mere_link_signs_nobody_out_and_the_cookie_of_an_ended_session_is_cleared(
    served: Served,
) -> None:
    await register(served)
    _, headers = await enter(served, await ticket_of(served))
    cookie = cookie_of(headers)
    status, headers, _ = await get(served, "/sign-out", f"Cookie: {cookie}")
    assert (status, "Set-Cookie" in headers) == (303, False)
    visitor = await served.socket(additional_headers={"Cookie": cookie})
    await visitor.say("hello", version=VERSION)
    assert (await visitor.ask("sign_out"))["type"] == "done"
    status, headers, _ = await get(served, "/sign-out?next=/account", f"Cookie: {cookie}")
    assert (status, headers["Location"], "Max-Age=0" in headers["Set-Cookie"]) == (303, "/account", True)
    assert (await visit_with(served, cookie))["player"]["registered"] is False
