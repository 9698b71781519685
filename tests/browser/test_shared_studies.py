"""Studies with chapters in the page, and two people who edit one study at once."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.accessibility import expect_accessible
from tests.browser.accounts import member
from tests.browser.sites import on_two_nodes_too
from tests.browser.visitor import Visit, Visitor
from tests.serving import Site


def moves(visitor: Visitor) -> Locator:
    return visitor.page.locator(".line-list .move")


def comment(visitor: Visitor) -> Locator:
    return visitor.page.get_by_label("Comment", exact=True)


def chapters(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("navigation", name="Chapters").get_by_role("link")


def save_study(visitor: Visitor, address: str, title: str) -> str:
    """Save the lines of an analysis as a study, and return its address."""
    visitor.open(address)
    visitor.page.get_by_text("Study: save and share these lines").click()
    visitor.page.get_by_label("Title of the study").fill(title)
    visitor.button("Save as a study").click()
    link = visitor.page.get_by_label("Link to the study")
    expect(link).to_have_value(re.compile("/study/"))
    return link.input_value().removeprefix(visitor.server.url)


def begin(visit: Visit) -> tuple[Visitor, Visitor, str]:
    """Return two people with accounts who have one study open, and its address."""
    (ann, _), (ben, name) = member(visit), member(visit)
    address = save_study(ann, "/analysis/morris?moves=d6", "Together")
    ann.page.get_by_label("Name of a player").fill(name)
    ann.button("Add as an editor").click()
    expect(ann.page.get_by_role("list", name="Editors")).to_contain_text(name)
    ben.open("/studies")
    ben.page.get_by_role("link", name="Together").click()
    expect(ann.page.locator(".study-heading")).to_contain_text("2 people are here")
    expect(ann.page.locator(".study-heading")).to_contain_text(name)
    return ann, ben, address


@on_two_nodes_too
def test_two_people_edit_one_study_and_a_reader_sees_it_at_once(visit: Visit, server: Site) -> None:
    ann, ben, address = begin(visit)
    reader = visit().open(address)
    for visitor in (ann, ben, reader):
        expect(moves(visitor)).to_have_text(["d6"])
    ann.click("f4")
    ben.page.keyboard.press("End")
    comment(ben).fill("The usual answer.")
    for visitor in (ann, ben, reader):
        expect(visitor.page.locator(".line-list .move-comment")).to_have_text(["The usual answer."])
        expect(moves(visitor)).to_have_text(["d6", "f4"])
    reader.click("d2")
    expect(moves(reader)).to_have_text(["d6", "d2", "f4"])
    ann.click("b4")
    expect(moves(reader)).to_have_count(4)
    expect(moves(ben)).to_have_text(["d6", "f4", "b4"])


def test_words_of_two_people_in_one_comment_are_both_kept(visit: Visit, server: Site) -> None:
    ann, ben, _ = begin(visit)
    for visitor in (ann, ben):
        visitor.page.keyboard.press("Home")
    ben.expected_problem = "ERR_INTERNET_DISCONNECTED"
    ben.page.context.set_offline(True)
    comment(ben).fill("Bens words")
    comment(ann).fill("Anns words")
    ben.page.context.set_offline(False)
    for visitor in (ann, ben):
        expect(visitor.page.locator(".move-comment")).to_have_text(re.compile("Anns words.*Bens words|Bens.*Anns"))
        expect(comment(visitor)).to_have_value(re.compile("Anns words.*Bens words|Bens.*Anns"))


def test_a_study_has_chapters_with_links_of_their_own(visit: Visit, server: Site) -> None:
    ann, ben = visit(), visit()
    address = save_study(ann, "/analysis/morris?moves=d6", "Beginnings")
    ann.page.get_by_label("Name of the chapter").fill("The point")
    ann.button("Add a chapter").click()
    expect(chapters(ann)).to_have_text(["The point", "Chapter 2"])
    expect(ann.page).not_to_have_url(re.compile(address))
    ann.expect_board({"d6": 0})
    ann.click("f4")
    ann.page.get_by_label("Name of the chapter").fill("The answer")
    ann.button("Move up").click()
    expect(chapters(ann)).to_have_text(["The answer", "The point"])
    expect_accessible(ann)
    ben.open(address)
    expect(chapters(ben)).to_have_text(["The answer", "The point"])
    expect(moves(ben)).to_have_text(["d6"])
    chapters(ben).first.click()
    expect(chapters(ben).first).to_have_attribute("aria-current", "page")
    expect(moves(ben)).to_have_text(["f4"])
    ann.button("Delete the chapter").click()
    expect(ann.page).to_have_url(re.compile(address))
    ben.expect_told("This chapter has been deleted.")
    ben.open("/studies")
    expect(ben.page.locator(".studies-page")).to_contain_text("No studies yet.")


def test_lines_of_another_game_become_a_chapter(visit: Visit, server: Site) -> None:
    ann = visit()
    save_study(ann, "/analysis/morris", "Two games")
    ann.open("/analysis/mingmang")
    ann.page.get_by_text("Study: save and share these lines").click()
    ann.page.get_by_label("Where to save").select_option(label="Chapter of: Two games")
    ann.button("Save as a study").click()
    expect(chapters(ann)).to_have_count(2)
    ann.open("/studies")
    expect(ann.page.locator(".study-list li")).to_contain_text("2 chapters")


def test_the_link_of_a_study_is_in_sight(visit: Visit, server: Site) -> None:
    address = save_study(visit(), "/analysis/morris", "In sight")
    reader = visit(1280, 800).open(address)
    expect(reader.button("Copy the link")).to_be_in_viewport()


def test_an_editor_hears_of_the_study(visit: Visit) -> None:
    _, ben, address = begin(visit)
    ben.open()
    ben.page.locator(".bell > summary").click()
    ben.page.locator(".bell-entry", has_text="lets you edit a study: Together").click()
    ben.page.wait_for_url(f"**{address}**")
