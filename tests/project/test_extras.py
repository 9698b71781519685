"""Each combination of extras: what works with it, and what a command says that needs more."""

import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from millrace.server.app.extras import MODULES
from tests.project.repository import ROOT, read

PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]

BLOCKED = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
blocked = set(sys.argv[1].split(","))
sys.meta_path.insert(0, Blocker())
"""
"""Hides the packages of some extras, as if they were not installed."""

RUN = """
sys.argv = ["millrace", *sys.argv[2:]]
from millrace.server.app.__main__ import main
main()
"""

IMPORT = """
import importlib
for name in sys.argv[2:]:
    importlib.import_module(name)
foreign = {name.partition(".")[0] for name, module in sys.modules.items()
           if "site-packages" in str(getattr(module, "__file__", None))}
print(*sorted(foreign - {"_distutils_hack", "typing_extensions"}))  # msgspec uses the latter if it is there
"""

INSTALLABLE = {
    "": ["import millrace.client, millrace.client.bots, millrace.protocol"],
    "engine": ["from millrace.engine.games import find_game; find_game('morris')"],
    "terminal": ["-m millrace.server.app play --help", "-m millrace.server.app bot --help"],
    "server": ["-m millrace.server.app perft morris --depth 2", "-m millrace.server.app migrate --data-dir data"],
    "server,tracing": ["import millrace.server.app.tracing; import opentelemetry.exporter.otlp.proto.http"],
    "server,postgres": ["import millrace.server.storage.postgres_batches, asyncpg"],
    "server,cluster": ["import millrace.server.cluster.redis_bus, millrace.server.bots.dask.cluster_bots"],
}
"""Programs that work in an empty environment with some extras."""

pytestmark = pytest.mark.sampled


def run_without(extras: str, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    hidden = ",".join(module for extra in extras.split() for module in MODULES[extra])
    command = [sys.executable, "-c", BLOCKED + program, hidden, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_the_modules_of_every_extra_are_those_of_its_requirements() -> None:
    homes = packages_distributions()
    for extra, modules in MODULES.items():
        wanted = {canonicalize_name(Requirement(text).name) for text in EXTRAS[extra]} - {"millrace"}
        provided = {canonicalize_name(name) for module in modules for name in homes.get(module, ())}
        assert wanted <= provided | {"uvloop"}, extra
        # OpenTelemetry's packages share one module.
        assert {name for name in provided if not name.startswith("opentelemetry-")} <= wanted | {"dask"}, extra


@pytest.mark.usefixtures("processes")
def test_the_client_needs_nothing_but_its_two_packages() -> None:
    done = run_without("terminal engine server postgres cluster", IMPORT, "millrace.client", "millrace.client.bots")
    assert done.stdout.split() == ["msgspec", "websockets"], done.stderr
    assert sorted(Requirement(text).name for text in PROJECT["dependencies"]) == ["msgspec", "websockets"]


ALL = "terminal engine server postgres cluster"
WITHOUT_TERMINAL = "engine server postgres cluster"


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    ("missing", "arguments", "extra"),
    [
        (ALL, "serve", "server"),
        (ALL, "play", "terminal"),
        (ALL, "bot localhost:8000", "terminal"),
        (WITHOUT_TERMINAL, "serve", "server"),
        (WITHOUT_TERMINAL, "perft morris --depth 2", "server"),
        (WITHOUT_TERMINAL, "play --local", "server"),
        (WITHOUT_TERMINAL, "bot localhost:8000 --token x", "server"),
        (WITHOUT_TERMINAL, "bot-check -- bot", "server"),
        ("postgres", "serve --port 0 --database postgresql://root@127.0.0.1:1/x", "postgres"),
        ("postgres", "migrate --database postgresql://root@127.0.0.1:1/x", "postgres"),
        ("postgres", "backup FOLDER/file --database postgresql://root@127.0.0.1:1/x", "postgres"),
        ("cluster", "serve --port 0 --bots tcp://127.0.0.1:1", "cluster"),
        ("tracing", "serve --port 0 --traces http://127.0.0.1:1", "tracing"),
        ("cluster", "bot-worker tcp://127.0.0.1:1", "cluster"),
    ],
)
def test_a_command_names_the_extra_that_it_needs(tmp_path: Path, missing: str, arguments: str, extra: str) -> None:
    words = arguments.replace("FOLDER", str(tmp_path)).split()
    done = run_without(missing, RUN, *words, *(("--data-dir", str(tmp_path)) if "serve" in words else ()))
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{sys.executable} -m pip install 'millrace[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("arguments", [(), ("--help",)])
def test_the_bare_command_says_what_to_install(arguments: tuple[str, ...]) -> None:
    done = run_without(ALL, RUN, *arguments)
    assert done.returncode == 1
    assert "millrace[terminal]" in done.stderr
    assert "millrace[server]" in done.stderr


@pytest.mark.usefixtures("processes")
def test_a_module_that_no_extra_brings_is_an_error_of_the_program() -> None:
    done = run_without("cluster", f"sys.modules.pop('pathlib', None)\nblocked.add('pathlib')\n{RUN}", "--help")
    assert "Traceback" in done.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("extras", INSTALLABLE)
def test_each_combination_works_in_an_empty_environment(tmp_path: Path, extras: str) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    wanted = f"{ROOT}[{extras}]" if extras else str(ROOT)
    subprocess.run([python, "-m", "pip", "install", "--quiet", wanted], check=True, cwd=tmp_path)
    for program in INSTALLABLE[extras]:
        arguments = program.split() if program.startswith("-m") else ["-c", program]
        done = subprocess.run([python, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
