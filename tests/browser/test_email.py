"""E-mail and the account in the page: an address is confirmed, and a forgotten password replaced, by links in mails."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accounts import PASSWORD, fill, form, new_name, register
from tests.browser.visitor import Visitor
from tests.server.players.mail.mail_server import MailServer, Received, mail_server_in_a_thread
from tests.serving import ServerProcess

NEW_PASSWORD = "an even longer password"
LINK = re.compile(r"https?://\S+(/account#\S+)")


@pytest.fixture
def mails() -> Iterator[MailServer]:
    with mail_server_in_a_thread() as running:
        yield running


@pytest.fixture
def own_server(tmp_path: Path, mails: MailServer) -> Iterator[ServerProcess]:
    mailing = ("--smtp", mails.address, "--mail-from", "play@example.org", "--allowed-host", "play.example.org")
    with ServerProcess(tmp_path, "--bot-workers", "1", *mailing) as process:
        yield process


def next_mail(visitor: Visitor, mails: MailServer) -> tuple[Received, str]:
    """Return the next mail, and the path that its link leads to."""
    visitor.wait_until(lambda: not mails.mails.empty())
    mail = mails.mails.get_nowait()
    link = LINK.search(mail.text)
    assert link is not None
    return mail, link[1]


def test_a_forgotten_password_is_replaced_with_the_link_in_an_email(
    browser: Browser, own_server: ServerProcess, mails: MailServer
) -> None:
    context = browser.new_context(service_workers="block", viewport={"width": 360, "height": 740})
    owner, name = Visitor(context.new_page(), own_server).open(), new_name()
    register(owner, name)
    owner.open("/account")
    fill(owner, "E-mail address", address="beatrix@example.org", password=PASSWORD)
    owner.expect_told("A code is on its way to beatrix@example.org.")
    _, link = next_mail(owner, mails)
    owner.open(link)
    form(owner, "Confirm your e-mail address").get_by_role("button", name="Confirm").click()
    expect(form(owner, "E-mail address")).to_contain_text("Your e-mail address is beatrix@example.org.")
    owner.expect_no_overflow()
    context.close()

    other = browser.new_context(service_workers="block")
    forgetful = Visitor(other.new_page(), own_server).open("/account")
    recovering = form(forgetful, "Forgot your password?")
    recovering.get_by_label("Name").fill(name)
    forgetful.button("Send me a code by e-mail").click()
    forgetful.expect_told("a recovery code is on its way there")
    _, link = next_mail(forgetful, mails)
    forgetful.page.goto("about:blank")
    forgetful.open(link)
    expect(form(forgetful, "Sign in")).to_have_count(0)
    fill(forgetful, "Forgot your password?", new_password=NEW_PASSWORD)
    expect(forgetful.page.locator(".own-name")).to_have_text(name)
    assert owner.problems + forgetful.problems == []
    other.close()
