"""The web server: one port that answers GETs with pages, health, metrics and resources, and upgrades `/socket`.

It handles websockets and files, not matches. It may listen before the application is ready: it serves pages at once,
and connections wait until `serve_sessions` is called.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from functools import partial
from http import HTTPStatus
from urllib.parse import urlsplit

import structlog
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from millrace.protocol import SOCKET_PATH

from ..callers.limits import Limits
from ..callers.resources import (
    ResourceRequest,
    Resources,
    StreamedResponse,
    find_resource,
)
from ..callers.site_rules import BLOCKED_TEXT, SiteRules
from ..players.accounts.cookies import CookieLogin, network_of, sender_network
from ..runtime import metrics
from ..runtime.settings import Settings
from .backlog import Backlog, Share
from .close_codes import CLOSE_POLICY, CLOSE_RESTART
from .connection import Connection
from .connection_users import Receiver
from .hosts import Hosts, is_from_this_machine, name_of
from .languages import choose_language
from .listener import Listener
from .open_connections import (
    CONNECTION_SECONDS,
    CONNECTIONS,
    COST_PER_SECOND,
    FLOODER_WAITS_SECONDS,
    REQUESTS,
    OpenConnections,
    most_connections,
)
from .outboxes import Outboxes
from .pages import STATIC_FOLDER, WORKER_PATH, Page, accepts_gzip, client_pages, is_engine, is_page
from .previews.page_texts import SITE, PageText, tags_of
from .requests import (
    HEALTH_PATH,
    LIVENESS_PATH,
    METHODS,
    BadRequestError,
    CheckedRequest,
    check_request,
    require_answerable,
)
from .responses import (
    CONTENT_SECURITY_POLICY,
    EMBED_FOLDER,
    EMBED_SECURITY_POLICY,
    ENGINE_SECURITY_POLICY,
    gzipped,
    health_response,
    make_response,
    page_response,
    resource_response,
    text_response,
)
from .timed import timed

OpenSession = Callable[[Connection, Mapping[str, str]], Receiver]
"""Returns the receiver of a connection's frames, from the headers of its request."""

