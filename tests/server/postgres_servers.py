"""Private PostgreSQL servers for tests and benchmarks, which can be paused, killed and restarted.

Without PostgreSQL's programs, tests that need them are skipped, unless `MILLRACE_TESTS_REQUIRE_ALL=1`: then they fail.
"""

import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import asyncpg

from tests.processes import end_with_tests
from tests.service_process import ServiceProcess, skip_without

DATABASE = "millrace"


class PostgresProcess(ServiceProcess):
    """A server with one empty database, on a free port and with a folder of its own, while its context lasts.

    It keeps what it has acknowledged, also if it is killed. `settings` are those of `postgresql.conf`.
    """

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.programs = _find_programs()
        """The folder of PostgreSQL's programs."""
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/{DATABASE}"
        self._settings = {
            "listen_addresses": "127.0.0.1",
            "port": f"{self.port}",
            "unix_socket_directories": "",
            "dynamic_shared_memory_type": "mmap",  # nothing of a killed server is left in /dev/shm
            **(settings or {}),
        }
        # PostgreSQL refuses to run as root; its package creates this user.
        self._user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def stop(self) -> None:
        """Have it end as an administrator does who restarts it: it closes all connections, and stores what it holds."""
        self._running.send_signal(signal.SIGINT)
        self._running.wait()
        self._process = None

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="millrace-postgres-", ignore_cleanup_errors=True)
        shutil.chown(self._folder.name, self._user)
        self._initialise()
        super().__enter__()
        try:
            asyncio.run(self._create_database())
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        assert self._folder is not None
        self._folder.cleanup()

    @property
    def _data(self) -> Path:
        assert self._folder is not None
        return Path(self._folder.name, "data")

    def _launch(self) -> "subprocess.Popen[bytes]":
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        return subprocess.Popen(
            [self.programs / "postgres", "-D", self._data, *settings],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=self._user,
            cwd="/",
            preexec_fn=end_with_tests,
        )

    def _initialise(self) -> None:
        options = ("--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync")
        made = subprocess.run(
            [self.programs / "initdb", *options, self._data],
            capture_output=True,
            text=True,
            user=self._user,
            cwd="/",
            check=False,
        )
        assert made.returncode == 0, made.stderr

    async def _create_database(self) -> None:
        connection = await asyncpg.connect(self.url.removesuffix(DATABASE) + "postgres")
        try:
            await connection.execute(f"CREATE DATABASE {DATABASE}")
        finally:
            await connection.close()

    def _answers(self) -> bool:
        async def connect() -> None:
            await (await asyncpg.connect(self.url.removesuffix(DATABASE) + "postgres", timeout=5)).close()

        try:
            asyncio.run(connect())
        except (OSError, TimeoutError, asyncpg.PostgresError):
            return False
        return True


def _find_programs() -> Path:
    """Return the folder of the newest version, as Debian installs them, or the one that is on the path."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    found = str(versions[-1]) if versions else shutil.which("postgres")
    if found is None:
        skip_without("postgres is not installed")
    return Path(found).parent
