"""The JavaScript package: what it offers, where, and that its types are complete."""

import gzip
import io
import json
import re
import tarfile
from typing import get_args

import pytest

from millrace.protocol import ClientMessage, ServerMessage
from millrace.server.web.javascript_package import ARCHIVE, MODULE, TYPES, package_files
from millrace.server.web.pages import client_content
from tests.server.in_process_server import Served
from tests.server.web.get_requests import get


@pytest.fixture(scope="module")
def package() -> dict[str, bytes]:
    return package_files(client_content())


def test_the_module_exports_what_its_types_declare_and_imports_nothing(package: dict[str, bytes]) -> None:
    declared = re.findall(r"^export (?:class|const|function) (\w+)", package[TYPES].decode(), re.MULTILINE)
    module = package[MODULE].decode()
    (exported,) = re.findall(r"^export const \{ (.*) \}", module, re.MULTILINE)
    assert exported.split(", ") == declared
    assert {"BotHost", "RefusedError", "connect"} <= {*declared}
    assert re.findall(r"^import", module, re.MULTILINE) == []


def test_the_types_declare_every_message_once(package: dict[str, bytes]) -> None:
    declared = re.findall(r"^export (?:class|interface|type) (\w+)", package[TYPES].decode(), re.MULTILINE)
    assert len(declared) == len({*declared})
    assert {each.__name__ for each in (*get_args(ClientMessage), *get_args(ServerMessage))} <= {*declared}
    assert "import" not in re.findall(r"^\w+", package[TYPES].decode(), re.MULTILINE)


def test_the_archive_is_a_package_for_npm_and_the_same_each_time(package: dict[str, bytes]) -> None:
    with tarfile.open(fileobj=io.BytesIO(package[ARCHIVE])) as archive:
        files = {each.name: archive.extractfile(each) for each in archive}
        held = {name: file.read() for name, file in files.items() if file is not None}
    manifest = json.loads(held.pop("package/package.json"))
    assert held == {f"package/{name}": package[name] for name in (MODULE, TYPES)}
    assert manifest["exports"]["."] == {"types": f"./{TYPES}", "default": f"./{MODULE}"}
    assert package_files(client_content())[ARCHIVE] == package[ARCHIVE]


async def test_pages_of_every_site_may_import_the_package(served: Served, package: dict[str, bytes]) -> None:
    for name, content_type in ((MODULE, "text/javascript"), (TYPES, "text/plain"), (ARCHIVE, "application/gzip")):
        status, headers, body = await get(served, f"/javascript/{name}", "Accept-Encoding: gzip")
        assert (status, headers["Access-Control-Allow-Origin"]) == (200, "*")
        assert headers["Content-Type"].startswith(content_type)
        assert (gzip.decompress(body) if "Content-Encoding" in headers else body) == package[name]
    assert (await get(served, "/javascript/nothing.mjs"))[0] == 404
