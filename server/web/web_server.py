"""The web server: one port that answers GETs with pages, health, metrics and resources, and upgrades `/socket`.

It handles websockets and files, not matches. It may listen before the application is ready: it serves pages at once,
and connections wait until `serve_sessions` is called.
"""

import asyncio
import socket
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from functools import partial
from http import HTTPStatus
from types import MappingProxyType
from urllib.parse import urlsplit

import msgspec
import structlog
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from millrace.protocol import SOCKET_PATH

from ..callers.limits import Limits
from ..callers.resources import (
    PLAIN_TEXT,
    ResourceRequest,
    ResourceResponse,
    Resources,
    StreamedResponse,
    find_resource,
)
from ..players.accounts.cookies import CookieLogin, network_of, sender_network
from ..runtime import metrics
from ..runtime.settings import Settings
from .connection import Connection, Receiver
from .hosts import Hosts, is_from_this_machine, name_of
from .languages import choose_language
from .open_connections import (
    CONNECTIONS,
    COST_PER_SECOND,
    FLOODER_WAITS_SECONDS,
    REQUESTS,
    OpenConnections,
    most_connections,
)
from .outboxes import Outboxes
from .pages import CACHE_FOREVER, REVALIDATE, STATIC_FOLDER, WORKER_PATH, Page, accepts_gzip, client_pages, is_page
from .previews.page_texts import SITE, PageText, tags_of
from .requests import HEALTH_PATH, METHODS, BadRequestError, CheckedRequest, check_request, require_answerable
from .timed import timed

