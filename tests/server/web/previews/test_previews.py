"""Link previews over GET: what is said about each page, its picture, and the code of an invitation."""

import asyncio
import io
import re
from html import unescape

import numpy as np
import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from PIL.GifImagePlugin import GifImageFile
from resvg_py import svg_to_bytes

from millrace.server.bots.background_process import BackgroundProcess
from millrace.server.web.previews.page_texts import PageText, tags_of
from millrace.server.web.previews.renderer import Renderer, RendererBusyError
from tests.server.callers.users import LimitsOnClock
from tests.server.in_process_server import Served
from tests.server.players.accounts.registered_players import register_all
from tests.server.web.get_requests import get
from tests.server.web.previews.pictures import pixels_of
from tests.server.web.two_players import begin, create

CLOCK = {"initial_ms": 300_000, "increment_ms": 2_000}


async def tags(served: Served, path: str) -> dict[str, str]:
    """Return the tags of a page's head for previews."""
    status, _, body = await get(served, path)
    assert status == 200
    found = re.findall(r'<meta (?:property="og:|name="twitter:)([^"]+)" content="([^"]*)">', body.decode())
    return {name: unescape(content) for name, content in found}


async def picture_of(served: Served, path: str) -> tuple[bytes, dict[str, str]]:
    """Return the picture that a page names, from the address that it names."""
    address = (await tags(served, path))["image"]
    status, headers, body = await get(served, address.removeprefix(f"http://localhost:{served.port}"))
    assert (status, headers["Content-Type"]) == (200, "image/png")
    return body, dict(headers)


async def test_a_match_preview_shows_its_players_and_position(served: Served) -> None:
    ann, _, match = await begin(served)
    before, headers = await picture_of(served, f"/match/{match}")
    assert headers["Cache-Control"] == "public, max-age=86400"
    await ann.ask("play", match=match, seat=0, move="d6")
    shown = await tags(served, f"/match/{match}")
    assert ann.player["name"] in shown["title"]
    assert shown["title"].endswith("Nine Men's Morris")
    assert shown["description"].startswith("Being played, 1 move.")
    assert (shown["card"], shown["image:width"], shown["image:height"]) == ("summary_large_image", "1200", "630")
    after, _ = await picture_of(served, f"/match/{match}")
    assert before != after
    status, _, live = await get(served, f"/picture/match/{match}.png")
    assert (status, live) == (200, after)


async def test_a_finished_match_is_an_animation_with_a_frame_for_each_position(served: Served) -> None:
    ann, _, match = await begin(served)
    await ann.ask("play", match=match, seat=0, move="d6")
    assert (await get(served, f"/picture/match/{match}.gif"))[0] == 404
    await ann.ask("resign", match=match, seat=0)
    status, headers, body = await get(served, f"/picture/match/{match}.gif")
    assert (status, headers["Content-Type"]) == (200, "image/gif")
    with Image.open(io.BytesIO(body)) as animation:
        assert isinstance(animation, GifImageFile)
        assert (animation.n_frames, animation.height, animation.info["loop"]) == (2, 315, 0)
        assert animation.width < 500
        start = pixels_of(body)
        animation.seek(1)
        assert (np.asarray(animation.convert("L")) != start).any()


async def test_an_invitation_names_the_player_and_the_game(served: Served) -> None:
    (ann,) = await register_all(served, "Annabel")
    match = await create(ann, clock=CLOCK)
    shown = await tags(served, f"/match/{match}")
    assert shown["title"] == "Annabel invites you to a match of Nine Men's Morris"
    assert shown["description"].startswith("5 min + 2 s, casual. Open the link to play")
    await picture_of(served, f"/match/{match}")


async def test_puzzles_analyses_lessons_and_players_have_previews(served: Served) -> None:
    (ann,) = await register_all(served, "Annabel")
    posed = await ann.ask("get_puzzle", game="mingmang", mode="rated", theme="", puzzle="")
    shown = await tags(served, f"/puzzles/mingmang/{posed['puzzle']}")
    assert shown["title"].startswith("Puzzle")
    assert shown["description"].endswith(posed["task"])
    puzzle, _ = await picture_of(served, f"/puzzles/mingmang/{posed['puzzle']}")
    analysis, _ = await picture_of(served, "/analysis/morris?moves=d6+f4")
    lesson, _ = await picture_of(served, "/learn/morris")
    assert len({puzzle, analysis, lesson}) == 3
    assert (await tags(served, "/player/Annabel"))["title"] == "Annabel on Millrace"
    assert (await tags(served, "/challenge/Annabel"))["title"] == "Challenge Annabel to a match"
    assert (await tags(served, "/player/Annabel"))["card"] == "summary"
    assert (await tags(served, "/race/any"))["title"] == "Race"


