"""Push messages: the browser's subscription, what the server sends to it, and what the service worker shows."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accounts import new_name, register
from tests.browser.installed_page import InstalledVisitor
from tests.browser.lobby import challenge
from tests.browser.visitor import ANSWER_MS, Visitor, visiting
from tests.server.notifications.push.stand_in import PushService, push_service
from tests.serving import ServerProcess

_SUBSCRIBE_SCRIPT = """(...subscriptions) => {
  self.asked = [];
  if (self.Notification) {
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Notification.requestPermission = async () => "granted";
  }
  const wrap = ({ endpoint, key, secret }) => ({
    endpoint,
    options: { applicationServerKey: null },
    toJSON: () => ({ endpoint, keys: { p256dh: key, auth: secret } }),
    unsubscribe: async () => true,
  });
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async (options) => {
    self.asked.push(options);
    if (subscriptions.length < self.asked.length) throw new DOMException("registration failed", "AbortError");
    return wrap(subscriptions[self.asked.length - 1]);
  };
}"""
"""Stands in for the browser's permission and for its push service, which a Chromium without windows does not have."""
_IS_ASKED_SCRIPT = "() => asked.length > 0 && asked[0].userVisibleOnly && asked[0].applicationServerKey.length === 87"
_NOTE_SHOWN_SCRIPT = """() => {
  self.shown = [];
  registration.showNotification = async (title, options) => void self.shown.push({ title, ...options });
}"""


@contextmanager
def service_in_a_thread() -> Iterator[PushService]:
    """Yield a push service that runs beside the test."""
    is_ready, loop = threading.Event(), asyncio.new_event_loop()
    stop, services = asyncio.Event(), []

    async def run() -> None:
        async with push_service() as service:
            services.append(service)
            is_ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    is_ready.wait()
    yield services[0]
    loop.call_soon_threadsafe(stop.set)
    thread.join()
    loop.close()


@pytest.fixture
def service() -> Iterator[PushService]:
    with service_in_a_thread() as running:
        yield running


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path, "--bot-workers", "1", "--address-factor", "100", "--local-push") as process:
        process.wait_for_rules()
        yield process


@pytest.fixture
def ben(browser: Browser, own_server: ServerProcess) -> Iterator[InstalledVisitor]:
    with visiting(browser, own_server, InstalledVisitor) as visitor:
        yield visitor


@pytest.fixture
def ann(browser: Browser, own_server: ServerProcess) -> Iterator[InstalledVisitor]:
    with visiting(browser, own_server, InstalledVisitor) as visitor:
        yield visitor


def deliver(visitor: Visitor, content: dict[str, Any]) -> None:
    """Have the browser hand a message to the service worker, as its push service would."""
    session = visitor.page.context.new_cdp_session(visitor.page)
    found: list[str] = []

    def note(event: dict[str, Any]) -> None:
        found.extend(each["registrationId"] for each in event["registrations"] if not each["isDeleted"])

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    session.send("ServiceWorker.enable")
    visitor.wait_until(lambda: bool(found))
    message = {"origin": visitor.server.url, "registrationId": found[0], "data": json.dumps(content)}
    session.send("ServiceWorker.deliverPushMessage", message)


def test_a_challenge_is_shown_while_no_page_is_open(
    ann: InstalledVisitor, ben: InstalledVisitor, service: PushService, own_server: ServerProcess
) -> None:
    subscription = json.dumps(service.browser().subscription)
    ben.page.context.add_init_script(f"({_SUBSCRIBE_SCRIPT})({subscription})")
    name = new_name()
    register(ben.open(), name)
    ben.open_installed("/account")
    form = ben.page.get_by_role("form", name="Notifications")
    form.get_by_role("button", name="Turn on browser notifications").click()
    expect(form.get_by_role("status")).to_contain_text("or closed")
    ben.page.wait_for_function(_IS_ASKED_SCRIPT)
    ben.page.goto("about:blank")

    challenge(ann.open(), name)
    ann.wait_until(lambda: not service.received.empty())
    content = service.received.get_nowait().content
    assert content["title"].endswith("challenges you")

    ben.open("/learn")
    (worker,) = ben.page.context.service_workers
    worker.evaluate(_NOTE_SHOWN_SCRIPT)
    deliver(ben, content)
    ben.wait_until(lambda: len(worker.evaluate("shown")) == 1)
    (shown,) = worker.evaluate("shown")
    for name in ("title", "body", "tag"):
        assert shown[name] == content[name]
    assert shown["data"] == {"path": content["path"]}
    assert ben.page.request.get(own_server.url + shown["icon"]).ok


