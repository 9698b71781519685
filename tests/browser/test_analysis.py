"""Finished matches analysed in the page: mistakes shown, stepped to and learnt from, variations played and kept."""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.finished_matches import finish_match, review
from tests.browser.positions import ABOUT_TO_END
from tests.browser.visitor import OWN_BOTH, Visit, Visitor
from tests.serving import ServerProcess

PLIES = 12
SMALL_PASTURE = f"{'/'.join(['0,0,0,0,0'] * 4)} r 2"


def current_move(visitor: Visitor) -> Any:
    return visitor.page.locator(".line-list .move[aria-current]")


@pytest.mark.parametrize(("game", "setup"), [("morris", ""), ("mingmang", ""), ("battlesheep", SMALL_PASTURE)])
def test_the_mistakes_of_a_match_are_shown_and_a_variation_is_kept(
    visit: Visit, server: ServerProcess, game: str, setup: str
) -> None:
    server.wait_for_bots()
    visitor = visit()
    visitor.open(finish_match(visitor, game, PLIES, setup))
    visitor.page.get_by_role("link", name="Analyse", exact=True).click()
    expect(visitor.page.locator(".line-list .move")).to_have_count(PLIES)
    expect(current_move(visitor)).to_have_count(1)
    expect(visitor.page.locator(".engine-line")).not_to_have_count(0)

    review(visitor)
    graph = visitor.page.get_by_role("slider", name="Evaluation graph")
    expect(graph).to_have_attribute("aria-valuemax", str(PLIES))
    expect(visitor.page.locator(".review-mistakes li")).not_to_have_count(0)
    box = graph.bounding_box()
    assert box is not None
    graph.click(position={"x": box["width"] / 2, "y": 20})
    expect(graph).to_have_attribute("aria-valuenow", str(PLIES // 2))
    expect(visitor.page.locator(".line-list .move").nth(PLIES // 2 - 1)).to_have_attribute("aria-current", "step")
    graph.press("ArrowRight")
    expect(graph).to_have_attribute("aria-valuenow", str(PLIES // 2 + 1))
    visitor.button("Next mistake").click()
    expect(visitor.page.locator(".review-mistakes li.current")).to_have_count(1)

    better = visitor.page.locator(".review-mistakes .better").first
    better.click()
    variation = visitor.page.locator(".variation").first
    expect(variation.locator(".move[aria-current]")).to_have_count(1)
    moves = variation.inner_text()
    visitor.page.reload()
    expect(visitor.page.locator(".variation").first).to_have_text(moves, use_inner_text=True)
    expect(visitor.page.locator(".variation").first.locator(".move[aria-current]")).to_have_count(1)
    # What was judged once is told at once.
    review(visitor)
    expect(graph).to_have_attribute("aria-valuemax", str(PLIES))
    visitor.expect_no_overflow()


def test_lines_are_played_promoted_deleted_and_stepped_through(visit: Visit, server: ServerProcess) -> None:
    visitor = visit().open("/analysis/morris")
    for cell in ("d6", "f4"):
        visitor.click(cell)
        visitor.expect_man(cell, 0 if cell == "d6" else 1)
    moves = visitor.page.locator(".line-list .move")
    expect(moves).to_have_text(["d6", "f4"])
    visitor.page.keyboard.press("ArrowLeft")
    visitor.expect_empty("f4")
    visitor.click("b4")
    expect(visitor.page.locator(".variation .move")).to_have_text(["b4"])
    visitor.button("Promote").click()
    expect(visitor.page.locator(".variation .move")).to_have_text(["f4"])
    expect(visitor.button("Promote")).to_be_disabled()
    visitor.page.reload()
    expect(visitor.page.locator(".variation .move")).to_have_text(["f4"])
    visitor.expect_board({"d6": 0, "b4": 1})
    visitor.button("Delete").click()
    expect(moves).to_have_text(["d6", "f4"])
    visitor.expect_board({"d6": 0})
    visitor.page.keyboard.press("End")
    visitor.expect_board({"d6": 0, "f4": 1})
    visitor.page.keyboard.press("Home")
    visitor.expect_board({})


def test_a_link_leads_to_the_exact_position(visit: Visit, server: ServerProcess) -> None:
    visitor = visit().open("/analysis/morris?moves=d6+f4+d2")
    visitor.expect_board({"d6": 0, "f4": 1, "d2": 0})
    expect(visitor.page.locator(".analysis-status")).to_have_text("Black to move")
    broken = visit().open("/analysis/morris?moves=d6+d6")
    broken.expect_board({"d6": 0})
    strange = visit().open("/analysis/morris?position=nonsense")
    expect(strange.page.locator(".notice")).to_contain_text("This position cannot be analysed")


@pytest.mark.slow
def test_the_end_of_the_match_is_announced(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    visitor = visit(360, 740).open(f"/analysis/morris?position={ABOUT_TO_END.replace(' ', '+')}")
    for cell in ("g4", "g7", "b4"):
        visitor.click(cell)
    expect(visitor.page.locator(".analysis-status")).to_have_text("White wins: fewer than three men are left")
    visitor.page.get_by_role("button", name="One move back (Left arrow)").click()
    expect(visitor.page.locator(".engine-line .score-sign").first).to_have_text("#1")
    visitor.expect_no_overflow()


def test_better_moves_are_learnt_by_finding_them(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    visitor = visit()
    visitor.open(finish_match(visitor, "morris", PLIES).replace("/match/", "/analysis/match/"))
    review(visitor)
    visitor.page.get_by_role("button", name="Learn from").first.click()
    lesson = visitor.page.locator(".lesson")
    expect(lesson).to_contain_text("Find a better move for")
    expect(visitor.page.locator(".engine-panel")).to_be_hidden()
    visitor.button("Show the move").click()
    expect(lesson).to_contain_text("The engine would play")
    expect(visitor.page.locator(".variation .move[aria-current]")).to_have_count(1)
    visitor.page.locator(".lesson .button").first.click()
    answer = visitor.page.locator(".lesson")
    expect(answer).to_contain_text("Mistake 2 of")
    visitor.button("End the lesson").click()
    expect(lesson).to_have_count(0)
    expect(visitor.page.locator(".engine-panel")).to_be_visible()


def test_a_running_match_cannot_be_analysed(visit: Visit, server: ServerProcess) -> None:
    visitor = visit()
    path = visitor.create(seats=OWN_BOTH)
    visitor.open(path.replace("/match/", "/analysis/match/"))
    expect(visitor.page.locator(".notice")).to_contain_text("This match is still being played")


def test_a_game_is_chosen_and_a_position_set_up(visit: Visit, server: ServerProcess) -> None:
    visitor = visit().open("/analysis")
    expect(visitor.page.locator(".analysis-page .board")).to_be_visible()
    visitor.page.locator(".setup-box summary").click()
    visitor.page.get_by_label("Game").select_option("battlesheep")
    expect(visitor.page.locator(".analysis-status")).to_have_text("Red to move")
    expect(visitor.page.get_by_label("Position as text")).to_have_value(re.compile(" r 2$"))
    visitor.page.get_by_label("Position as text").fill(f"{'/'.join(['0,0,0,0,0'] * 5)} r 4")
    visitor.button("Set up").click()
    expect(visitor.page.locator(".seat-row")).to_have_count(4)
    visitor.click("a1")
    expect(visitor.page.locator(".analysis-status")).to_have_text("Blue to move")


def test_a_position_of_another_program_is_set_up(visit: Visit, server: ServerProcess) -> None:
    visitor = visit().open("/analysis")
    visitor.page.locator(".setup-box summary").click()
    text = visitor.page.get_by_label("Position as text")
    text.fill("********/**@****@/O******O w p p 2 7 2 7 0 0 0 0 0 0 0 0 3")
    visitor.button("Set up").click()
    expect(text).to_have_value("WW.B.........B.......... w 7 7")
    visitor.page.get_by_label("Game").select_option("battlesheep")
    expect(visitor.page.get_by_label("Position as text")).to_have_value(re.compile(" r 2$"))
    visitor.page.get_by_label("Position as text").fill("\n       0  -16\n 0  +16\n")
    visitor.button("Set up").click()
    expect(visitor.page.get_by_label("Position as text")).to_have_value(".,0,r16/0,b16,. r 2")


@pytest.mark.slow
def test_a_position_is_written_for_another_program(visit: Visit, server: ServerProcess) -> None:
    visitor = visit().open("/analysis")
    visitor.page.locator(".setup-box summary").click()
    text, notation = visitor.page.get_by_label("Position as text"), visitor.page.get_by_label("Notation")
    notation.select_option("Sanmill's FEN")
    expect(text).to_have_value("********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1")
    visitor.click("d6")
    expect(text).to_have_value(re.compile(r"^\*{8}/O\*{7}/\*{8} b p p 1 8 0 9 "))
    visitor.page.get_by_label("Game").select_option("mingmang")
    expect(notation).to_be_hidden()
    expect(text).to_have_value(re.compile(" b 0$"))


class Oracle:
    """The server's side of what it answers about solved endings and an engine that has had enough."""

    def __init__(self, tables: Sequence[str] = ("4-3", "3-4")) -> None:
        self.tables = list(tables)

    def serve(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(lambda frame: route.send(frame))

        def hear(frame: str | bytes) -> None:
            message = json.loads(frame)
            if message["type"] == "probe_tablebase":
                move = {"move": "g4-g7xb4", "result": 1, "plies": 0}
                others = [{"move": "g4-g1", "result": result, "plies": None} for result in (1, 0, -1)]
                solved = {"result": 1, "plies": 1, "moves": [move, *others]}
                told = {"type": "tablebase_probed", "id": message["id"], "tables": self.tables, "solved": solved}
                route.send(json.dumps(told))
            elif message["type"] in ("get_engine_line", "analyse"):
                words = "The engine has thought enough for you for now; there is more in 7 s."
                refused = {"type": "refused", "code": "analysis_spent", "message": words, "id": message["id"]}
                route.send(json.dumps({**refused, "match": None, "wording": []}))
            else:
                server.send(frame)

        route.on_message(hear)


@pytest.mark.slow
def test_many_tables_are_counted_instead_of_named(visit: Visit) -> None:
    visitor = visit()
    visitor.page.route_web_socket("**/socket", Oracle([f"{men}-{men}" for men in range(3, 10)] * 7).serve)
    visitor.open(f"/analysis/morris?position={ABOUT_TO_END.replace(' ', '+')}")
    expect(visitor.page.locator(".tablebase-panel")).to_contain_text("49 tablebases on this server, from 3-3 to 9-9")


def test_solved_endings_and_refusals_are_shown(visit: Visit, server: ServerProcess) -> None:
    visitor = visit()
    visitor.page.route_web_socket("**/socket", Oracle().serve)
    visitor.open(f"/analysis/morris?position={ABOUT_TO_END.replace(' ', '+')}")
    panel = visitor.page.locator(".tablebase-panel")
    expect(panel).to_contain_text("Solved: White wins in 1 ply.")
    expect(panel.locator("li .note")).to_have_text(["wins in 1 ply", "wins", "draws", "loses"])
    expect(panel).to_contain_text("Where no number of plies is given, only the result is known")
    expect(panel).to_contain_text("4-3, 3-4")
    expect(visitor.page.locator(".engine-note")).to_contain_text("there is more in 7 s")
    panel.locator(".move").first.click()
    expect(visitor.page.locator(".line-list .move")).to_have_text(["g4-g7xb4"])