OpenSession = Callable[[Connection, Mapping[str, str]], Receiver]
"""Returns the receiver of a connection's frames, from the headers of its request."""

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'"
)
EMBED_FOLDER = "/embed/"
EMBED_SECURITY_POLICY = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""Allows other sites to show a board in a frame."""
VARY_BY_LANGUAGE = "Accept-Encoding, Accept-Language, Cookie"
"""The headers that decide the body of a document."""
GZIP_LEVEL, GZIP_BITS = 5, 31
"""For `zlib.compressobj`: the level, and the bits of a gzip file."""
SIGN_IN_PATH = "/sign-in"
SIGN_OUT_PATH = "/sign-out"
BACKLOG = 1024
"""Number of connections that the system queues for the event loop."""
CLOSE_RESTART = 1012
DESCRIPTION_SECONDS = 0.3
"""Maximum time to find the title and description of a page."""
LOOPBACK = frozenset({"127.0.0.1", network_of("::1")})

log = structlog.get_logger()


class WebServer:
    """One port, with pages and connections."""

    def __init__(self, settings: Settings, limits: Limits) -> None:
        self._settings = settings
        self._limits = limits
        self._origins = frozenset(settings.origins)
        machine = (socket.gethostname(), settings.host)
        self._hosts = Hosts(settings.allowed_hosts, machine, is_behind_proxy=settings.is_behind_proxy)
        self._pages = client_pages()
        self._open_session: OpenSession | None = None
        self._server: asyncio.Server | None = None
        self._node_server: asyncio.Server | None = None
        """Listens on the process's own port."""
        self._connections: OpenConnections[Connection] = OpenConnections(limits, most_connections())
        self._outboxes = Outboxes(limits)
        self._has_warned = False
        """Whether the log has mentioned an unexpected proxy."""
        self._waiting: dict[Connection, Headers] = {}
        """The open connections that are not served yet, with the headers of their requests."""
        self._are_all_gone: asyncio.Event | None = None
        """Set when the last connection has ended, while the server closes."""
        self._answers: set[asyncio.Task[None]] = set()
        self.cookie_login: CookieLogin | None = None
        """Sets the cookies of browsers, once it is available."""
        self.describe_page: Callable[[ResourceRequest], Awaitable[PageText]] | None = None
        """Returns the title and description of a page for link previews."""
        self.resources: Resources = ()
        """The resources that answer other GETs."""
        self.health: Callable[[], dict[str, object]] = lambda: {"status": "starting"}

    async def open(self, host: str, port: int, *, listens: bool = True) -> int:
        """Bind a port and return it; connections are refused until `listen` is called, unless it `listens` at once.

        The process's own port, if it has one, answers at once. Raises: OSError if an address cannot be used.
        """
        create = partial(
            asyncio.get_running_loop().create_server,
            self.accept,
            host,
            backlog=BACKLOG,
            reuse_port=self._settings.shares_port or None,
        )
        self._server = await create(port=port, start_serving=listens)
        if self._settings.node_port is not None:
            self._node_server = await create(port=self._settings.node_port)
        return int(next(iter(self._server.sockets)).getsockname()[1])

    async def listen(self) -> None:
        """Listen on the port, if not done yet. Raises: OSError if another program was first."""
        assert self._server is not None
        await self._server.start_serving()

    def serve_sessions(self, open_session: OpenSession) -> None:
        """Serve connections: waiting and new ones."""
        self._open_session = open_session
        waiting, self._waiting = self._waiting, {}
        for connection, headers in waiting.items():
            connection.open(open_session(connection, headers))

    async def close(self) -> None:
        """Accept no more connections, and close the open ones because the server restarts."""
        if self._server is None:
            return
        servers = [server for server in (self._server, self._node_server) if server is not None]
        for server in servers:
            server.close()
        for connection in self._connections:
            connection.close(CLOSE_RESTART, "The server is restarting; your match is safe.")
        if len(self._connections):
            self._are_all_gone = asyncio.Event()
            await self._are_all_gone.wait()
        for server in servers:
            await server.wait_closed()

    def answer(self, connection: Connection, request: Request) -> None:
        """Answer a request: at once if it opens a socket, else in a task."""
        connection.is_head = request.method == "HEAD"
        try:
            checked = check_request(request)
            refusal = self._admit(connection, checked.headers)
            if refusal is not None:
                connection.respond(refusal)
                return
            require_answerable(checked)
        except BadRequestError as error:
            self.refuse(connection, error)
            return
        if checked.path == SOCKET_PATH:
            self._upgrade(connection, request, checked.headers)
            return
        answering = asyncio.create_task(self._respond(connection, checked))
        self._answers.add(answering)
        answering.add_done_callback(self._answers.discard)

    def refuse(self, connection: Connection, error: BadRequestError) -> None:
        """Answer a request that is not understood, or asks for what nothing here does."""
        self._limits.security_log.note("request refused", connection.address, str(error))
        is_method = error.status is HTTPStatus.METHOD_NOT_ALLOWED
        connection.respond(_text_response(error.status, str(error), {"Allow": ", ".join(METHODS)} if is_method else {}))

    def begin(self, connection: Connection) -> None:
        """Admit a new connection, or cut it before it costs anything.

        A flooding address has to wait: if its connections were cut at once, it would only open new ones.
        """
        address = connection.address = network_of(connection.peer)
        if not self._settings.is_behind_proxy:
            connection.is_flooding = self._limits.use_at(REQUESTS, address) > 0
        if not self._connections.admit(connection, address, is_flooding=connection.is_flooding):
            connection.abort()
        elif connection.is_flooding:
            connection.intake.pause_for(FLOODER_WAITS_SECONDS)

    def note_hello(self, connection: Connection) -> None:
        """Note that the player of a connection has said hello."""
        self._connections.note_hello(connection)

    def remove(self, connection: Connection) -> None:
        """Forget a connection that has ended."""
        self._connections.remove(connection)
        if not len(self._connections) and self._are_all_gone is not None:
            self._are_all_gone.set()
        self._waiting.pop(connection, None)

    def accept(self) -> Connection:
        """Return a connection for a new socket."""
        return Connection(self, self._outboxes)

    def _admit(self, connection: Connection, headers: Headers) -> Response | None:
        """Count a request against its sender's limits and check its host; return the reason if it is refused."""
        if self._settings.is_behind_proxy:
            connection.address = sender_network(headers, connection.peer, is_behind_proxy=True)
            if not self._connections.admit(connection, connection.address):
                return _text_response(HTTPStatus.TOO_MANY_REQUESTS, CONNECTIONS.refusal)
        elif not self._has_warned and "X-Forwarded-For" in headers and network_of(connection.peer) in LOOPBACK:
            self._has_warned = True
            log.warning("a proxy forwards requests; without --behind-proxy all players count as one address")
        if self._settings.is_behind_proxy:
            connection.is_flooding = self._limits.use_at(REQUESTS, connection.address) > 0
        if connection.is_flooding and self._limits.left_at(REQUESTS, connection.address) < 0:
            return _text_response(HTTPStatus.TOO_MANY_REQUESTS, REQUESTS.refusal, {"Retry-After": "3"})
        host = headers.get("Host")
        if host is not None and not self._hosts.allow(host):
            self._limits.security_log.note("host refused", connection.address, host)
            name = name_of(host) if host.isascii() and host.isprintable() else "that name"
            text = f"This server does not answer to {name}. Its operator can allow it with --allowed-host."
            return _text_response(HTTPStatus.MISDIRECTED_REQUEST, text)
        return None

    def _upgrade(self, connection: Connection, request: Request, headers: Headers) -> None:
        refusal = self._check_origin(headers)
        if refusal is not None:
            self._limits.security_log.note("origin refused", connection.address, headers["Origin"])
            connection.respond(refusal)
        elif connection.accept(request):
            if self._open_session is None:
                self._waiting[connection] = headers
            else:
                connection.open(self._open_session(connection, headers))

    async def _respond(self, connection: Connection, request: CheckedRequest) -> None:
        try:
            response = await timed(self._answer(request, connection.peer), partial(self._charge, connection))
        except Exception:
            log.exception("request failed", path=request.path)
            text = "Something went wrong on the server. Please try again."
            response = _text_response(HTTPStatus.INTERNAL_SERVER_ERROR, text)
        if isinstance(response, StreamedResponse):
            await self._stream(connection, request, response)
        else:
            connection.respond(response)

    async def _stream(self, connection: Connection, request: CheckedRequest, response: StreamedResponse) -> None:
        """Send a long answer, compressed if the client accepts that."""
        is_compressed = accepts_gzip(request.headers.get("Accept-Encoding", ""))
        headers = {**response.headers, "Transfer-Encoding": "chunked", "Vary": "Accept-Encoding"}
        if is_compressed:
            headers["Content-Encoding"] = "gzip"
        head = _response(HTTPStatus.OK, b"", response.content_type, headers)
        del head.headers["Content-Length"]
        try:
            async with aclosing(response.parts) as parts:
                if connection.is_head:
                    connection.respond(head)
                    return
                await connection.respond_in_chunks(head, _gzipped(parts) if is_compressed else parts)
        except Exception:
            log.exception("answer broken off", path=request.path)
        finally:
            response.at_end()

    def _charge(self, connection: Connection, seconds: float, waits: int) -> None:
        """Count a slow answer as several requests."""
        self._limits.use_at(REQUESTS, connection.address, seconds * COST_PER_SECOND + waits)

    async def _answer(self, request: CheckedRequest, peer: str) -> Response | StreamedResponse:
        """Return the answer to a GET."""
        path = request.path
        if path in (SIGN_IN_PATH, SIGN_OUT_PATH) and request.method == "GET":
            return await self._enter(path, request)
        if path == HEALTH_PATH:
            health = self.health()
            status = HTTPStatus.OK if health["status"] in ("ok", "degraded") else HTTPStatus.SERVICE_UNAVAILABLE
            return _response(status, msgspec.json.encode(health), "application/json")
        if path == "/metrics":
            if not self._settings.are_metrics_open and not is_from_this_machine(peer, request.headers):
                text = (
                    "Metrics are for programs on the server's machine. Its operator can open them with --open-metrics."
                )
                return _text_response(HTTPStatus.FORBIDDEN, text)
            metrics.TASKS.set(len(asyncio.all_tasks()))
            return _response(HTTPStatus.OK, generate_latest(), CONTENT_TYPE_LATEST)
        resource = find_resource(self.resources, path)
        if resource is not None:
            answer, names = resource
            answered = await answer(ResourceRequest(request.target, names, request.headers))
            return answered if isinstance(answered, StreamedResponse) else _resource_response(answered, request)
        return await self._page(path, request)

    async def _page(self, path: str, request: CheckedRequest) -> Response:
        """Answer with a file of the browser client, if there is one."""
        language = choose_language(request.headers.get("Cookie", ""), request.headers.get("Accept-Language", ""))
        if path.startswith(EMBED_FOLDER):
            return _page_response(self._pages.embed[language], request, EMBED_SECURITY_POLICY)
        if path == WORKER_PATH:
            return _page_response(self._pages.workers[language], request)
        page = await self._index(request, language) if is_page(path) else self._pages.find(path)
        if page is not None:
            return _page_response(page, request)
        if not path.startswith(STATIC_FOLDER) and "text/html" in request.headers.get("Accept", ""):
            # A browser gets the site, whose page for unknown addresses has links to continue.
            headers = {"Content-Security-Policy": CONTENT_SECURITY_POLICY, "Cache-Control": "no-store"}
            index = await self._index(request, language)
            return _response(HTTPStatus.NOT_FOUND, index.body, index.content_type, headers)
        return _text_response(HTTPStatus.NOT_FOUND, "Page not found.")

    async def _index(self, request: CheckedRequest, language: str) -> Page:
        """Return the page, with its title and description for link previews if they are found in time."""
        asked = ResourceRequest(request.target, {}, request.headers)
        if self.describe_page is None or not asked.site:
            return self._pages.index(language)
        try:
            async with asyncio.timeout(DESCRIPTION_SECONDS):
                text = await self.describe_page(asked)
        except TimeoutError:
            text = SITE
        return self._pages.index(language, tags_of(text, asked.site, self._pages.icon_path))

    async def _enter(self, path: str, request: CheckedRequest) -> Response:
        """Set a browser's cookie, or delete it."""
        if self.cookie_login is None:
            return _text_response(HTTPStatus.SERVICE_UNAVAILABLE, "The server is starting.")
        enter = self.cookie_login.sign_in if path == SIGN_IN_PATH else self.cookie_login.sign_out
        answer = await enter(request.target, request.headers)
        headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
        if answer.location:
            headers["Location"] = answer.location
        if answer.cookie:
            headers["Set-Cookie"] = answer.cookie
        return _text_response(answer.status, answer.text, headers)

    def _check_origin(self, headers: Headers) -> Response | None:
        origin = headers.get("Origin")
        if origin is None or origin in self._origins or urlsplit(origin).netloc == headers.get("Host"):
            return None
        return _text_response(HTTPStatus.FORBIDDEN, f"Pages of {origin} may not connect to this server.")


