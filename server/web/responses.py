"""The responses of the web server: pages, texts and resources with their headers."""

import asyncio
import zlib
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from types import MappingProxyType

import msgspec
from websockets.datastructures import Headers
from websockets.http11 import Response

from ..callers.resources import PLAIN_TEXT, ResourceResponse
from .javascript_package import FOLDER as PACKAGE_FOLDER
from .pages import CACHE_FOREVER, REVALIDATE, Page, accepts_gzip
from .requests import CheckedRequest

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'"
)
EMBED_FOLDER = "/embed/"
EMBED_SECURITY_POLICY = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""Allows other sites to show a board in a frame."""
ENGINE_SECURITY_POLICY = f"{CONTENT_SECURITY_POLICY}; script-src 'self' 'wasm-unsafe-eval'"
"""Allows the worker of the page's engine to compile WebAssembly."""
VARY_BY_LANGUAGE = "Accept-Encoding, Accept-Language, Cookie"
"""The headers that decide the body of a document."""
GZIP_LEVEL, GZIP_BITS = 5, 31
"""For `zlib.compressobj`: the level, and the bits of a gzip file."""
LARGE_BYTES = 8_192


def health_response(health: Mapping[str, object]) -> Response:
    """Return the state of the server: 503 while people cannot play."""
    is_well = health["status"] in ("ok", "degraded", "alive")
    status = HTTPStatus.OK if is_well else HTTPStatus.SERVICE_UNAVAILABLE
    return make_response(status, msgspec.json.encode(health), "application/json")


async def page_response(page: Page, request: CheckedRequest, policy: str = CONTENT_SECURITY_POLICY) -> Response:
    """Return a page, or that it has not changed; compressed if the client accepts that."""
    headers = {
        "Cache-Control": page.cache_control,
        "ETag": f'W/"{page.tag}"',  # weak, since it says nothing about the encoding of the body
        "Vary": "Accept-Encoding" if page.cache_control == CACHE_FOREVER else VARY_BY_LANGUAGE,
        "Content-Security-Policy": policy,
        "Referrer-Policy": "same-origin",
    }
    if request.path.startswith(PACKAGE_FOLDER):
        headers["Access-Control-Allow-Origin"] = "*"  # pages of every site may import it
    if request.has(headers["ETag"]):
        return make_response(HTTPStatus.NOT_MODIFIED, b"", page.content_type, headers)
    packed = None
    if accepts_gzip(request.headers.get("Accept-Encoding", "")):
        # Large files are compressed in a thread, since that takes too long while others play.
        packed = await asyncio.to_thread(lambda: page.gzipped) if len(page.body) > LARGE_BYTES else page.gzipped
    if packed is None:
        return make_response(HTTPStatus.OK, page.body, page.content_type, headers)
    return make_response(HTTPStatus.OK, packed, page.content_type, {**headers, "Content-Encoding": "gzip"})


async def gzipped(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield a body compressed, one part at a time."""
    packer = zlib.compressobj(GZIP_LEVEL, wbits=GZIP_BITS)
    async for part in parts:
        if packed := await asyncio.to_thread(packer.compress, part):
            yield packed
    yield packer.flush()


def resource_response(answer: ResourceResponse, request: CheckedRequest) -> Response:
    """Return what a resource answers, or that it has not changed."""
    if answer.status is not HTTPStatus.OK:
        return make_response(answer.status, answer.body, answer.content_type, answer.headers)
    headers = {"ETag": answer.tag, **answer.headers}
    if request.has(answer.tag):
        return make_response(HTTPStatus.NOT_MODIFIED, b"", answer.content_type, headers)
    return make_response(answer.status, answer.body, answer.content_type, headers)


def text_response(status: HTTPStatus, text: str, headers: Mapping[str, str] = MappingProxyType({})) -> Response:
    """Return a line of text."""
    return make_response(status, f"{text}\n".encode(), PLAIN_TEXT, headers)


def make_response(
    status: HTTPStatus, body: bytes, content_type: str, headers: Mapping[str, str] = MappingProxyType({})
) -> Response:
    """Return a response with the usual headers, replaced by those given."""
    usual = {
        "Content-Type": content_type,
        "Content-Length": str(len(body)),
        "Cache-Control": REVALIDATE,
        "X-Content-Type-Options": "nosniff",
        "Connection": "close",
    }
    return Response(status.value, status.phrase, Headers({**usual, **headers}), body)
