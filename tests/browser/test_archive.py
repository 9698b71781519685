"""The archive in the page: a match is found and opened, downloaded, brought in again and replayed, and embedded."""

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import member
from tests.browser.positions import FOUR_MEN_PLACED
from tests.browser.visitor import Visit, Visitor


def play_a_match(ann: Visitor, ben: Visitor) -> str:
    """Play some moves, after which White gives up, and return the match's path."""
    path = ann.create(listed=True)
    ann.open(path)
    ben.join(path)
    for number, move in enumerate(FOUR_MEN_PLACED):
        (ann, ben)[number % 2].play(move)
    ann.resign()
    expect(ben.headline).to_have_text("You won")
    return path


def test_a_match_is_found_opened_at_a_move_downloaded_and_imported_again(visit: Visit) -> None:
    (ann, first), (ben, second) = member(visit), member(visit)
    path = play_a_match(ann, ben)

    reader = visit(width=360, height=740).open("/archive")
    reader.page.get_by_label("Player", exact=True).fill(first)
    reader.page.get_by_label("Opponent", exact=True).fill(second)
    reader.button("Search").click()
    expect(reader.page).to_have_url(re.compile(f"player={first}&opponent={second}"))
    expect(reader.page.locator(".crosstable-score")).to_contain_text("0 \N{EN DASH} 1")
    row = reader.page.locator(".archive-table tbody tr")
    expect(row).to_contain_text("Resignation, 2 moves", ignore_case=True)
    reader.expect_no_overflow()
    row.get_by_role("link", name="Nine Men's Morris").click()
    expect(reader.page).to_have_url(re.compile(re.escape(path)))
    expect(reader.moves).to_have_count(len(FOUR_MEN_PLACED))

    reader.page.keyboard.press("ArrowLeft")
    expect(reader.page).to_have_url(re.compile("#3$"))
    reader.expect_board({"a7": 0, "g1": 1, "d7": 0})
    later = visit().open(f"{path}#1")
    later.expect_board({"a7": 0})

    reader.page.get_by_text("Share · download · embed").click()
    with reader.page.expect_download() as download:
        reader.page.get_by_role("link", name="Download as text").click()
    file = download.value.path()
    with reader.page.expect_download() as download:
        reader.button("Download as an animation").click()
    assert download.value.suggested_filename.endswith(".gif")
    assert download.value.path().read_bytes().startswith(b"GIF89a")

    importer = visit().open("/archive")
    importer.page.get_by_text("Import matches").click()
    importer.page.get_by_label("File with matches").set_input_files(file)
    expect(importer.page.get_by_label("Matches as text")).to_have_value(re.compile(f'White "{first}"'))
    importer.button("Import").click()
    importer.page.locator(".import-list a").click()
    expect(importer.moves).to_have_count(len(FOUR_MEN_PLACED))
    expect(importer.page.locator(".about")).to_contain_text("imported")
    importer.page.keyboard.press("Home")
    importer.expect_board({})
    later.open(importer.path)
    later.page.locator(".report-box summary").click()
    later.button("Send report").click()
    later.expect_told("Report sent.")


def test_a_faulty_text_is_refused_with_the_place_of_the_fault(visit: Visit) -> None:
    ann = visit().open("/archive")
    ann.page.get_by_text("Import matches").click()
    ann.page.get_by_label("Matches as text").fill("1. d6 f4\n2. d6")
    ann.page.get_by_label("Game, if the text does not name it").select_option("morris")
    ann.button("Import").click()
    expect(ann.page.locator(".import-error")).to_contain_text("Line 2, move 2: d6 is not allowed here.")


@pytest.mark.slow
def test_a_file_in_an_old_encoding_is_read_and_errors_name_the_file(visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "old.pgn"
    file.write_bytes('[White "Jörg"]\n\n1. 5 14\n2. 5'.encode("latin-1"))
    ann = visit().open("/archive")
    ann.page.get_by_text("Import matches").click()
    ann.page.get_by_label("File with matches").set_input_files(file)
    expect(ann.page.get_by_label("Matches as text")).to_have_value(re.compile('White "Jörg"'))
    ann.page.get_by_label("Game, if the text does not name it").select_option("morris")
    ann.button("Import").click()
    expect(ann.page.locator(".import-error")).to_contain_text("old.pgn: Line 4, move 2, '5': d6 is not allowed here.")
    file = tmp_path / "older.pgn"
    file.write_bytes('[Game "morris"]\n[White "Иванов"]\n\n1. d6 f4 (1... -- 2. a1) *'.encode("koi8-r"))
    ann.page.get_by_label("File with matches").set_input_files(file)
    ann.page.get_by_label("Encoding of the file").select_option("koi8-r")
    expect(ann.page.get_by_label("Matches as text")).to_have_value(re.compile('White "Иванов"'))
    ann.button("Import").click()
    expect(ann.page.locator(".import-list")).to_contain_text("A variation with a null move became a comment.")


@pytest.fixture
def other_site() -> Iterator[tuple[str, list[str]]]:
    """A site of another origin, and the one line of HTML that its page has."""
    shown: list[str] = [""]

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>Elsewhere</title><link rel=icon href=data:,>{shown[0]}".encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # as the base class has it
            """Say nothing."""

    site = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{site.server_port}/", shown
    site.shutdown()
    site.server_close()


@pytest.mark.slow
def test_a_board_is_embedded_in_a_page_of_another_site(visit: Visit, other_site: tuple[str, list[str]]) -> None:
    url, shown = other_site
    ann, ben = visit(), visit()
    path = play_a_match(ann, ben)
    ann.page.get_by_text("Share · download · embed").click()
    html = ann.page.get_by_label("HTML code")
    expect(html).to_have_value(re.compile(f"/embed/{path.rpartition('/')[2]}"))
    shown[0] = html.input_value()
    reader = visit()
    reader.page.goto(url)
    board = reader.page.frame_locator("iframe")
    expect(board.locator('[data-cell="g4"]')).to_have_attribute("data-seat", "1")
    expect(board.locator(".embed-text")).to_contain_text(f"4/4 · {ann.name_of(1)} won")
    board.get_by_role("button", name="First position").click()
    expect(board.locator('[data-cell]:not([data-seat=""])')).to_have_count(0)
    board.get_by_role("button", name="One move forward").click()
    expect(board.locator(".embed-text")).to_contain_text(f"{ann.name_of(0)} played a7")
