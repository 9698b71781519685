"""Accounts in the page: made of a guest, left, entered again, changed, deleted; and what strangers' links cannot do."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import PASSWORD, fill, form, member, new_name, register
from tests.browser.positions import MOVING
from tests.browser.sites import on_two_nodes_too
from tests.browser.visitor import OWN_BOTH, Visit, Visitor

NEW_PASSWORD = "an even longer password"


def sign_out(visitor: Visitor) -> None:
    visitor.page.locator(".own-menu summary").click()
    visitor.button("Sign out").click()
    expect(visitor.page.get_by_role("link", name="Sign in")).to_be_visible()


@on_two_nodes_too
def test_a_playing_guest_registers_and_plays_on_under_the_new_name(visit: Visit) -> None:
    player, watcher, name = visit(), visit(), new_name()
    path = player.create(MOVING, OWN_BOTH)
    player.open(path)
    watcher.open(path)
    expect(watcher.seat(0).locator(".player-name")).to_be_visible()
    register(player, name)
    expect(player.page).to_have_url(re.compile(path))
    for visitor in (player, watcher):
        expect(visitor.seat(0).locator(".player-name")).to_contain_text(name)
    player.play("a4-b4")
    expect(watcher.moves).to_have_text(["a4-b4"])


@on_two_nodes_too
def test_signing_out_makes_every_tab_a_guest_and_signing_in_restores_the_account(visit: Visit) -> None:
    person, name = visit().open(), new_name()
    register(person, name)
    other_tab = visit(same_as=person).open("/account")
    expect(other_tab.page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    sign_out(person)
    expect(other_tab.page.locator(".toast")).to_contain_text("You have signed out.")
    expect(form(other_tab, "Sign in")).to_be_visible()
    wrong = fill(other_tab, "Sign in", name=name, password="something else")
    expect(wrong.get_by_role("alert")).to_have_text("The name or the password is wrong.")
    fill(other_tab, "Sign in", name=name.upper(), password=PASSWORD)
    expect(other_tab.page.locator(".own-name")).to_have_text(name)
    expect(person.page.locator(".own-name")).to_have_text(name)
    cookies = person.page.evaluate("document.cookie")
    assert "millrace_session" not in str(cookies)


@pytest.mark.slow
def test_the_end_of_a_session_is_told_at_the_next_visit(visit: Visit) -> None:
    person = visit().open()
    register(person, new_name())
    person.page.context.clear_cookies()  # as the browser does when the session has expired
    person.open("/account")
    expect(person.page.locator(".toast")).to_have_text("You are no longer signed in. Please sign in again.")
    expect(form(person, "Sign in")).to_be_visible()


@pytest.mark.slow
def test_a_guest_whose_registration_was_answered_too_late_is_told_to_sign_in(visit: Visit) -> None:
    person, name = visit().open(), new_name()
    guest = person.page.evaluate("localStorage.getItem('millrace.token')")
    register(person, name)
    other = visit().open("/account")
    other.page.evaluate("token => localStorage.setItem('millrace.token', token)", guest)
    other.page.reload()
    other.expect_told("This guest has created an account; please sign in.")
    expect(form(other, "Sign in")).to_be_visible()


def test_invalid_names_and_passwords_are_explained(visit: Visit) -> None:
    (_, name), guest = member(visit), visit().open("/account")
    title = "Create an account"
    for fields, words in (
        ({"name": "x", "password": PASSWORD}, "A name needs 3 to 20 characters."),
        ({"name": "Admin", "password": PASSWORD}, "reserved"),
        ({"name": name.lower(), "password": PASSWORD}, "is taken"),
        ({"name": new_name(), "password": "short"}, "at least 8 characters"),
    ):
        expect(fill(guest, title, **fields).get_by_role("alert")).to_contain_text(words)
    form(guest, title).get_by_role("button", name="Show: Password").click()
    expect(form(guest, title).locator("[name=password]")).to_have_attribute("type", "text")


def test_a_forgotten_password_is_replaced_with_a_recovery_code(visit: Visit) -> None:
    here, there, name = visit().open(), visit().open("/account"), new_name()
    first, second, *_ = register(here, name)
    title = "Forgot your password?"
    wrong = fill(there, title, name=name, code="2222-3333-4444-5555", new_password=NEW_PASSWORD)
    expect(wrong.get_by_role("alert")).to_have_text("The name or the recovery code is wrong.")
    fill(there, title, name=name, code=first, new_password=NEW_PASSWORD)
    expect(there.page.locator(".own-name")).to_have_text(name)
    expect(here.page.locator(".toast")).to_contain_text("Your password was changed; please sign in again.")

    there.open("/account")
    fill(there, "Recovery codes", password=NEW_PASSWORD)
    codes = there.page.locator(".recovery-code-list li")
    expect(codes).to_have_count(8)
    expect(codes.filter(has_text=second)).to_have_count(0)
    there.button("I have saved them").click()
    expect(form(there, "Recovery codes")).to_be_visible()
    there.open("/account")
    expect(codes).to_have_count(0)


def test_a_changed_password_signs_other_browsers_out(visit: Visit) -> None:
    (here, name), there = member(visit), visit().open("/account")
    fill(there, "Sign in", name=name, password=PASSWORD)
    expect(there.page.locator(".own-name")).to_have_text(name)
    here.open("/account")
    fill(here, "Change password", password=PASSWORD, new_password=NEW_PASSWORD)
    expect(here.page.locator(".toast")).to_have_text("Password changed.")
    expect(there.page.get_by_role("link", name="Sign in")).to_be_visible()
    there.open("/account")
    fill(there, "Sign in", name=name, password=NEW_PASSWORD)
    expect(there.page.locator(".own-name")).to_have_text(name)
    expect(here.page.locator(".own-name")).to_have_text(name)


def test_a_token_is_shown_once_listed_and_revoked(visit: Visit) -> None:
    owner, _ = member(visit)
    owner.open("/account")
    fill(owner, "API tokens", label="my bot")
    expect(owner.page.get_by_label("The new token", exact=True)).to_have_value(re.compile(r"^api_[\w-]{43}$"))
    expect(owner.page.locator(".token")).to_contain_text("read, play, challenge · created")
    owner.open("/account")
    expect(owner.page.locator(".token")).to_contain_text("never used")
    expect(owner.page.get_by_label("The new token", exact=True)).to_have_count(0)
    owner.button("Revoke my bot").click()
    expect(owner.page.locator(".token")).to_have_count(0)


@pytest.mark.slow
def test_tokens_are_revoked_with_the_old_password(visit: Visit) -> None:
    owner, _ = member(visit)
    owner.open("/account")
    fill(owner, "API tokens", label="my bot")
    expect(owner.page.locator(".token")).to_have_count(1)
    form(owner, "Change password").get_by_label("Revoke all API tokens too").check()
    fill(owner, "Change password", password=PASSWORD, new_password=NEW_PASSWORD)
    expect(owner.page.locator(".token")).to_have_count(0)


def test_a_deleted_account_appears_as_a_deleted_player_in_its_matches(visit: Visit) -> None:
    (owner, name), watcher = member(visit), visit()
    path = owner.create(MOVING, OWN_BOTH)
    watcher.open(path)
    expect(watcher.seat(0).locator(".player-name")).to_contain_text(name)
    owner.open("/account")
    refused = fill(owner, "Delete account", name="somebody", password=PASSWORD)
    expect(refused.get_by_role("alert")).to_contain_text("to confirm")
    fill(owner, "Delete account", name=name, password=PASSWORD)
    expect(form(owner, "Create an account")).to_be_visible()
    expect(watcher.seat(0).locator(".player-name")).to_contain_text("Deleted player")
    expect(watcher.headline).to_have_text("Black won")


@pytest.mark.slow
def test_the_account_fits_a_window_of_360_pixels(visit: Visit) -> None:
    person = visit(width=360, height=740).open("/account")
    expect(form(person, "Create an account")).to_be_visible()
    person.expect_no_overflow()
    register_on_page = fill(
        person, "Create an account", name=new_name().replace("Beatrix", "Wilhelmina-W"), password=PASSWORD
    )
    expect(register_on_page).to_have_count(0)
    expect(person.page.locator(".recovery-code-list li")).to_have_count(8)
    person.expect_no_overflow()
    person.button("I have saved them").click()
    person.open("/account")
    expect(form(person, "API tokens")).to_be_visible()
    person.expect_no_overflow()
    fill(person, "API tokens", label="a bot with quite a long label for a token")
    expect(person.page.locator(".token")).to_have_count(1)
    person.expect_no_overflow()
    person.page.locator(".own-menu summary").click()
    expect(person.button("Sign out").first).to_be_visible()
    person.expect_no_overflow()
