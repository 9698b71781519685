"""Behind nginx, HAProxy and Caddy: what scanners send is answered, and visitors beside them notice nothing."""

import asyncio
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from millrace.client import ME, bot, connect
from tests.processes import end_with_tests
from tests.server.web.get_requests import HOST, raw
from tests.service_process import ServiceProcess, skip_without
from tests.serving import GENEROUS, ServerProcess

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("processes")]

CONFIGURATIONS = {
    "nginx": """
daemon off; master_process off; error_log stderr; pid {folder}/pid; events {{ }}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    map $http_upgrade $connection_upgrade {{ default upgrade; '' close; }}
    upstream nodes {{ server {first}; server {second}; }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://nodes; proxy_http_version 1.1; proxy_set_header Host $host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
            proxy_buffering off;
        }}
    }}
}}
""",
    "haproxy": """
defaults
    mode http
    option forwardfor
    timeout connect 5s
    timeout client 60s
    timeout server 60s
frontend site
    bind 127.0.0.1:{port}
    default_backend nodes
backend nodes
    option httpchk
    server first {first} check inter 200 observe layer7 error-limit 1 on-error mark-down
    server second {second} check inter 200 observe layer7 error-limit 1 on-error mark-down
""",
    "caddy": """
{{
    admin off
    auto_https off
}}
http://:{port} {{
    bind 127.0.0.1
    reverse_proxy {first} {second} {{
        lb_policy least_conn
        fail_duration 30s
        max_fails 1
    }}
}}
""",
}
COMMANDS = {
    "nginx": ("nginx", "-c", "{file}", "-p", "{folder}"),
    "haproxy": ("haproxy", "-db", "-f", "{file}"),
    "caddy": ("caddy", "run", "--adapter", "caddyfile", "--config", "{file}"),
}
NOISE = (
    raw("POST / HTTP/1.1", HOST, "Content-Length: 3", body=b"abc"),
    raw("PUT /x HTTP/1.1", HOST, "Transfer-Encoding: chunked", body=b"3\r\nabc\r\n0\r\n\r\n"),
    raw("GET / HTTP/1.1", HOST, "Content-Length: 3", body=b"abc"),
    raw("OPTIONS / HTTP/1.1", HOST),
    raw("HEAD / HTTP/1.1", HOST),
    raw("GET /.env HTTP/1.0", HOST),
    raw("POST /upload HTTP/1.1", HOST, "Content-Length: 300000", body=bytes(300_000)),
    raw("POST / HTTP/1.1", HOST, "Content-Length: 9", "Expect: 100-continue"),
)
ROUNDS = 12
MOST_SECONDS = 2.0
"""Time in which every visitor is answered, on a busy machine; a node that is marked dead costs ten."""


class RealProxy(ServiceProcess):
    """A proxy before two servers."""

    def __init__(self, name: str, servers: tuple[str, str], folder: Path) -> None:
        super().__init__()
        self._name, self._folder = name, folder
        first, second = servers
        self._file = folder / name
        self._file.write_text(CONFIGURATIONS[name].format(folder=folder, port=self.port, first=first, second=second))

    def _launch(self) -> "subprocess.Popen[bytes]":
        command = [each.format(file=self._file, folder=self._folder) for each in COMMANDS[self._name]]
        return subprocess.Popen(command, preexec_fn=end_with_tests)

    def _answers(self) -> bool:
        return asyncio.run(answer_of(self.port, raw("GET /health HTTP/1.1", HOST, "Connection: close"))) == 200


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    options = ("--behind-proxy", *GENEROUS)
    with (
        ServerProcess(tmp_path_factory.mktemp("first"), *options) as first,
        ServerProcess(tmp_path_factory.mktemp("second"), *options) as second,
    ):
        first.wait_for_bots()
        second.wait_for_bots()
        yield first.address, second.address


@pytest.fixture(params=CONFIGURATIONS)
def proxy(request: pytest.FixtureRequest, servers: tuple[str, str], tmp_path: Path) -> Iterator[RealProxy]:
    if shutil.which(request.param) is None:
        skip_without(f"{request.param} is not installed.")
    with RealProxy(request.param, servers, tmp_path) as proxy:
        yield proxy


async def answer_of(port: int, request: bytes) -> int:
    """Return the status of the first answer; 0 if there is none."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return 0
    try:
        writer.write(request)
        line = await reader.readline()
        return int(line.split()[1]) if line else 0
    except OSError:
        return 0
    finally:
        writer.close()


async def test_visitors_notice_nothing_of_scanners(proxy: RealProxy) -> None:
    statuses: list[int] = []

    async def scan() -> None:
        for _ in range(ROUNDS):
            statuses.extend(await asyncio.gather(*(answer_of(proxy.port, noise) for noise in NOISE)))

    async def visit() -> None:
        for _ in range(ROUNDS):
            began = time.monotonic()
            assert await answer_of(proxy.port, raw("GET / HTTP/1.1", HOST)) == 200
            assert time.monotonic() - began < MOST_SECONDS
        async with connect(f"127.0.0.1:{proxy.port}") as player:
            match = (await player.create("morris", [ME, bot(1)])).match
            async with player.watch(match) as feed:
                for _ in range(4):
                    turn = await feed.my_turn()
                    assert turn is not None
                    await turn.play(turn.moves[0])

    await asyncio.gather(scan(), *(visit() for _ in range(3)))
    assert set(statuses) <= {100, 200, 404, 405, 413}, statuses