@pytest.mark.slow
def test_a_subscription_that_the_push_service_has_ended_is_renewed_or_shown_as_ended(
    browser: Browser, own_server: ServerProcess, ben: InstalledVisitor, service: PushService
) -> None:
    first, second, third = (service.browser(name).subscription for name in ("first", "second", "third"))
    script = f"({_SUBSCRIBE_SCRIPT})(...({json.dumps([[first], [first, second], [second]])}[+window.name]))"
    ben.page.context.add_init_script(script)
    name = new_name()
    register(ben.open(), name)
    ben.open_installed("/account")
    form = ben.page.get_by_role("form", name="Notifications")
    form.get_by_role("button", name="Turn on browser notifications").click()
    expect(form.get_by_role("status")).to_contain_text("or closed")

    def push_while_away() -> None:
        service.attempts = 0
        ben.page.goto("about:blank")
        with visiting(browser, own_server, Visitor) as challenger:
            challenge(challenger.open(), name)
            challenger.wait_until(lambda: service.attempts > 0)

    def end_subscription(next_visit: int) -> None:
        ben.page.evaluate("(visit) => void (window.name = String(visit))", next_visit)
        service.status = 410
        push_while_away()
        service.status = 201

    end_subscription(1)
    ben.open_installed("/account")
    ben.page.wait_for_function("() => asked.length === 2")
    expect(form.get_by_role("status")).to_contain_text("or closed")
    end_subscription(2)
    ben.open_installed("/account")
    expect(ben.page.locator(".toast")).to_contain_text("has ended your subscription")
    expect(form.get_by_role("status")).to_have_text(
        "Your browser also shows notifications while this page is in the background."
    )

    (worker,) = ben.page.context.service_workers
    worker.evaluate(f"(third) => ({_SUBSCRIBE_SCRIPT})(third)", third)
    worker.evaluate("renewSubscription()")
    push_while_away()
    ben.wait_until(lambda: service.received.qsize() == 1)


@pytest.mark.slow
def test_pressing_a_notification_opens_its_match_in_the_open_page(ben: InstalledVisitor) -> None:
    ben.open_installed("/learn")
    ben.page.evaluate("window.isSamePage = true")
    (worker,) = ben.page.context.service_workers
    # A test has no hands to press a notification with, and a browser lets only a press bring a window to the front.
    worker.evaluate("visit('/leaders').catch(() => undefined)")
    expect(ben.page.get_by_role("heading", name="Leaders", exact=True)).to_be_visible(timeout=ANSWER_MS)
    ben.page.wait_for_function("() => window.isSamePage")


@pytest.mark.slow
def test_a_message_is_shown_in_the_language_of_the_page(ben: InstalledVisitor) -> None:
    ben.page.context.add_init_script("localStorage.setItem('millrace.preferences', JSON.stringify({ language: 'de' }))")
    ben.open_installed("/learn")
    (worker,) = ben.page.context.service_workers
    worker.evaluate(_NOTE_SHOWN_SCRIPT)
    values = {"name": "Annabel", "reason": ""}
    about = {"title": "Annabel challenges you", "message": "{name} challenges you", "values": values}
    worker.evaluate("(pushed) => show(pushed)", {**about, "game": "morris", "body": "", "path": "/", "tag": "t"})
    shown = worker.evaluate("shown")  # `show` has ended
    assert [each["title"] for each in shown] == ["Annabel fordert dich heraus"]
