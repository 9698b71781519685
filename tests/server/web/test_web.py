"""Answers to GET, and what they are made of."""

import gzip
import json
import re
import shutil
import socket
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from millrace.engine.games import GAMES
from millrace.engine.levels.opponents import LEVEL_NAMES, find_opponent
from millrace.server.runtime import metrics
from millrace.server.web.close_codes import CLOSE_RESTART
from millrace.server.web.game_list import GAME_INFOS
from millrace.server.web.icons import ICONS, WEB, Icon, draw
from millrace.server.web.translation_format import LANGUAGES
from tests.project.composed_processes import free_port
from tests.server.in_process_server import Served
from tests.server.metric_values import value_of
from tests.server.starting import start_server
from tests.server.web.get_requests import get
from tests.server.web.two_players import begin_unwatched


async def test_the_page_is_served_at_the_root_and_at_every_match(served: Served) -> None:
    _, headers, body = await get(served, "/")
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert body == (await get(served, "/match/m1?ply=3"))[2]


async def test_the_icon_is_at_its_standard_address(served: Served) -> None:
    status, headers, body = await get(served, "/favicon.ico")
    assert (status, headers["Content-Type"], headers["Cache-Control"]) == (200, "image/svg+xml", "no-cache")
    assert body == (await get(served, "/static/any/icon.svg"))[2]


@pytest.mark.parametrize(
    ("path", "kind", "content"),
    [
        ("/", "text/html; charset=utf-8", b"<html"),
        ("/protocol.html", "text/html; charset=utf-8", b"WatchYourMatches"),
        ("/protocol.schema.json", "application/json", b"WatchYourMatches"),
        ("/asyncapi.json", "application/json", b"WatchYourMatches"),
    ],
)
async def test_a_document_at_a_fixed_address_is_sent_again_only_when_it_has_changed(
    served: Served, path: str, kind: str, content: bytes
) -> None:
    status, headers, body = await get(served, path)
    assert (status, headers["Content-Type"], headers["Cache-Control"]) == (200, kind, "no-cache")
    assert content in body
    status, _, body = await get(served, path, f"If-None-Match: {headers['ETag']}")
    assert (status, body) == (304, b"")


async def test_a_script_of_another_release_is_served_but_not_cached_and_no_bundle_or_worker_as_it_may_not_match(
    served: Served,
) -> None:
    status, headers, body = await get(served, "/static/0123456789ab/main.js")
    assert (status, headers["Cache-Control"]) == (200, "no-cache")
    assert (headers["Content-Type"], body != b"") == ("text/javascript; charset=utf-8", True)
    for bound in ("match/match_page.bundle.js", "engine/engine_worker.js"):
        assert (await get(served, f"/static/0123456789ab/{bound}"))[0] == 404


async def test_the_style_sheet_of_the_protocols_reference_is_served(served: Served) -> None:
    _, _, body = await get(served, "/protocol.html")
    (sheet,) = re.findall(r'<link rel="stylesheet" href="(.+?)">', body.decode())
    assert (await get(served, sheet))[0] == 200


@pytest.mark.parametrize("path", ["/", "/embed/m1"])
async def test_a_document_names_few_sheets_and_one_script_which_may_be_cached(served: Served, path: str) -> None:
    _, headers, body = await get(served, path)
    assert headers["Cache-Control"] == "no-cache"
    named = re.findall(r'(?:href|src)="(/static/[^"]+)"', body.decode())
    sheets, scripts = ({name for name in named if name.endswith(kind)} for kind in (".css", ".js"))
    own = [name for name in scripts if not name.endswith("/old_browser.js")]
    assert (len(sheets), len(own)) == (2 if path == "/" else 1, 1)
    for name in dict.fromkeys(named):
        status, headers, _ = await get(served, name)
        assert (status, headers["Cache-Control"]) == (200, "public, max-age=31536000, immutable")


