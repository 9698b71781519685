"""Moderation in the page: a report from a chat line to the mute, the log, a profile, a ban."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import PASSWORD, fill
from tests.browser.chat import begin, lines, say
from tests.browser.moderators import moderator, run_admin, with_account
from tests.browser.sites import on_two_nodes_too
from tests.browser.visitor import Visit, begin_match


@on_two_nodes_too
def test_a_reported_chat_line_leads_to_a_mute_of_its_author(visit: Visit) -> None:
    white, black, _ = begin(visit)
    say(white, "Good luck!")
    say(black, "You play like a beginner.")
    name = white.name_of(1)
    white.button(f"Mute or report {name}").click()
    white.page.get_by_label("Reason for the report").select_option("Insults")
    white.button("Report").click()
    white.expect_told("Report sent.")

    meg = moderator(visit, "Margaret")
    case = meg.page.get_by_role("article", name=f"Reports about {name}")
    expect(case.locator(".case-text")).to_have_text("You play like a beginner.")
    case.get_by_role("button", name="Show context").click()
    expect(case.locator(".context-lines li")).to_contain_text(["Good luck!", "You play like a beginner."])
    case.get_by_role("button", name="Take the reports").click()
    expect(case.locator(".case-assignee")).to_have_text("Assigned to you")
    case.get_by_role("button", name="Remove message…").click()
    case.get_by_label("Reason").fill("An insult")
    case.get_by_label("Uphold").uncheck()
    case.get_by_role("button", name="Remove message", exact=True).click()
    expect(white.page.locator(".chat-text.removed")).to_have_count(1)
    case.get_by_role("button", name="Mute…").click()
    case.get_by_label("Reason").fill("Insults")
    case.get_by_role("button", name="Mute", exact=True).click()
    expect(case).to_have_count(0)

    expect(black.page.locator(".chat-silenced")).to_contain_text("Insults")
    black.page.locator(".chat-input").fill("What?")
    black.page.locator(".chat-input").press("Enter")
    black.expect_told("A moderator muted you until")
    expect(lines(black).filter(has_text="What?")).to_have_count(0)

    meg.page.get_by_role("link", name="Log", exact=True).click()
    rows = meg.page.locator(".log-table tbody tr").filter(has_text=name)
    expect(rows.locator(".what")).to_have_text([re.compile("Muted until"), "Message removed"])
    expect(rows.first.locator(".who")).to_have_text("Margaret")
    for width in (1280, 360):
        meg.page.set_viewport_size({"width": width, "height": 800})
        meg.expect_no_overflow()


@pytest.mark.slow
def test_only_one_of_two_moderators_handles_a_report(visit: Visit) -> None:
    white, black, _ = begin(visit)
    say(black, "You cheat.")
    name = white.name_of(1)
    white.button(f"Mute or report {name}").click()
    white.button("Report").click()
    white.expect_told("Report sent.")
    meg, max_ = moderator(visit, "Margit"), moderator(visit, "Maxim")
    article = f"Reports about {name}"
    meg.page.get_by_role("article", name=article).get_by_role("button", name="Take the reports").click()
    case = max_.page.get_by_role("article", name=article)
    expect(case.locator(".case-assignee")).to_have_text("Assigned to Margit")
    expect(case.get_by_role("button", name="Take the reports")).to_have_count(0)
    own = meg.page.get_by_role("article", name=article)
    own.get_by_role("button", name="Dismiss 1 report…").click()
    own.get_by_label("Reason").fill("Among friends")
    own.get_by_role("button", name="Dismiss 1 report", exact=True).click()
    for moderators in (own, case):
        expect(moderators).to_have_count(0)


@on_two_nodes_too
def test_a_profile_is_reported_and_its_account_banned_with_a_reason(visit: Visit) -> None:
    rude, guest = with_account(visit, "Rudename"), visit()
    guest.open("/player/Rudename")
    guest.page.locator(".report-box summary").click()
    guest.page.get_by_label("Reason for the report").select_option("Name")
    guest.page.get_by_label("Details").fill("An insult, I think.")
    guest.button("Send report").click()
    guest.expect_told("Report sent.")
    meg = moderator(visit, "Marlene")
    case = meg.page.get_by_role("article", name="Reports about Rudename")
    expect(case.locator(".case-text")).to_have_text("Rudename")
    case.get_by_role("link", name="Rudename").click()
    meg.button("Ban…").click()
    meg.page.get_by_label("Reason").fill("That name")
    meg.button("Ban").click()
    expect(meg.page.locator(".restriction")).to_contain_text("That name")
    rude.expect_told("A moderator banned this account. Reason: That name.")
    expect(rude.page.locator(".sign-in-link")).to_be_visible()
    guest.open("/player/Rudename")
    expect(guest.page.locator(".profile-presence")).to_contain_text("banned")
    expect(guest.page.get_by_role("link", name="Challenge")).to_have_count(0)
    rude.open("/account")
    fill(rude, "Sign in", name="Rudename", password=PASSWORD)
    expect(rude.page.get_by_role("alert").filter(has_text="That name")).to_be_visible()


@pytest.mark.slow
def test_a_study_is_reported_and_removed(visit: Visit) -> None:
    ann, ben = visit(), visit()
    ann.open("/analysis/morris?moves=d6")
    ann.page.get_by_text("Study: save and share these lines").click()
    ann.page.get_by_label("Title of the study").fill("Rude title")
    ann.button("Save as a study").click()
    link = ann.page.get_by_label("Link to the study")
    expect(link).to_have_value(re.compile("/study/"))
    address = "/study/" + link.input_value().rpartition("/")[2]
    ben.open(address)
    ben.page.locator(".study-box > summary").click()
    ben.page.locator(".report-box summary").click()
    ben.page.get_by_label("Reason for the report").select_option("Insults")
    ben.button("Send report").click()
    ben.expect_told("Report sent.")
    meg = moderator(visit, "Mathilda")
    case = meg.page.get_by_role("article", name="Reports about").filter(has_text="Rude title")
    expect(case.get_by_role("link", name="Study")).to_have_attribute("href", address)
    case.get_by_role("button", name="Take the reports").click()
    case.get_by_role("button", name="Remove study…").click()
    case.get_by_label("Reason").fill("An insult")
    case.get_by_role("button", name="Remove study", exact=True).click()
    meg.expect_told("Study removed.")
    ben.expected_problem = "unknown"
    ben.open(address)
    expect(ben.page.locator(".notice")).to_contain_text("There is no such study")


@pytest.mark.slow
def test_a_voided_match_is_shown_as_void(visit: Visit) -> None:
    white, black = begin_match(visit)
    path = white.path
    white.play("d6")
    black.play("f4")
    white.resign()
    expect(black.headline).to_have_text("You won")
    run_admin(white, "void", path.removeprefix("/match/"), "--reason", "A test of strength", "--yes")
    expect(black.page.locator(".unrated")).to_contain_text("A moderator voided this match")
    black.open("/archive")
    row = black.page.get_by_role("row").filter(has=black.page.locator(f'a[href="{path}"]'))
    expect(row.locator(".result")).to_have_text("void")


def test_the_page_shows_nothing_to_others(visit: Visit) -> None:
    guest = visit(width=360)
    guest.open("/moderation")
    expect(guest.page.get_by_role("heading", name="Moderators only")).to_be_visible()
    expect(guest.page.locator(".moderation-tabs")).to_have_count(0)


@pytest.mark.slow
def test_a_form_stays_open_when_an_earlier_answer_arrives(visit: Visit) -> None:
    forms = (
        visit()
        .open()
        .page.evaluate(
            """async () => {
                const { ActionButtons } = await import("/static/modules/moderation/action_buttons.js");
                let answer;
                const ask = () => new Promise((resolve) => { answer = resolve; });
                const actions = new ActionButtons({ restrictions: { role: "moderator" }, ask }, () => {});
                document.body.append(actions.element);
                const opener = document.createElement("button");
                const command = { type: "moderate", action: "mute", reason: "" };
                const open = (action) => actions.open({ action }, command, opener);
                open("Remove message");
                actions.element.querySelector("input").value = "An insult";
                actions.element.querySelector("form").requestSubmit();
                open("Mute");
                answer({});
                await new Promise((resolve) => setTimeout(resolve));
                return [...actions.element.querySelectorAll("form")].map((form) => form.getAttribute("aria-label"));
            }"""
        )
    )
    assert forms == ["Mute"]


@pytest.mark.slow
def test_an_admin_announces_and_switches_a_feature_off_and_on(visit: Visit) -> None:
    guest, meg = visit().open(), moderator(visit, "Marge", "admin")
    meg.page.get_by_role("link", name="Site", exact=True).click()
    announcing = meg.page.get_by_role("form", name="Announce")
    announcing.get_by_label("Text, shown to everyone").fill("Maintenance at noon.")
    announcing.get_by_role("button", name="Announce").click()
    expect(guest.page.locator(".banner")).to_have_text("Maintenance at noon.")
    switching = meg.page.get_by_role("form", name="Switch off")
    switching.get_by_label("Feature").select_option("Chat")
    switching.get_by_label("Reason, shown to the player").fill("Too much noise.")
    switching.get_by_role("button", name="Switch off").click()
    lines = meg.page.locator(".site-controls li")
    expect(lines).to_contain_text(["Announced", "Switched off: Chat"])
    for width in (1280, 360):
        meg.page.set_viewport_size({"width": width, "height": 800})
        meg.expect_no_overflow()
    lines.filter(has_text="Announced").get_by_role("button", name="End").click()
    expect(lines).to_have_count(1)
    lines.get_by_role("button", name="End").click()
    expect(lines).to_have_text("Nothing is announced, blocked or switched off.")
    expect(guest.page.locator(".banner")).to_have_count(0)
