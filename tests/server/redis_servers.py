"""Redis for tests: a part of a running server, or a private server that can be paused and killed.

`MILLRACE_TEST_REDIS` is the address of a server. Where none answers, or `redis-server` is not installed, the tests that
need it are skipped, unless `MILLRACE_TESTS_REQUIRE_ALL=1`: then they fail.
"""

import os
import shutil
import subprocess
import uuid
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.processes import end_with_tests
from tests.service_process import ServiceProcess, skip_without

REDIS_URL = os.environ.get("MILLRACE_TEST_REDIS", "redis://127.0.0.1:6379/0")


def fresh_redis() -> str:
    """Return the address of a bus that nothing else uses; skip the test if there is no server."""
    try:
        with redis.Redis.from_url(REDIS_URL, socket_connect_timeout=5) as client:
            client.ping()
    except redis.RedisError as error:
        skip_without(f"no Redis server: {error}")
    return f"{REDIS_URL}?prefix=test-{uuid.uuid4().hex}"


class RedisProcess(ServiceProcess):
    """A private server, which stores nothing.

    With a certificate and its key it takes only connections by TLS.
    """

    def __init__(self, password: str = "", certificate: Path | None = None, key: Path | None = None) -> None:
        super().__init__()
        self._program = shutil.which("redis-server") or ""
        if not self._program:
            skip_without("redis-server is not installed")
        self._password = password
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._options = {"port": f"{self.port}", "bind": "127.0.0.1", "save": "", "appendonly": "no"}
        if password:
            self._options |= {"requirepass": password}
        if certificate is not None:
            self.url = f"rediss://127.0.0.1:{self.port}/0?ssl_ca_certs={certificate}"
            self._options |= {"port": "0", "tls-port": f"{self.port}", "tls-auth-clients": "no"}
            self._options |= {f"tls-{name}-file": f"{certificate}" for name in ("cert", "ca-cert")}
            self._options |= {"tls-key-file": f"{key}"}

    def _launch(self) -> "subprocess.Popen[bytes]":
        arguments = [part for name, value in self._options.items() for part in (f"--{name}", value)]
        return subprocess.Popen([self._program, *arguments], stdout=subprocess.DEVNULL, preexec_fn=end_with_tests)

    def _answers(self) -> bool:
        try:
            retry = Retry(NoBackoff(), 0)
            with redis.Redis.from_url(self.url, password=self._password or None, retry=retry) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False