def _page_response(page: Page, request: CheckedRequest, policy: str = CONTENT_SECURITY_POLICY) -> Response:
    headers = {
        "Cache-Control": page.cache_control,
        "ETag": f'W/"{page.tag}"',  # weak, since it says nothing about the encoding of the body
        "Vary": "Accept-Encoding" if page.cache_control == CACHE_FOREVER else VARY_BY_LANGUAGE,
        "Content-Security-Policy": policy,
        "Referrer-Policy": "same-origin",
    }
    if request.has(headers["ETag"]):
        return _response(HTTPStatus.NOT_MODIFIED, b"", page.content_type, headers)
    if page.gzipped is not None and accepts_gzip(request.headers.get("Accept-Encoding", "")):
        return _response(HTTPStatus.OK, page.gzipped, page.content_type, {**headers, "Content-Encoding": "gzip"})
    return _response(HTTPStatus.OK, page.body, page.content_type, headers)


async def _gzipped(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield a body compressed, one part at a time."""
    packer = zlib.compressobj(GZIP_LEVEL, wbits=GZIP_BITS)
    async for part in parts:
        if packed := await asyncio.to_thread(packer.compress, part):
            yield packed
    yield packer.flush()


def _resource_response(answer: ResourceResponse, request: CheckedRequest) -> Response:
    if answer.status is not HTTPStatus.OK:
        return _response(answer.status, answer.body, answer.content_type, answer.headers)
    headers = {"ETag": answer.tag, **answer.headers}
    if request.has(answer.tag):
        return _response(HTTPStatus.NOT_MODIFIED, b"", answer.content_type, headers)
    return _response(answer.status, answer.body, answer.content_type, headers)


def _text_response(status: HTTPStatus, text: str, headers: Mapping[str, str] = MappingProxyType({})) -> Response:
    return _response(status, f"{text}\n".encode(), PLAIN_TEXT, headers)


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
