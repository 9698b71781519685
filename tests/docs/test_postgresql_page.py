"""`docs/postgresql.md`: its commands run in order, on two machines that are folders with a PostgreSQL server each."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.processes import end_with_tests
from tests.project.composed_processes import free_port
from tests.project.repository import shell_blocks
from tests.server.postgres_servers import PostgresProcess
from tests.serving import PATIENCE_S

USER = "postgres"
MAIN = "/var/lib/postgresql/17/main"
SYSTEMCTL = """#!/bin/sh
server() { $AS_POSTGRES pg_ctl --pgdata="$FOLDER/var/lib/postgresql/17/main" --wait --silent "$@"; }
case "$*" in
    *millrace) ;;
    "stop postgresql") server --mode=fast stop || true ;;
    "start postgresql") server --log="$FOLDER/log" start ;;
    "restart postgresql") server --log="$FOLDER/log" restart ;;
    *) exit 1 ;;
esac
"""
RUNUSER = '#!/bin/sh\nshift 2\nexec $AS_POSTGRES "$@"\n'
INSTALL = '#!/bin/sh\nfor each in "$@"; do case "$each" in -*) ;; *) $AS_POSTGRES mkdir -p "$each" ;; esac; done\n'


class PostgresMachine:
    """A folder for the page's paths, in which a shell runs its commands."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self._folder = folder
        self.port = free_port()
        for name, text in {"systemctl": SYSTEMCTL, "runuser": RUNUSER, "install": INSTALL}.items():
            path = folder / "bin" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        (folder / "var/lib/postgresql/17").mkdir(parents=True)
        (folder / "var/backups").mkdir()
        is_root = os.getuid() == 0
        for path in (folder, *folder.rglob("*")):
            if is_root:
                shutil.chown(path, USER)
        self._environment = {
            **os.environ,
            "AS_POSTGRES": f"setpriv --reuid={USER} --regid={USER} --clear-groups" if is_root else "",
            "FOLDER": str(folder),
            "PATH": f"{folder / 'bin'}:{programs}:{os.environ['PATH']}",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(self.port),
            "PGUSER": USER,
        }

    def make_server(self) -> None:
        """Install PostgreSQL, as Debian's package does."""
        options = f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"
        self.run(
            f"$AS_POSTGRES initdb --username={USER} --auth=trust --no-sync --pgdata={MAIN}",
            f"$AS_POSTGRES tee --append {MAIN}/postgresql.conf <<'END'\n{options}END",
            "systemctl start postgresql",
        )

    def run(self, *commands: str) -> str:
        """Run commands of the page, and return what they print."""
        script = "\n".join(commands).replace("/var/", f"{self._folder}/var/")
        done = subprocess.run(
            ["bash", "-euc", script],
            env=self._environment,
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
            preexec_fn=end_with_tests,
        )
        log = self._folder / "log"
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{log.read_text() if log.exists() else ''}"
        return done.stdout

    def ask(self, statement: str) -> str:
        return self.run(f'psql --tuples-only --no-align --command="{statement}"').strip()


@contextmanager
def machine(programs: Path) -> Iterator[PostgresMachine]:
    """Give a machine whose server ends with the context."""
    with tempfile.TemporaryDirectory(prefix="millrace-page-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        made = PostgresMachine(Path(folder), programs)
        try:
            yield made
        finally:
            made.run("systemctl stop postgresql 2>/dev/null")


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.usefixtures("processes")
def test_the_archive_brings_back_a_moment_and_the_standby_takes_over() -> None:
    archive, copy, go_back, role, follow, promote = shell_blocks("docs/postgresql.md")
    programs = PostgresProcess().programs
    with machine(programs) as first, machine(programs) as second:
        first.make_server()
        first.run(archive)
        first.ask("CREATE TABLE plies (text text)")
        assert "failed_count" in first.run(copy)
        first.ask("INSERT INTO plies VALUES ('before')")
        moment = first.ask("SELECT clock_timestamp()")
        first.ask("INSERT INTO plies VALUES ('a mistake')")
        first.run(re.sub(r"(recovery_target_time = )'.*'", rf"\1'{moment}'", go_back))
        assert first.ask("SELECT text FROM plies") == "before"

        first.run(role)
        follow = follow.replace("--host=primary.example.org", f"--host=127.0.0.1 --port={first.port}")
        its_port = f"sed -i 's/^port = .*/port = {second.port}/' /var/lib/postgresql/17/main/postgresql.conf"
        *steps, start = follow.splitlines()
        second.run(*steps, its_port, start)
        first.ask("INSERT INTO plies VALUES ('after')")
        first.run(
            "until psql --tuples-only --command='SELECT replay_lsn = pg_current_wal_lsn() FROM pg_stat_replication' "
            "| grep --quiet t; do sleep 0.1; done"
        )
        first.run("systemctl stop postgresql")
        assert " t" in second.run(promote)
        second.ask("INSERT INTO plies VALUES ('on the standby')")
        assert second.ask("SELECT string_agg(text, ',') FROM plies") == "before,after,on the standby"
