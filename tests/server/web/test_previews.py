"""Descriptions of positions: of a match, and of one that does not exist yet."""

import pytest

from millrace.protocol import Code
from tests.server.in_process_server import Served
from tests.server.web.two_players import ME, begin


async def test_a_position_of_a_match_is_described_as_text(served: Served) -> None:
    _, ben, match = await begin(served, "d6")
    described = await ben.ask("describe", match=match, ply=1)
    assert described["position"] == "....W................... b 8 9"
    assert (await ben.ask("describe", match=match, ply=2))["code"] == "unknown_ply"


async def test_a_preview_shows_the_start_of_a_match_without_creating_one(served: Served) -> None:
    ann = await served.visitor()
    setup = f"{'.' * 22}WB b 3 4"
    previewed = await ann.ask("preview", game="morris", setup=setup)
    assert (previewed["seats"], previewed["to_move"], previewed["position"]) == (2, 1, setup)
    assert sorted(previewed["view"]["changes"]) == [["d1", 0, 1], ["g1", 1, 1]]
    assert len(previewed["board"]["cells"]) == 24


async def test_a_preview_of_a_finished_position_has_no_seat_to_move(served: Served) -> None:
    ann = await served.visitor()
    over = f"{'W' * 2}{'.' * 22} w 0 0"
    previewed = await ann.ask("preview", game="morris", setup=over)
    assert previewed["to_move"] is None
    refused = await ann.ask("create", game="morris", setup=over, seats=(ME, ME))
    assert (refused["code"], refused["message"]) == (Code.BAD_SETUP, "Play is over in that position.")


@pytest.mark.parametrize(("game", "code"), [("chess", Code.UNKNOWN_GAME), ("morris", Code.BAD_SETUP)])
async def test_an_impossible_preview_is_refused_with_the_reason(served: Served, game: str, code: Code) -> None:
    ann = await served.visitor()
    refused = await ann.ask("preview", id="p", game=game, setup="nonsense")
    assert (refused["code"], refused["id"]) == (code, "p")


async def test_every_start_that_a_game_offers_can_be_previewed(served: Served) -> None:
    ann = await served.visitor()
    for game in ann.welcome["games"]:
        for start in game["starts"]:
            setup = start["setup"].replace("{seed}", "12345")
            previewed = await ann.ask("preview", game=game["name"], setup=setup)
            assert previewed["seats"] == start["seats"]