async def test_the_manifest_names_existing_icons(served: Served) -> None:
    status, headers, body = await get(served, "/manifest.webmanifest")
    assert (status, headers["Content-Type"]) == (200, "application/manifest+json")
    manifest = json.loads(body)
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    for icon in manifest["icons"]:
        status, headers, content = await get(served, icon["src"])
        assert (status, headers["Cache-Control"]) == (200, "public, max-age=31536000, immutable")
        if icon["type"] == "image/png":
            pixels = int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
            assert icon["sizes"] == f"{pixels[0]}x{pixels[1]}"
    purposes = {(icon["sizes"], icon.get("purpose")) for icon in manifest["icons"]}
    assert purposes >= {(sizes, purpose) for sizes in ("192x192", "512x512") for purpose in (None, "maskable")}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_service_worker_stores_the_pages_files_of_one_release(served: Served, language: str) -> None:
    accepting = f"Accept-Language: {language}"
    status, headers, body = await get(served, "/service-worker.js", accepting)
    assert (status, headers["Cache-Control"]) == (200, "no-cache")
    assert headers["Content-Type"] == "text/javascript; charset=utf-8"
    kept = json.loads(body.decode().partition("self.served = ")[2].partition(";\n")[0])
    page = (await get(served, "/", accepting))[2].decode()
    for path in (kept["shell"], kept["icon"], kept["badge"], *kept["files"]):
        assert path.startswith(f"/static/{kept['release']}/")
        assert (await get(served, path))[0] == 200
    shell = (await get(served, kept["shell"]))[2].decode()
    assert shell == re.sub(r'<meta (?:property="og:|name="twitter:)[^>]*>\s*', "", page)
    assert f'<html lang="{language}">' in shell
    named = set(re.findall(r'"(/static/[^"]+\.(?:js|css|json))"', page))
    assert {name for name in named if not name.endswith("/old_browser.js")} <= set(kept["files"])
    assert (await get(served, kept["shell"].replace(kept["release"], "0123456789ab")))[0] == 404


async def test_compressible_files_are_sent_compressed_if_accepted(served: Served) -> None:
    _, _, plain = await get(served, "/")
    _, headers, packed = await get(served, "/", "Accept-Encoding: gzip, br")
    assert headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in headers["Vary"]
    assert len(packed) < len(plain)
    assert gzip.decompress(packed) == plain


async def test_missing_files_are_not_found(served: Served) -> None:
    for path in ("/nothing", "/static/../app.py", "/static/", "/main.js", "/static/main.js", "/static/x/../main.js"):
        assert (await get(served, path))[0] == 404
    assert (await get(served, "/static/x/index.html"))[0] == 404


async def test_a_browser_at_an_unknown_address_gets_the_site(served: Served) -> None:
    status, headers, body = await get(served, "/nothing", "Accept: text/html,*/*;q=0.8")
    assert (status, headers["Content-Type"].partition(";")[0]) == (404, "text/html")
    assert body == (await get(served, "/"))[2]
    assert (await get(served, "/static/nothing", "Accept: text/html"))[2] == b"Page not found.\n"


async def test_health_and_metrics_answer_and_the_socket_explains_itself(served: Served) -> None:
    status, _, body = await get(served, "/health")
    health = json.loads(body)
    assert (status, health["status"], health["bots"]) == (200, "ok", "ready")
    assert set(health["games"]) <= set(GAMES)
    assert (await get(served, "/health/live"))[::2] == (200, b'{"status":"alive"}')
    assert b"millrace_connections" in (await get(served, "/metrics"))[2]
    status, _, body = await get(served, "/socket")
    assert (status, body != b"") == (426, True)


async def test_answers_are_counted_by_status_code(served: Served) -> None:
    counted = value_of(metrics.HTTP_RESPONSES.labels(404))
    await get(served, "/nothing")
    await get(served, "/health")
    assert value_of(metrics.HTTP_RESPONSES.labels(404)) == counted + 1


