"""Push messages over real sockets: to a push service that decrypts them, and to nobody with an open page."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from millrace.protocol import NotificationKind
from millrace.server.notifications.push import sender
from millrace.server.notifications.push.delivery import Message, Outcome, PushDelivery
from millrace.server.notifications.push.encryption import format_base64, read_browser_keys
from millrace.server.notifications.push.push_messages import MESSAGES
from millrace.server.notifications.push.server_keys import ServerKey, new_private_key, read_private_key
from tests.project.repository import read
from tests.server.in_process_server import Serve, Served, Visitor
from tests.server.notifications.push.stand_in import PushService, push_service, read_token
from tests.server.players.accounts.registered_players import register_all
from tests.server.web.two_players import DAYS, begin_unwatched, challenge, play


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender, "ROUND_SECONDS", 0.05)
    monkeypatch.setattr(sender, "POLL_SECONDS", 0.05)


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    async with push_service() as running:
        yield running


@pytest.fixture
async def pushing(serve: Serve) -> Served:
    started: Served = await serve(allows_local_push=True, contact="mailto:admin@example.org")
    return started


async def leave(visitor: Visitor, subscription: dict[str, str]) -> None:
    """Subscribe to push messages, and close the page."""
    assert (await visitor.ask("subscribe_to_push", **subscription))["type"] == "done"
    await visitor.connection.close()


async def make_it_the_turn_of(pushing: Served, ben: Visitor, ann: Visitor) -> str:
    """Begin a correspondence match in which it is the turn of a player without an open page."""
    ben = await pushing.visitor(ben.token)
    match = await begin_unwatched(ann, ben, clock=DAYS)
    await ben.connection.close()
    await play(ann, match, 0, "d6")
    return match


async def left_alone(pushing: Served, service: PushService) -> Visitor:
    """Return Clothilde, who has subscribed with a browser of her own and closed the page."""
    (cem,) = await register_all(pushing, "Clothilde")
    await leave(cem, service.browser("another").subscription)
    return cem


async def test_a_challenge_reaches_the_browser_of_a_player_without_an_open_page(
    pushing: Served, service: PushService
) -> None:
    ann, ben = await register_all(pushing, "Annabel", "Benjamin")
    key = (await ben.ask("get_push_key"))["key"]
    await leave(ben, service.browser().subscription)
    match = await challenge(ann, ben)
    headers, content = await service.received.get()
    assert headers["Host"] == f"127.0.0.1:{service.port}"
    assert content == {
        "title": "Annabel challenges you",
        "message": "{name} challenges you",
        "values": {"name": "Annabel", "reason": ""},
        "game": "morris",
        "body": "Nine Men's Morris",
        "path": f"/match/{match}",
        "tag": f"millrace-challenged-{match}",
    }
    claims, signed, signature, public = read_token(headers["Authorization"])
    assert (claims["aud"], claims["sub"]) == (f"http://127.0.0.1:{service.port}", "mailto:admin@example.org")
    assert time.time() < claims["exp"] < time.time() + 24 * 3600
    assert format_base64(public) == key
    numbers = encode_dss_signature(int.from_bytes(signature[:32]), int.from_bytes(signature[32:]))
    EllipticCurvePublicKey.from_encoded_point(SECP256R1(), public).verify(numbers, signed, ECDSA(hashes.SHA256()))
    assert (headers["TTL"], headers["Content-Encoding"]) == ("86400", "aes128gcm")


async def test_a_guest_is_notified_of_their_turn(pushing: Served, service: PushService) -> None:
    ann, ben = await pushing.visitor(), await pushing.visitor()
    await leave(ben, service.browser().subscription)
    await make_it_the_turn_of(pushing, ben, ann)
    _, content = await service.received.get()
    assert content["title"] == f"It is your turn against {ann.player['name']}"


async def test_a_player_with_an_open_page_gets_nothing_until_it_is_closed(
    pushing: Served, service: PushService
) -> None:
    ann, ben = await register_all(pushing, "Annabel", "Benjamin")
    assert (await ben.ask("subscribe_to_push", **service.browser().subscription))["type"] == "done"
    cem = await left_alone(pushing, service)
    await challenge(ann, ben)
    await challenge(ann, cem)
    # The message for Clothilde has gone out in the meantime, and none for Benjamin.
    await service.received.get()
    assert service.received.empty()
    await ben.connection.close()
    await service.received.get()


async def test_due_messages_are_sent_after_a_restart_with_the_same_key(serve: Serve, service: PushService) -> None:
    service.status = 503
    first = await serve(allows_local_push=True)
    ann, ben = await register_all(first, "Annabel", "Benjamin")
    key = (await ann.ask("get_push_key"))["key"]
    await leave(ben, service.browser().subscription)
    await challenge(ann, ben)
    await service.has_been_tried.wait()
    service.status = 201
    again = await serve(allows_local_push=True)
    headers, content = await service.received.get()
    assert content["title"] == "Annabel challenges you"
    cem = await again.visitor()
    assert (await cem.ask("get_push_key"))["key"] == key
    assert format_base64(read_token(headers["Authorization"])[3]) == key


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_gets_nothing_and_has_to_subscribe_anew(
    pushing: Served, service: PushService, status: int
) -> None:
    ann, ben = await register_all(pushing, "Annabel", "Benjamin")
    service.status = status
    await leave(ben, service.browser("gone").subscription)
    await challenge(ann, ben)
    await service.has_been_tried.wait()
    service.status = 201
    ben = await pushing.visitor(ben.token)
    again = service.browser("gone").subscription
    assert (await ben.ask("subscribe_to_push", **again))["code"] == "subscription_ended"
    await leave(ben, service.browser("new").subscription)
    match = await challenge(ann, ben)
    _, content = await service.received.get()
    assert content["path"] == f"/match/{match}"
    assert (service.attempts, service.received.empty()) == (2, True)


async def test_a_browser_whose_session_has_ended_gets_nothing(pushing: Served, service: PushService) -> None:
    ann, ben = await register_all(pushing, "Annabel", "Benjamin")
    assert (await ben.ask("subscribe_to_push", **service.browser().subscription))["type"] == "done"
    assert (await ben.ask("sign_out"))["type"] == "done"
    cem = await left_alone(pushing, service)
    await challenge(ann, ben)
    match = await challenge(ann, cem)
    _, content = await service.received.get()
    assert content["path"] == f"/match/{match}"
    assert service.received.empty()


async def test_kinds_that_a_player_does_not_want_are_not_pushed(pushing: Served, service: PushService) -> None:
    ann, ben = await register_all(pushing, "Annabel", "Benjamin")
    await ben.ask("set_notification_kinds", kinds=["your_turn"])
    await leave(ben, service.browser().subscription)
    declined = await challenge(ann, ben)
    match = await make_it_the_turn_of(pushing, ben, ann)
    _, content = await service.received.get()
    assert content["path"] == f"/match/{match}" != f"/match/{declined}"


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:1/x", "https://10.0.0.1/x", "https://localhost/x"])
async def test_an_endpoint_in_the_servers_network_is_refused(
    served: Served, endpoint: str, service: PushService
) -> None:
    ann = await served.visitor()
    refused = await ann.ask("subscribe_to_push", **{**service.browser().subscription, "endpoint": endpoint})
    assert refused["code"] == "malformed"


async def test_a_push_service_that_does_not_answer_is_left_alone_for_a_while(
    pushing: Served, service: PushService
) -> None:
    ann, ben = await register_all(pushing, "Annabel", "Benjamin")
    service.status = 429
    await leave(ben, service.browser().subscription)
    await challenge(ann, ben)
    await challenge(ann, ben)
    (cem,) = await register_all(pushing, "Clothilde")
    await service.has_been_tried.wait()
    service.status = 201
    await leave(cem, service.browser("another").subscription)
    await challenge(ann, cem)
    await service.received.get()
    assert service.received.empty()


async def test_answers_that_are_not_http_count_as_failures(service: PushService) -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"nonsense\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        fields = service.browser().subscription
        endpoint = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/x"
        key = ServerKey(read_private_key(new_private_key()))
        keys = read_browser_keys(fields["key"], fields["secret"])
        delivery = PushDelivery(key, is_local_allowed=True)
        assert await delivery.deliver(endpoint, keys, Message(b"{}", "topic"), 0) is Outcome.LATER


@pytest.mark.parametrize("kind", NotificationKind)
def test_the_messages_of_each_kind_match_the_page(kind: NotificationKind) -> None:
    """The catalogues of the page translate them."""
    page = read("client/web/notifications/notification_texts.js")
    for message in filter(None, MESSAGES[kind]):
        assert f'gettext("{message}"' in page
