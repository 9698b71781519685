"""Private PgBouncers for tests, in front of the PostgreSQL of the tests, with the defaults of the package.

Without PgBouncer, tests that need it are skipped, unless `MILLRACE_TESTS_REQUIRE_ALL=1`: then they fail.
"""

import asyncio
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from tests.processes import end_with_tests
from tests.service_process import ServiceProcess, skip_without


class PgBouncerProcess(ServiceProcess):
    """A pooler in front of one database, on a free port."""

    def __init__(self, url: str, **settings: str) -> None:
        super().__init__()
        self._program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin") or ""
        if not self._program:
            skip_without("pgbouncer is not installed")
        behind = urlsplit(url)
        self.url = urlunsplit(behind._replace(netloc=f"{behind.username}@127.0.0.1:{self.port}"))
        """The database's address through the pooler."""
        self._behind = behind
        self._settings = {"listen_addr": "127.0.0.1", "listen_port": f"{self.port}", "auth_type": "any", **settings}
        self._folder = tempfile.TemporaryDirectory(prefix="millrace-pgbouncer-")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        self._folder.cleanup()

    def _launch(self) -> "subprocess.Popen[bytes]":
        name, behind = self._behind.path.strip("/"), self._behind
        # PgBouncer's `any` signs every client in as the user of the database.
        database = f"host={behind.hostname} port={behind.port or 5432} dbname={name} user={behind.username}"
        lines = ["[databases]", f"{name} = {database}", "[pgbouncer]", "unix_socket_dir ="]
        lines += [f"{key} = {value}" for key, value in self._settings.items()]
        file = Path(self._folder.name, "pgbouncer.ini")
        file.write_text("\n".join(lines))
        is_root = os.getuid() == 0  # PgBouncer refuses to run as root
        if is_root:
            Path(self._folder.name).chmod(0o755)
        return subprocess.Popen(
            [self._program, "--quiet", file],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user="postgres" if is_root else None,
            preexec_fn=end_with_tests,
        )

    def _answers(self) -> bool:
        async def connect() -> None:
            await (await asyncpg.connect(self.url, timeout=5)).close()

        try:
            asyncio.run(connect())
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return False
        return True
