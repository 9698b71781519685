"""The web server: one port that answers GETs with pages, health, metrics and resources, and upgrades `/socket`.

It knows websockets and files, not matches. It listens before the application is ready: pages are served at once,
connections wait until `serve` is called.
"""

import asyncio
from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from urllib.parse import urlsplit

import msgspec
import structlog
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from ..accounts.cookies import CookieLogin
from ..protocol import SOCKET_PATH
from ..routing.resources import PLAIN_TEXT, ResourceRequest, ResourceResponse, Resources, find_resource
from .connection import Connection, Receiver
from .pages import REVALIDATE, Page, accepts_gzip, client_pages
from .requests import BadRequestError, CheckedRequest, check_request

OpenSession = Callable[[Connection, Mapping[str, str]], Receiver]
"""Returns what the frames of a connection are handed to, by the headers of its request."""

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
BACKLOG = 1024
"""Connections that the system may hold until the event loop takes them."""
CLOSE_RESTART = 1012

log = structlog.get_logger()


class WebServer:
    """One port, with pages and connections."""

    def __init__(self, origins: tuple[str, ...] = ()) -> None:
        self._origins = frozenset(origins)
        self._pages = client_pages()
        self._open_session: OpenSession | None = None
        self._server: asyncio.Server | None = None
        self._connections: set[Connection] = set()
        self._waiting: dict[Connection, Headers] = {}
        """The open connections that nobody serves yet, with the headers of their requests."""
        self._are_all_gone: asyncio.Event | None = None
        """Set when the last connection has ended, once the server closes."""
        self._answers: set[asyncio.Task[None]] = set()
        self.cookie_login: CookieLogin | None = None
        """Gives browsers their cookies, when it is there."""
        self.resources: Resources = ()
        """What other GETs are answered with."""
        self.health: Callable[[], dict[str, object]] = lambda: {"status": "starting"}

    async def open(self, host: str, port: int) -> int:
        """Listen, and return the port. Raises: OSError if the address cannot be used."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._accept, host, port, backlog=BACKLOG)
        return int(next(iter(self._server.sockets)).getsockname()[1])

    def serve_sessions(self, open_session: OpenSession) -> None:
        """Serve connections: those that are waiting, and all that come."""
        self._open_session = open_session
        waiting, self._waiting = self._waiting, {}
        for connection, headers in waiting.items():
            connection.open(open_session(connection, headers))

    async def close(self) -> None:
        """Accept no more connections, and close the open ones with the reason that the server restarts."""
        if self._server is None:
            return
        self._server.close()
        for connection in tuple(self._connections):
            connection.close(CLOSE_RESTART, "The server is restarting; your match is safe.")
        if self._connections:
            self._are_all_gone = asyncio.Event()
            await self._are_all_gone.wait()
        await self._server.wait_closed()

    def answer(self, connection: Connection, request: Request) -> None:
        """Answer a request: at once if it opens a socket, else by a task."""
        try:
            checked = check_request(request)
        except BadRequestError as error:
            log.info("request refused", peer=connection.peer, reason=str(error))
            connection.respond(_response(HTTPStatus.BAD_REQUEST, f"{error}\n".encode(), PLAIN_TEXT))
            return
        if checked.path == SOCKET_PATH:
            self._upgrade(connection, request, checked.headers)
            return
        answering = asyncio.create_task(self._respond(connection, checked))
        self._answers.add(answering)
        answering.add_done_callback(self._answers.discard)

    def remove(self, connection: Connection) -> None:
        """Forget a connection that has ended."""
        self._connections.discard(connection)
        if not self._connections and self._are_all_gone is not None:
            self._are_all_gone.set()
        self._waiting.pop(connection, None)

    def _accept(self) -> Connection:
        connection = Connection(self)
        self._connections.add(connection)
        return connection

    def _upgrade(self, connection: Connection, request: Request, headers: Headers) -> None:
        refusal = self._check_origin(headers)
        if refusal is not None:
            connection.respond(refusal)
        elif connection.accept(request):
            if self._open_session is None:
                self._waiting[connection] = headers
            else:
                connection.open(self._open_session(connection, headers))

    async def _respond(self, connection: Connection, request: CheckedRequest) -> None:
        try:
            response = await self._answer(request)
        except Exception:
            log.exception("request failed", path=request.path)
            text = b"Something went wrong on the server. Please try again.\n"
            response = _response(HTTPStatus.INTERNAL_SERVER_ERROR, text, PLAIN_TEXT)
        connection.respond(response)

    async def _answer(self, request: CheckedRequest) -> Response:
        """Return the answer to a GET."""
        path = request.path
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
            return _resource_response(await answer(ResourceRequest(request.target, names, request.headers)), request)
        return self._page(path, request)

    def _page(self, path: str, request: CheckedRequest) -> Response:
        """Answer with a file of the browser client, if there is one."""
        if path.startswith(EMBED_FOLDER):
            return _page_response(self._pages.embed, request, EMBED_SECURITY_POLICY)
        is_index = path in PAGES or path.startswith(PAGE_FOLDERS)
        page = self._pages.index if is_index else self._pages.find(path)
        if page is None:
            return _response(HTTPStatus.NOT_FOUND, b"Page not found.\n", PLAIN_TEXT)
        return _page_response(page, request)

    async def _enter(self, path: str, request: CheckedRequest) -> Response:
        """Give a browser its cookie, or take it back."""
        if self.cookie_login is None:
            return _response(HTTPStatus.SERVICE_UNAVAILABLE, b"The server is starting.\n", PLAIN_TEXT)
        enter = self.cookie_login.sign_in if path == SIGN_IN_PATH else self.cookie_login.sign_out
        answer = await enter(request.target, request.headers)
        headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
        if answer.location:
            headers["Location"] = answer.location
        if answer.cookie:
            headers["Set-Cookie"] = answer.cookie
        return _response(answer.status, f"{answer.text}\n".encode(), PLAIN_TEXT, headers)

    def _check_origin(self, headers: Headers) -> Response | None:
        origin = headers.get("Origin")
        if origin is None or origin in self._origins or urlsplit(origin).netloc == headers.get("Host"):
            return None
        text = f"Pages of {origin} may not connect to this server.\n"
        return _response(HTTPStatus.FORBIDDEN, text.encode(), PLAIN_TEXT)


def _page_response(page: Page, request: CheckedRequest, policy: str = CONTENT_SECURITY_POLICY) -> Response:
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


def _resource_response(answer: ResourceResponse, request: CheckedRequest) -> Response:
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