SIGN_IN_PATH = "/sign-in"
SIGN_OUT_PATH = "/sign-out"
DESCRIPTION_SECONDS = 0.3
"""Maximum time to find the title and description of a page."""
HANDED_OVER = "Another server continues your match; please reconnect."
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
        self._is_handed_over = False
        """Whether clients are to connect to other nodes."""
        self._listener = Listener(self.accept)
        self._connections: OpenConnections[Connection] = OpenConnections(limits, most_connections())
        self._outboxes = Outboxes(limits)
        self._backlog = Backlog()
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
        self._site_rules: SiteRules | None = None
        """Which addresses are blocked, once it is known."""
        self.health: Callable[[], dict[str, object]] = lambda: {"status": "starting"}

    async def open(self, host: str, port: int, *, listens: bool = True) -> int:
        """Bind a port and return it; connections are refused until `listen` is called, unless it `listens` at once.

        The process's own port, if it has one, answers at once. Raises: OSError if an address cannot be used.
        """
        own_port, is_shared = self._settings.node_port, self._settings.shares_port
        return await self._listener.open(host, port, own_port, listens=listens, is_shared=is_shared)

    async def listen(self) -> None:
        """Listen on the port, if not done yet. Raises: OSError if another program was first."""
        await self._listener.listen()
        self._is_handed_over = False

    async def hand_over(self) -> None:
        """Refuse connections to the port until `listen`, and close the open ones, so that clients go to other nodes.

        The process's own port still answers other requests, so that whatever watches the process knows it alive.
        """
        self._is_handed_over = True
        await self._listener.refuse()
        self._close_connections(HANDED_OVER)

    def serve_sessions(self, open_session: OpenSession) -> None:
        """Serve connections: waiting and new ones."""
        self._open_session = open_session
        waiting, self._waiting = self._waiting, {}
        for connection, headers in waiting.items():
            connection.open(open_session(connection, headers))

    def obey(self, site_rules: SiteRules) -> None:
        """Refuse blocked addresses from now on, and close their silent connections whenever one is blocked."""
        self._site_rules, site_rules.at_block = site_rules, self._close_blocked

    def _close_blocked(self) -> None:
        for connection in filter(self._is_blocked, self._connections.silent):
            connection.close(CLOSE_POLICY, BLOCKED_TEXT)

    def _is_blocked(self, connection: Connection) -> bool:
        return self._site_rules is not None and self._site_rules.is_blocked(connection.address)

    async def close(self) -> None:
        """Accept no more connections, and close the open ones because the server restarts."""
        self._listener.close()
        self._close_connections("The server is restarting; your match is safe.")
        if len(self._connections):
            self._are_all_gone = asyncio.Event()
            await self._are_all_gone.wait()
        await self._listener.wait_closed()

    def _close_connections(self, reason: str) -> None:
        for connection in self._connections:
            connection.close(CLOSE_RESTART, reason)

    def answer(self, connection: Connection, request: Request) -> None:
        """Answer a request: at once if it opens a socket, else in a task."""
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
        address = connection.address
        if not self._connections.begin_answer(address):
            connection.respond(text_response(HTTPStatus.TOO_MANY_REQUESTS, CONNECTIONS.refusal, {"Retry-After": "3"}))
            return
        share = Share(self._backlog, address)
        answering = asyncio.ensure_future(timed(self._respond(connection, checked), share=share))
        self._answers.add(answering)
        answering.add_done_callback(self._answers.discard)
        answering.add_done_callback(lambda _: self._connections.end_answer(address))

    def refuse(self, connection: Connection, error: BadRequestError) -> None:
        """Answer a request that is not understood, or asks for what nothing here does."""
        self._limits.security_log.note("request refused", connection.address, str(error))
        is_method = error.status is HTTPStatus.METHOD_NOT_ALLOWED
        connection.respond(text_response(error.status, str(error), {"Allow": ", ".join(METHODS)} if is_method else {}))

    def begin(self, connection: Connection) -> None:
        """Admit a new connection, or cut it before it costs anything.

        A flooding address has to wait: if its connections were cut at once, it would only open new ones.
        """
        address = connection.address = network_of(connection.peer)
        if not self._settings.is_behind_proxy:
            self._count_request(connection)
        if not self._connections.admit(connection, address, is_flooding=connection.is_flooding):
            connection.abort()
        elif connection.is_flooding:
            connection.intake.pause_for(FLOODER_WAITS_SECONDS)

    def _count_request(self, connection: Connection) -> None:
        connection.is_flooding = self._limits.use_at(REQUESTS, connection.address) > 0
        is_busy = self._limits.is_busy_at(REQUESTS, connection.address)
        connection.intake.is_busy = is_busy or self._backlog.is_resting
        self._backlog.charge(CONNECTION_SECONDS)

    def note_hello(self, connection: Connection) -> None:
        """Note that the player of a connection has said hello. Raises: Refusal if there are enough players."""
        self._connections.note_hello(connection)

    def remove(self, connection: Connection) -> None:
        """Forget a connection that has ended."""
        self._connections.remove(connection)
        if not len(self._connections) and self._are_all_gone is not None:
            self._are_all_gone.set()
        self._waiting.pop(connection, None)

    def accept(self) -> Connection:
        """Return a connection for a new socket."""
        return Connection(self, self._outboxes, self._backlog)

    def _admit(self, connection: Connection, headers: Headers) -> Response | None:
        """Count a request against its sender's limits and check its host; return the reason if it is refused."""
        if self._settings.is_behind_proxy:
            connection.address = sender_network(headers, connection.peer, is_behind_proxy=True)
            if not self._connections.admit(connection, connection.address):
                return text_response(HTTPStatus.TOO_MANY_REQUESTS, CONNECTIONS.refusal)
        elif not self._has_warned and "X-Forwarded-For" in headers and network_of(connection.peer) in LOOPBACK:
            self._has_warned = True
            log.warning("a proxy forwards requests; without --behind-proxy all players count as one address")
        if self._settings.is_behind_proxy:
            self._count_request(connection)
        if self._is_blocked(connection):
            self._limits.security_log.note("blocked address refused", connection.address, "")
            return text_response(HTTPStatus.FORBIDDEN, BLOCKED_TEXT)
        if connection.is_flooding and self._limits.left_at(REQUESTS, connection.address) < 0:
            return text_response(HTTPStatus.TOO_MANY_REQUESTS, REQUESTS.refusal, {"Retry-After": "3"})
        host = headers.get("Host")
        if host is not None and not self._hosts.allow(host):
            self._limits.security_log.note("host refused", connection.address, host)
            name = name_of(host) if host.isascii() and host.isprintable() else "that name"
            text = f"This server does not answer to {name}. Its operator can allow it with --allowed-host."
            if not name:
                text = "The request names no host."
            return text_response(HTTPStatus.MISDIRECTED_REQUEST, text)
        return None

    def _upgrade(self, connection: Connection, request: Request, headers: Headers) -> None:
        refusal = self._check_origin(headers)
        if refusal is not None:
            self._limits.security_log.note("origin refused", connection.address, headers["Origin"])
            connection.respond(refusal)
        elif self._is_handed_over:
            connection.respond(text_response(HTTPStatus.SERVICE_UNAVAILABLE, HANDED_OVER))
        elif connection.accept(request):
            if self._open_session is None:
                self._waiting[connection] = headers
            else:
                connection.open(self._open_session(connection, headers))

    async def _respond(self, connection: Connection, request: CheckedRequest) -> None:
        try:
            response = await timed(self._answer(request, connection), partial(self._charge, connection))
        except Exception:
            log.exception("request failed", path=request.path)
            text = "Something went wrong on the server. Please try again."
            response = text_response(HTTPStatus.INTERNAL_SERVER_ERROR, text)
        if isinstance(response, StreamedResponse):
            await self._stream(connection, request, response)
        else:
            connection.respond(response)

    async def _stream(self, connection: Connection, request: CheckedRequest, response: StreamedResponse) -> None:
        """Send a long answer, compressed if the client accepts that."""
        is_compressed = accepts_gzip(request.headers.get("Accept-Encoding", ""))
        headers = {**response.headers, "Vary": "Accept-Encoding"}
        if request.protocol != "HTTP/1.0":
            headers["Transfer-Encoding"] = "chunked"
        if is_compressed:
            headers["Content-Encoding"] = "gzip"
        head = make_response(HTTPStatus.OK, b"", response.content_type, headers)
        del head.headers["Content-Length"]
        try:
            async with aclosing(response.parts) as parts:
                if connection.is_head:
                    connection.respond(head)
                    return
                await connection.respond_in_parts(head, gzipped(parts) if is_compressed else parts)
        except Exception:
            log.exception("answer broken off", path=request.path)
        finally:
            response.at_end()

    def _charge(self, connection: Connection, seconds: float, waits: int) -> None:
        """Count a slow answer as several requests."""
        self._limits.use_at(REQUESTS, connection.address, seconds * COST_PER_SECOND + waits)

    async def _answer(self, request: CheckedRequest, connection: Connection) -> Response | StreamedResponse:
        """Return the answer to a GET."""
        path = request.path
        if path in (SIGN_IN_PATH, SIGN_OUT_PATH):
            return await self._enter(path, request)
        if path == HEALTH_PATH:
            return health_response(self.health())
        if path == LIVENESS_PATH:
            return health_response({"status": "alive"})
        if path == "/metrics":
            return await self._metrics(request, connection)
        resource = find_resource(self.resources, path)
        if resource is not None:
            answer, names = resource
            answered = await answer(ResourceRequest(request.target, names, request.headers, connection.address))
            return answered if isinstance(answered, StreamedResponse) else resource_response(answered, request)
        return await self._page(path, request)

    async def _metrics(self, request: CheckedRequest, connection: Connection) -> Response:
        if not self._settings.are_metrics_open and not is_from_this_machine(connection.peer, request.headers):
            text = "Metrics are for programs on the server's machine. Its operator can open them with --open-metrics."
            return text_response(HTTPStatus.FORBIDDEN, text)
        metrics.TASKS.set(len(asyncio.all_tasks()))
        return make_response(HTTPStatus.OK, await asyncio.to_thread(generate_latest), CONTENT_TYPE_LATEST)

    async def _page(self, path: str, request: CheckedRequest) -> Response:
        """Answer with a file of the browser client, if there is one."""
        language = choose_language(request.headers.get("Cookie", ""), request.headers.get("Accept-Language", ""))
        if path.startswith(EMBED_FOLDER):
            return await page_response(self._pages.embed[language], request, EMBED_SECURITY_POLICY)
        if path == WORKER_PATH:
            return await page_response(self._pages.workers[language], request)
        page = await self._index(request, language) if is_page(path) else self._pages.find(path)
        if page is not None:
            policy = ENGINE_SECURITY_POLICY if is_engine(path) else CONTENT_SECURITY_POLICY
            return await page_response(page, request, policy)
        if not path.startswith(STATIC_FOLDER) and "text/html" in request.headers.get("Accept", ""):
            # A browser gets the site, whose page for unknown addresses has links to continue.
            headers = {"Content-Security-Policy": CONTENT_SECURITY_POLICY, "Cache-Control": "no-store"}
            index = await self._index(request, language)
            return make_response(HTTPStatus.NOT_FOUND, index.body, index.content_type, headers)
        return text_response(HTTPStatus.NOT_FOUND, "Page not found.")

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
            return text_response(HTTPStatus.SERVICE_UNAVAILABLE, "The server is starting.")
        enter = self.cookie_login.sign_in if path == SIGN_IN_PATH else self.cookie_login.sign_out
        answer = await enter(request.target, request.headers)
        headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
        if answer.location:
            headers["Location"] = answer.location
        if answer.cookie:
            headers["Set-Cookie"] = answer.cookie
        return text_response(answer.status, answer.text, headers)

    def _check_origin(self, headers: Headers) -> Response | None:
        origin = headers.get("Origin")
        if origin is None or origin in self._origins or urlsplit(origin).netloc == headers.get("Host"):
            return None
        return text_response(HTTPStatus.FORBIDDEN, f"Pages of {origin} may not connect to this server.")
