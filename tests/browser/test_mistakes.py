"""An account's mistakes in a reviewed match come back in the page, until the better move is found."""

from tests.browser.accounts import member
from tests.browser.visitor import OWN_BOTH, Visit
from tests.serving import ServerProcess

BLUNDERS = ("d6", "f4", "d7", "a1", "d5xa1", "g1")
"""White closes a mill unhindered."""


def test_a_mistake_comes_back_until_it_is_solved(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    ann = member(visit, "Mistaken", width=360, height=740)
    with ann.beside_the_page() as socket:
        match = socket.ask("create", game="morris", seats=OWN_BOTH)["match"]
        for ply, move in enumerate(BLUNDERS):
            socket.ask("play", match=match, seat=ply % 2, move=move)
        socket.ask("resign", match=match, seat=0)
