"""`docker` for tests of pages: containers of Millrace are processes of this machine, and other services stand still.

`FAKE_DOCKER` names a folder; `settings.json` there has the `options` of the nodes, their `number`, the address of the
`database`, and the environment is that of the nodes.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

FOLDER = Path(os.environ["FAKE_DOCKER"])
SETTINGS: dict[str, Any] = json.loads((FOLDER / "settings.json").read_text())
MILLRACE = [sys.executable, "-m", "millrace.server.app.cli"]
PATIENCE_S = 240
IN_CONTAINER = "postgresql://millrace@database:5432/millrace"


def nodes() -> dict[str, int]:
    """Return the port of each node by its process id."""
    path = FOLDER / "nodes.json"
    found: dict[str, int] = json.loads(path.read_text()) if path.exists() else {}
    return found


def keep(found: dict[str, int]) -> None:
    (FOLDER / "nodes.json").write_text(json.dumps(found))


def here(words: list[str]) -> list[str]:
    """Return a command with the addresses and folders of this machine."""
    places = {IN_CONTAINER: SETTINGS["database"], "/data/": f"{FOLDER}/data/", "/backups/": f"{FOLDER}/data/"}
    for place, ours in places.items():
        words = [word.replace(place, ours) for word in words]
    return words


def start_node() -> tuple[str, int]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    with (FOLDER / f"node-{port}.log").open("wb") as log:
        command = [*MILLRACE, "serve", "--port", str(port), *SETTINGS["options"]]
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    return str(process.pid), port


def is_healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def up() -> None:
    """Start the missing nodes, and wait until all are healthy."""
    found = nodes()
    while len(found) < SETTINGS["number"]:
        found |= dict([start_node()])
    keep(found)
    give_up_s = time.monotonic() + PATIENCE_S
    while not all(map(is_healthy, found.values())):
        if time.monotonic() > give_up_s:
            raise SystemExit("a node is not healthy")
        time.sleep(0.2)


def stop(process: str) -> None:
    """Stop a node as Docker does, and wait for its end."""
    os.kill(int(process), signal.SIGTERM)
    give_up_s = time.monotonic() + PATIENCE_S
    while Path(f"/proc/{process}").exists() and _state(process) != "Z" and time.monotonic() < give_up_s:
        time.sleep(0.05)


def _state(process: str) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def run(words: list[str]) -> None:
    raise SystemExit(subprocess.run(here(words), check=False).returncode)


def main(*words: str) -> None:
    """Do what a page asks of Docker."""
    match words:
        case ("stop", process):
            stop(process)
        case ("rm", process):
            keep({each: port for each, port in nodes().items() if each != process})
        case ("image", "tag", *_) | ("compose", "build") | ("compose", "ps"):
            pass
        case ("compose", "up", *_, "scheduler", "worker"):
            pass
        case ("compose", "ps", "--quiet", "node"):
            print(*nodes(), sep="\n")
        case ("compose", "exec", "--no-TTY", "node", "millrace", *arguments):
            (FOLDER / "data").mkdir(exist_ok=True)
            os.environ["MILLRACE_DATABASE"] = SETTINGS["database"]
            run([*MILLRACE, *arguments])
        case ("compose", "stop", "node"):
            for process in nodes():
                stop(process)
            keep({})
        case ("compose", "run", "--rm", "--volume", "millrace_nodes:/backups:ro", "migration", *arguments):
            run([*MILLRACE, *arguments])
        case ("compose", "run", "--rm", "migration"):
            shutil.rmtree(FOLDER / "migration", ignore_errors=True)
            run([*MILLRACE, "migrate", "--data-dir", str(FOLDER / "migration"), "--database", IN_CONTAINER])
        case ("compose", "up", "--detach", "--no-deps", *_, "--wait", "node"):
            up()
        case _:
            raise SystemExit(f"docker {' '.join(words)}: not known to the test")


if __name__ == "__main__":
    main(*sys.argv[1:])
