"""The web server: one port that answers GETs with pages, health, metrics and resources, and upgrades `/socket`.

It knows websockets and files, not matches. It listens before the application is ready: pages are served at once,
connections wait until `serve` is called.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from urllib.parse import urlsplit

import msgspec
import structlog
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from ..accounts.cookies import CookieLogin
from ..protocol import MAX_FRAME_BYTES, SOCKET_PATH
from ..routing.resources import PLAIN_TEXT, ResourceRequest, ResourceResponse, Resources, find_resource
from .pages import REVALIDATE, Page, accepts_gzip, client_pages
from .pings import PLAYER_PING_SECONDS, PONG_SECONDS

Handler = Callable[[ServerConnection], Awaitable[None]]

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'"
)
EMBED_FOLDER = "/embed/"
EMBED_SECURITY_POLICY = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""Allows other sites to show a board in a frame."""
PAGES = frozenset({"/", "/account", "/analysis", "/archive", "/leaders", "/moderation", "/players", "/watch"})
PAGE_FOLDERS = ("/analysis/", "/challenge/", "/match/", "/player/", "/watch/")
"""Paths that serve the page, whose script decides what to show."""
SIGN_IN_PATH = "/sign-in"
SIGN_OUT_PATH = "/sign-out"
INBOX_FRAMES = 32
"""Maximum frames of a connection that wait to be handled; beyond it, its socket is not read."""
CLOSE_INTERNAL_ERROR = 1011
CLOSE_RESTART = 1012

log = structlog.get_logger()


class WebServer:
    """One port, with pages and connections."""

    def __init__(self, origins: tuple[str, ...] = ()) -> None:
        self._origins = frozenset(origins)
        self._pages = client_pages()
        self._handler: asyncio.Future[Handler] = asyncio.get_running_loop().create_future()
        self._server: Server | None = None
        self.cookie_login: CookieLogin | None = None
        """Gives browsers their cookies, when it is there."""
        self.resources: Resources = ()
        """What other GETs are answered with."""
        self.health: Callable[[], dict[str, object]] = lambda: {"status": "starting"}

    async def open(self, host: str, port: int) -> int:
        """Listen, and return the port. Raises: OSError if the address cannot be used."""
        self._server = await serve(
            self._serve_connection,
            host,
            port,
            process_request=self._answer,
            compression=None,
            max_size=MAX_FRAME_BYTES,
            max_queue=INBOX_FRAMES,
            ping_interval=PLAYER_PING_SECONDS,
            ping_timeout=PONG_SECONDS,
            close_timeout=2,
            server_header=None,
            logger=_quiet_logger(),
        )
        return int(next(iter(self._server.sockets)).getsockname()[1])

    def set_handler(self, handler: Handler) -> None:
        """Serve connections with a function: those that are waiting, and all that come."""
        self._handler.set_result(handler)

    async def close(self) -> None:
        """Accept no more connections, and close the open ones with the reason that the server restarts."""
        if self._server is not None:
            self._server.close(code=CLOSE_RESTART, reason="The server is restarting; your match is safe.")
            await self._server.wait_closed()

    async def _serve_connection(self, connection: ServerConnection) -> None:
        handler = await asyncio.shield(self._handler)
        try:
            await handler(connection)
        except Exception:
            log.exception("connection failed")
            await connection.close(CLOSE_INTERNAL_ERROR, "Something went wrong on the server. Please reconnect.")

    async def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer a GET; None lets the upgrade to a socket go on."""
        path = urlsplit(request.path).path
        if path == SOCKET_PATH:
            return self._check_upgrade(request)
        if path in (SIGN_IN_PATH, SIGN_OUT_PATH):
            return await self._enter(path, request)
        if path == "/health":
            health = self.health()
            status = HTTPStatus.OK if health["status"] == "ok" else HTTPStatus.SERVICE_UNAVAILABLE
            return _response(status, msgspec.json.encode(health), "application/json")
        if path == "/metrics":
            return _response(HTTPStatus.OK, generate_latest(), CONTENT_TYPE_LATEST)
        resource = find_resource(self.resources, path)
        if resource is not None:
            answer, names = resource
            return _resource_response(await answer(ResourceRequest(request.path, names, request.headers)), request)
        return self._page(path, request)

    def _page(self, path: str, request: Request) -> Response:
        """Answer with a file of the browser client, if there is one."""
        if path.startswith(EMBED_FOLDER):
            return _page_response(self._pages.embed, request, EMBED_SECURITY_POLICY)
        is_index = path in PAGES or path.startswith(PAGE_FOLDERS)
        page = self._pages.index if is_index else self._pages.find(path)
        if page is None:
            return _response(HTTPStatus.NOT_FOUND, b"Page not found.\n", PLAIN_TEXT)
        return _page_response(page, request)

    async def _enter(self, path: str, request: Request) -> Response:
        """Give a browser its cookie, or take it back."""
        if self.cookie_login is None:
            return _response(HTTPStatus.SERVICE_UNAVAILABLE, b"The server is starting.\n", PLAIN_TEXT)
        enter = self.cookie_login.sign_in if path == SIGN_IN_PATH else self.cookie_login.sign_out
        answer = await enter(request.path, request.headers)
        headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
        if answer.location:
            headers["Location"] = answer.location
        if answer.cookie:
            headers["Set-Cookie"] = answer.cookie
        return _response(answer.status, f"{answer.text}\n".encode(), PLAIN_TEXT, headers)

    def _check_upgrade(self, request: Request) -> Response | None:
        origin = request.headers.get("Origin")
        if origin is None or origin in self._origins or urlsplit(origin).netloc == request.headers.get("Host"):
            return None
        text = f"Pages of {origin} may not connect to this server.\n"
        return _response(HTTPStatus.FORBIDDEN, text.encode(), PLAIN_TEXT)


def _page_response(page: Page, request: Request, policy: str = CONTENT_SECURITY_POLICY) -> Response:
    headers = {
        "Cache-Control": page.cache_control,
        "ETag": f'W/"{page.tag}"',  # weak, since it says nothing of how the body is sent
        "Vary": "Accept-Encoding",
        "Content-Security-Policy": policy,
        "Referrer-Policy": "same-origin",
    }
    if request.headers.get("If-None-Match") == headers["ETag"]:
        return _response(HTTPStatus.NOT_MODIFIED, b"", page.content_type, headers)
    if page.gzipped is not None and accepts_gzip(request.headers.get("Accept-Encoding", "")):
        return _response(HTTPStatus.OK, page.gzipped, page.content_type, {**headers, "Content-Encoding": "gzip"})
    return _response(HTTPStatus.OK, page.body, page.content_type, headers)


def _resource_response(answer: ResourceResponse, request: Request) -> Response:
    if answer.status is not HTTPStatus.OK:
        return _response(answer.status, answer.body, answer.content_type, answer.headers)
    headers = {"ETag": answer.tag, **answer.headers}
    if request.headers.get("If-None-Match") == answer.tag:
        return _response(HTTPStatus.NOT_MODIFIED, b"", answer.content_type, headers)
    return _response(answer.status, answer.body, answer.content_type, headers)


def _response(
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


def _quiet_logger() -> logging.Logger:
    """Return a logger for websockets without the tracebacks of failed handshakes, which any stranger can cause."""
    logger = logging.getLogger("millrace.websockets")
    logger.setLevel(logging.CRITICAL)
    return logger
