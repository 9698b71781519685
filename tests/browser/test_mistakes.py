"""An account's mistakes in a reviewed match come back in the page, until the better move is found."""

from playwright.sync_api import expect

from millrace.engine.games import find_game
from millrace.engine.state import State
from tests.browser.accessibility import expect_accessible
from tests.browser.accounts import member
from tests.browser.finished_matches import finish_match
from tests.browser.visitor import Visit
from tests.serving import ServerProcess

LOST_BY_WHITE = ("a1", "d6", "g1", "f6", "d7", "b6xa1", "a7", "f4", "d1", "f2xg1")
"""Black closes two mills while White looks on."""
MORRIS = find_game("morris")


def test_mistakes_come_back_until_they_are_solved(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    ann, _ = member(visit, 360)
    match = finish_match(ann, "morris", LOST_BY_WHITE).removeprefix("/match/")
    with ann.beside_the_page() as socket:
        socket.say("analyse_match", id="review", match=match)
        while (told := socket.hear())["type"] != "match_analysed":
            pass
    mistakes = [
        (ply, each)
        for ply, each in enumerate(told["plies"])
        if each["seat"] == 0 and each["judgement"] in ("mistake", "blunder")
    ]
    assert mistakes
    ann.open("/puzzles/morris")
    ann.page.get_by_role("link", name=f"Your mistakes ({len(mistakes)})").click()
    task, answer = ann.page.locator(".puzzle-task"), ann.page.locator(".step-answer")
    ply, first = mistakes[0]
    expect(task).to_contain_text(f"You played {first['move']} ({first['judgement']}).")
    state = State.from_moves(MORRIS, "", LOST_BY_WHITE[:ply])
    best = first["best"]["moves"][0]
    other = next(move for move in state.legal_move_texts if move not in (best, first["move"]) and "x" not in move)
    ann.click(other)
    expect(answer).to_contain_text(f"The analysis has not compared {other}.")
    ann.button("Try again").click()
    for cell in best.split("x"):
        ann.click(cell)
    expect(answer).to_have_text(f"{best} is correct!")
    ann.expect_no_overflow()
    expect_accessible(ann)

    left = mistakes[1:]
    if left:  # how many there are depends on how deep the review has searched
        ann.button("Next mistake").click()
        expect(task).to_contain_text(f"You played {left[0][1]['move']}")
        ann.button("Show the move").click()
        expect(answer).to_have_text(f"The engine would play {left[0][1]['best']['moves'][0]}.")
    ann.open("/puzzles/morris")
    expect(ann.page.get_by_role("link", name=f"Your mistakes ({max(0, len(left) - 1)})")).to_be_visible()


def test_a_guest_sees_nothing_of_mistakes(visit: Visit) -> None:
    guest = visit().open("/puzzles/morris")
    expect(guest.page.get_by_role("link", name="Coordinates")).to_be_visible()
    expect(guest.page.get_by_role("link", name="Your mistakes")).to_have_count(0)
