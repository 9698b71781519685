"""The commands of `deploy/cluster/compose.yaml` as processes of this machine."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.processes import end_with_tests
from tests.project.composition import FOLDER, command_of, services
from tests.project.repository import ROOT
from tests.server.databases import run_sql
from tests.server.postgres_servers import PostgresProcess
from tests.serving import PATIENCE_S

HOST = "play.example.org"
DATABASE = "postgresql://millrace@database:5432/millrace"


class ComposedProcesses:
    """What the services of the composition run, with addresses on the loopback interface and files in a folder."""

    def __init__(self, folder: Path, database: str) -> None:
        self._folder = folder
        self._database = database
        self._ports = {name: free_port() for name in ("redis:6379", "scheduler:8786", "scheduler:8787")}
        for name in ("database_password", "redis_password", "smtp_password"):
            (folder / "secrets").mkdir(exist_ok=True)
            (folder / "secrets" / name).write_text("" if name == "smtp_password" else "a secret: 1/2?")

    def command(self, service: str) -> list[str]:
        """Return the command of a service, with addresses and files of this machine."""
        return [self._here(word) for word in command_of(service, MILLRACE_HOST=HOST)]

    def environment(self, service: str) -> dict[str, str]:
        """Return what the service finds in its environment."""
        given = services()[service].get("environment", {})
        return {name: self._here(value) for name, value in given.items() if "${" not in value}

    @contextmanager
    def redis(self) -> Iterator[None]:
        """Run the service `redis`, by Redis if there is no Valkey."""
        program = shutil.which("valkey-server") or shutil.which("redis-server")
        if program is None:
            if os.environ.get("MILLRACE_TESTS_REQUIRE_ALL") == "1":
                raise AssertionError("redis-server is not installed")
            pytest.skip("redis-server is not installed")
        port = self._ports["redis:6379"]
        (script,) = self.command("redis")
        script = script.replace("$$", "$").replace("valkey-server -", f"{program} - --bind 127.0.0.1 --port {port}")
        with running(["sh", "-c", script]) as process:
            wait_until(process, lambda: is_open(port))
            yield
        assert not is_open(port), "Redis goes on after its container was told to stop"

    @contextmanager
    def bots(self) -> Iterator[None]:
        """Run the services `scheduler` and `worker`, and wait until bots can be asked."""
        folder = Path(sys.executable).parent
        program, *_ = services()["scheduler"]["entrypoint"]
        worker = ["-m", "millrace.server.app.cli", *self.command("worker"), "--no-tablebases"]
        with (
            running([str(folder / program), *self.command("scheduler")]) as scheduler,
            running([sys.executable, *worker]) as process,
        ):
            wait_until(scheduler, lambda: is_open(self._ports["scheduler:8787"]))
            wait_until(process, lambda: 'dask_scheduler_workers{state="idle"} 2.0' in self.metrics_of_bots())
            yield

    def metrics_of_bots(self) -> str:
        """Return what Prometheus is told by the scheduler."""
        with urlopen(f"http://127.0.0.1:{self._ports['scheduler:8787']}/metrics") as answer:
            return str(answer.read(), "utf-8")

    def _here(self, text: str) -> str:
        text = text.replace(DATABASE, self._database)
        for place, port in self._ports.items():
            host, _, usual = place.partition(":")
            text = re.sub(rf"//{host}:{usual}\b", f"//127.0.0.1:{port}", text)
            text = re.sub(rf"^(--(?:dashboard-address=|port=):?){usual}$", rf"\g<1>{port}", text)
        text = text.replace("/run/secrets/", f"{self._folder}/secrets/")
        return re.sub(r"=/data$", f"={self._folder}/data", text)


@contextmanager
def composed_database(folder: Path) -> Iterator[str]:
    """Provide the address of the service `database`, with the roles that its script creates in a new PostgreSQL."""
    for name in ("database_password", "metrics_password"):
        (folder / name).write_text("a secret: 1/2?")
    script = (FOLDER.parent / "database/roles.sh").read_text().replace("/run/secrets/", f"{folder}/")
    with PostgresProcess() as server:
        run_sql(server.url.replace("/millrace", "/postgres"), "DROP DATABASE millrace")
        place = {"PGHOST": "127.0.0.1", "PGPORT": str(server.port), "POSTGRES_USER": "postgres"}
        subprocess.run(["sh", "-c", script], env={**os.environ, **place}, check=True)
        yield f"postgresql://millrace@127.0.0.1:{server.port}/millrace"


@contextmanager
def running(command: Sequence[str]) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a command until the context ends."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True, preexec_fn=end_with_tests)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def wait_until(process: "subprocess.Popen[bytes]", is_so: Callable[[], bool]) -> None:
    """Return when something is so, which a process brings about."""
    give_up_at = time.monotonic() + PATIENCE_S
    while not is_so():
        assert process.poll() is None, f"{process.args!r} has ended"
        assert time.monotonic() < give_up_at, f"{process.args!r} takes too long"
        time.sleep(0.1)


def is_open(port: int) -> bool:
    """Return whether something listens on a port."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