async def test_a_study_preview_shows_its_title_and_position(served: Served) -> None:
    (ann,) = await register_all(served, "Annabel")
    saving = {"upload": "u", "part": 0, "parts": 1, "text": "1. d6 f4", "game": "morris", "title": "A <quiet> start"}
    study = (await ann.ask("save_study", **saving))["study"]
    assert (await tags(served, f"/study/{study}"))["title"] == "A <quiet> start"
    await picture_of(served, f"/study/{study}")


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/study/none", "/match/none", "/puzzles/morris/none"),
        *("/puzzles/chess/x", "/analysis/chess", "/learn/chess"),
        *("/player/Nobody", "/match/%22%3E%3Cscript%3E", "/analysis/morris?position=nonsense&moves=%22%3E"),
    ],
)
async def test_an_unknown_page_has_the_sites_preview(served: Served, path: str) -> None:
    shown = await tags(served, path)
    assert shown["title"] == "Millrace"
    assert (await get(served, shown["image"].removeprefix(f"http://localhost:{served.port}")))[0] == 200


async def test_drawings_are_served_too_and_sizes_are_fixed(served: Served) -> None:
    status, headers, body = await get(served, "/picture/analysis/battlesheep.svg?width=100000&height=100000")
    assert (status, headers["Content-Type"]) == (200, "image/svg+xml")
    assert b'viewBox="0 0 1200 630" width="1200" height="630"' in body
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    again = await get(served, "/picture/analysis/battlesheep.svg", f"If-None-Match: {headers['ETag']}")
    assert again[0] == 304


@pytest.mark.parametrize(
    "path",
    [
        *("/picture/match/none.png", "/picture/puzzles/morris/none.svg", "/picture/analysis/chess.png"),
        *("/picture/analysis/morris.svg?position=nonsense", "/picture/analysis/morris.gif", "/picture/match/x.png/y"),
    ],
)
async def test_pictures_of_missing_things_are_not_found(served: Served, path: str) -> None:
    assert (await get(served, path))[0] == 404


async def test_too_long_texts_are_refused(served: Served) -> None:
    assert (await get(served, f"/picture/analysis/morris.svg?position={'w' * 3000}"))[0] == 400


async def test_the_qr_code_of_an_invitation_leads_to_it(served: Served) -> None:
    match = await create(await served.visitor())
    status, headers, body = await get(served, f"/match/{match}/qr.svg")
    assert (status, headers["Content-Type"]) == (200, "image/svg+xml")
    (code,) = zxingcpp.read_barcodes(pixels_of(svg_to_bytes(svg_string=body.decode(), background="#221f1c")))
    assert code.text == f"http://localhost:{served.port}/match/{match}"


async def test_a_picture_is_rendered_once_and_the_queue_is_bounded() -> None:
    drawings = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="1"/>' for size in (1, 2, 3, 4)]
    home, background = "192.0.2.1", BackgroundProcess()
    running = Renderer(LimitsOnClock(settings={"pictures.address": 2}).limits, background)
    same = [asyncio.ensure_future(running.png(drawings[0], home)) for _ in range(5)]
    other = asyncio.ensure_future(running.png(drawings[1], home))
    await asyncio.sleep(0)
    with pytest.raises(RendererBusyError):
        await running.png(drawings[2], home)
    elsewhere = asyncio.ensure_future(running.png(drawings[3], "192.0.2.2"))
    pictures = await asyncio.gather(*same, other)
    assert len({id(picture) for picture in pictures}) == 2
    for png in (running.png(drawings[2], home), elsewhere):
        assert (await png).startswith(b"\x89PNG")
    await running.close()
    await background.close()


@given(st.text(max_size=40), st.text(max_size=40))
def test_texts_are_escaped_in_tags(title: str, description: str) -> None:
    tags = tags_of(PageText(title, description, "/picture/x.png?a=1&b=2"), "https://play.example.org", "/icon.png")
    found = dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', tags))
    assert tags.count("<") == tags.count(">") == len(found)
    assert unescape(found["og:title"]) == unescape(title) or "&" in title
    assert unescape(found["og:image"]) == "https://play.example.org/picture/x.png?a=1&b=2"
    assert found["twitter:card"] == "summary_large_image"