async def test_every_kind_of_stored_event_is_counted(served: Served) -> None:
    async def counted() -> dict[str, float]:
        found = re.findall(r'millrace_events_total{kind="(\w+)"} (\S+)', (await get(served, "/metrics"))[2].decode())
        return {kind: float(count) for kind, count in found}

    before = await counted()
    await begin_unwatched(await served.visitor(), await served.visitor())
    after = await counted()
    assert {kind: after[kind] - before[kind] for kind in ("Created", "Seated", "Started", "Moved")} == {
        "Created": 1,
        "Seated": 2,
        "Started": 1,
        "Moved": 0,
    }


@pytest.mark.parametrize(
    ("path", "headers", "reason"),
    [
        ("/", ("Cookie: a=1", "Cookie: b=2"), "The header Cookie came 2 times."),
        ("/socket", ("Origin: http://a", "Origin: http://b"), "The header Origin came 2 times."),
        ("/socket", ("Origin: http://[::1",), "The header Origin is not an address."),
        ("/sign-out", ("Referer: http://[::1",), "The header Referer is not an address."),
        ("//[", (), "The path is not an address."),
    ],
)
async def test_an_invalid_request_is_refused_with_the_reason(
    served: Served, path: str, headers: tuple[str, ...], reason: str
) -> None:
    status, _, body = await get(served, path, *headers)
    assert (status, body.decode().strip()) == (400, reason)


async def test_list_headers_may_have_several_lines(served: Served) -> None:
    forwarded = ("X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 192.0.2.2")
    status, headers, _ = await get(served, "/", "Accept-Encoding: br", "Accept-Encoding: gzip", *forwarded)
    assert (status, headers["Content-Encoding"]) == (200, "gzip")


def test_named_levels_match_the_chosen_levels() -> None:
    for game in GAME_INFOS:
        assert list(game.level_names) == list(LEVEL_NAMES)
        for name, level in game.level_names.items():
            assert find_opponent(name, GAMES[game.name]).level == level


@pytest.mark.parametrize("icon", ICONS, ids=lambda icon: icon.file)
def test_an_icon_matches_its_drawing(icon: Icon) -> None:
    assert (WEB / icon.file).read_bytes() == draw(icon), "run `python -m millrace.server.web.icons`"


async def test_a_node_that_hands_over_is_alive_on_its_own_port(tmp_path: Path, migrated_file: Path) -> None:
    own_port = free_port()
    url = f"sqlite:///{shutil.copyfile(migrated_file, tmp_path / 'test.sqlite3')}"
    started = await start_server(url, node_port=own_port)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(started.close)
        own = Served(own_port, started.bots, stack)
        await own.visitor()
        await started.web_server.hand_over()
        status, _, body = await get(own, "/health/live")
        assert (status, json.loads(body)["status"]) == (200, "alive")
        assert (await get(own, "/health"))[0] == 200
        with pytest.raises(InvalidStatus, match="503"):
            await own.visitor()
        await started.web_server.listen()
        await own.visitor()


async def test_a_node_that_hands_over_closes_connections_and_refuses_others_until_it_listens(
    tmp_path: Path, migrated_file: Path
) -> None:
    started = await start_server(f"sqlite:///{shutil.copyfile(migrated_file, tmp_path / 'test.sqlite3')}")
    async with AsyncExitStack() as stack:
        stack.push_async_callback(started.close)
        served = Served(started.port, started.bots, stack)
        visitor = await served.visitor()
        await started.web_server.hand_over()
        with pytest.raises(ConnectionClosed) as closed:
            await visitor.hear_until("nothing")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == CLOSE_RESTART
        with pytest.raises(ConnectionRefusedError):
            await get(served, "/health")
        with socket.create_server(("127.0.0.1", started.port)), pytest.raises(OSError, match="in use"):
            await started.web_server.listen()
        await started.web_server.listen()
        assert (await get(served, "/health"))[0] == 200
