"""The repository's files, for tests of its conventions."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.service_process import skip_without

ROOT = Path(__file__).parents[2]

_NOT_OURS = re.compile(r"\.git|\.venv|__pycache__|.*_cache|.*\.egg-info|\.hypothesis|build|dist|node_modules")


def read(name: str) -> str:
    """Return the text of a file of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def shell_blocks(name: str) -> list[str]:
    """Return the fenced blocks of shell commands of a page."""
    return re.findall(r"^```sh\n(.*?)\n```$", read(name), re.MULTILINE | re.DOTALL)


def files(folder: Path = ROOT) -> Iterator[Path]:
    """Yield every file of the repository, without files made by tools and tests."""
    for path in sorted(folder.iterdir()):
        if _NOT_OURS.fullmatch(path.name) or path.is_symlink():
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def check_schema(schema: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Check a file by a published schema."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def run_tool(*command: str, **variables: str) -> str:
    """Run a program in the repository, which must succeed; return its output.

    Without the program, the test is skipped, unless `MILLRACE_TESTS_REQUIRE_ALL=1`: then it fails.
    """
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, **variables}
        )
    except FileNotFoundError:
        skip_without(f"This machine has no {command[0]}.")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
