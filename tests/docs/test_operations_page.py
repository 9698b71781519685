"""`docs/operations.md`: its commands run in order, and its files are checked.

Paths lead to a temporary folder. Programs that would change the machine are replaced: `systemctl` starts the command of
the page's unit.
"""

import os
import re
import socket
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path

import pytest

from tests.processes import end_with_tests
from tests.project.repository import ROOT, read, shell_blocks
from tests.server.databases import fresh_postgres
from tests.server.players.mail.mail_server import mail_server_in_a_thread

PAGE = "docs/operations.md"
NOTHING = "#!/bin/sh\n"
RUNUSER = '#!/bin/sh\nshift 2\nexec "$@"\n'
INSTALL = '#!/bin/sh\nfor each in "$@"; do case "$each" in -*) ;; *) mkdir -p "$each" ;; esac; done\n'
MILLRACE = f'#!/bin/sh\nexec {sys.executable} -m millrace.server.app.cli "$@"\n'
REGISTER = f"""#!{sys.executable}
import asyncio, os, sys
from millrace.client import connect

async def register(name):
    async with connect("localhost:" + os.environ["PORT"]) as me:
        await me.account.register(name, "correct horse battery")

for name in sys.argv[1:]:
    asyncio.run(register(name))
"""
"""Creates accounts, as readers do on the page."""
SYSTEMCTL = """#!/bin/sh
set -a
. "$FOLDER/etc/millrace/options"
stop() {
    if [ -f "$FOLDER/pid" ]; then
        kill "$(cat "$FOLDER/pid")"
        while kill -0 "$(cat "$FOLDER/pid")" 2>/dev/null; do sleep 0.05; done
        rm "$FOLDER/pid"
    fi
}
case "$*" in
    *millrace-backup.timer) ;;
    *millrace-backup.service) eval "$BACKUP" ;;
    *start*|enable*--now*)
        stop
        $EXEC_START >>"$FOLDER/log" 2>&1 &
        echo $! >"$FOLDER/pid"
        curl --fail --silent --retry 600 --retry-delay 1 --retry-all-errors "http://localhost:$PORT/health"
        ;;
    stop*) stop ;;
esac
"""
"""Runs the server of the unit; a restart is a stop and a start, which returns when players can play."""


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)\n```$", read(PAGE), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def unit() -> RawConfigParser:
    parser = RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(block("ini"))
    return parser


def backup_unit() -> str:
    """Return the commands of the unit that backs up, as one."""
    (unit_text,) = (text for text in re.findall(r"^```ini\n(.*?)\n```$", read(PAGE), re.M | re.S) if "oneshot" in text)
    return " && ".join(re.findall("^ExecStart=(.*)$", unit_text, re.MULTILINE))


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """A folder for the page's paths, with replaced programs; returns the environment of a shell."""
    programs = {"runuser": RUNUSER, "install": INSTALL, "register": REGISTER, "systemctl": SYSTEMCTL}
    programs |= dict.fromkeys(("useradd", "journalctl", "createuser", "createdb"), NOTHING)
    installed = {"opt/millrace/bin/millrace": MILLRACE, "opt/millrace/bin/pip": NOTHING}
    for name, text in {**{f"bin/{name}": text for name, text in programs.items()}, **installed}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
        path.chmod(0o755)
    (tmp_path / "etc/millrace").mkdir(parents=True)
    (tmp_path / "etc/millrace/smtp-password").write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    start = on_machine(f"{unit()['Service']['ExecStart']} --port 8000", tmp_path, port)
    return {
        **os.environ,
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "FOLDER": str(tmp_path),
        "PORT": str(port),
        "BACKUP": on_machine(backup_unit().replace("%%", "%"), tmp_path, port),
        "EXEC_START": f"{start} --no-tablebases --no-browser-engine --bot-workers 1",
    }


def on_machine(text: str, folder: Path, port: int) -> str:
    text = text.replace("python3 -m venv /opt/millrace\n", "")
    text = re.sub("(?<![a-z])/(opt|var|etc)/", rf"{folder}/\1/", text).replace("/usr/local/bin/", f"{folder}/bin/")
    return re.sub(r"\b8000\b", str(port), text)


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.usefixtures("processes")
def test_every_command_of_the_page_can_be_run(tmp_path: Path, machine: dict[str, str]) -> None:
    blocks = shell_blocks(PAGE)
    assert len(blocks) >= 8
    script = on_machine("\n".join(["set -eux", *blocks, "systemctl stop millrace"]), tmp_path, int(machine["PORT"]))
    script = re.sub("^(.* make-admin )", r"register Margaret Annabel\n\1", script, flags=re.MULTILINE)
    with mail_server_in_a_thread() as mails, fresh_postgres() as database:
        script = script.replace("smtp://millrace@mail.example.org:587", mails.address)
        script = script.replace("postgresql:///millrace", database)
        script = re.sub("^MILLRACE_KERNEL_CACHE=.*\n", "", script, flags=re.MULTILINE)  # the tests have their own
        done = subprocess.run(
            ["bash", "-c", script], env=machine, capture_output=True, text=True, check=False, preexec_fn=end_with_tests
        )
    log = tmp_path / "log"
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{log.read_text() if log.exists() else ''}"
    assert mails.mails.get_nowait().to == "admin@example.org"
    assert "Margaret: made admin." in done.stdout
    assert '"name":"Annabel"' in (tmp_path / "var/lib/millrace/annabel.json").read_text()
    assert "192.0.2.0/24" in done.stdout
    assert done.stdout.count("is complete") == 1
    assert done.stdout.count("Restored ") == 3
    assert done.stdout.count("Both databases have the same") == 1
    assert done.stdout.count("is kept as ") == 2
    assert done.stdout.count('"status":"ok"') == 7
    assert log.read_text().count("Stopping. Every acknowledged move is stored.") == 6


def test_the_page_describes_every_metric() -> None:
    named = re.findall(r"^\| `(millrace_\w+)` \|", read(PAGE), re.MULTILINE)
    assert sorted(named) == sorted(re.findall(r"^\| `(millrace_\w+)` \|", read("docs/metrics.md"), re.MULTILINE))


def test_the_unit_allows_the_folders_that_the_server_writes() -> None:
    service = unit()["Service"]
    options = dict(re.findall(r"^(MILLRACE_\w+)=(.*)$", read(PAGE), re.MULTILINE))
    data = Path(options["MILLRACE_DATA_DIR"])
    assert service["EnvironmentFile"] == "/etc/millrace/options"
    assert str(data) in service["ReadWritePaths"].split()
    assert data == Path("/var/lib", service["StateDirectory"])
    assert options["MILLRACE_KERNEL_CACHE"] == f"/var/cache/{service['CacheDirectory']}"
    assert "MemoryDenyWriteExecute" not in service


@pytest.mark.usefixtures("processes")
def test_the_unit_is_a_sandbox_by_the_rating_of_systemd(tmp_path: Path) -> None:
    file = tmp_path / "millrace.service"
    file.write_text(block("ini"))
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(file)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    except FileNotFoundError:
        pytest.skip("This machine has no systemd.")
    assert done.returncode == 0, done.stdout


def test_the_proxies_forward_the_headers_that_the_server_reads() -> None:
    nginx = block("nginx")
    for header in ("Host $host", "X-Forwarded-For $proxy_add_x_forwarded_for", "X-Forwarded-Proto $scheme"):
        assert f"proxy_set_header {header};" in nginx
    assert nginx.count("{") == nginx.count("}")
    assert "http2 on" not in nginx, "Debian 12 and Ubuntu 24.04 have releases older than this directive."
    assert "reverse_proxy localhost:8000" in block("caddyfile")


def test_the_page_needs_no_sudo_since_its_reader_is_root() -> None:
    assert "As root" in read(PAGE)
    assert not re.search(r"\bsudo\b", read(PAGE))
