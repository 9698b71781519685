"""Runs commands of `millrace` in the test's own process, or starts them as processes."""

import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from millrace.server.app.cli import app
from tests.processes import end_with_tests


def run(*arguments: str) -> tuple[int, str]:
    """Run a command here, where the kernels are already compiled; return its exit code and output."""
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    return done.exit_code, done.output


def output_of(*arguments: str, code: int = 0) -> str:
    """Run a command here, which must end with an exit code; return its output."""
    ended, output = run(*arguments)
    assert ended == code, output
    return output


def start(*arguments: str) -> "subprocess.Popen[str]":
    """Start a command as a process with its own group, whose lines can be read when they are printed."""
    return subprocess.Popen(
        [sys.executable, "-m", "millrace.server.app.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=Path(__file__).parents[1],
        start_new_session=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        preexec_fn=end_with_tests,
    )


def finish(process: "subprocess.Popen[str]") -> tuple[int, str]:
    """Wait for such a process; return its exit code and the rest of its output."""
    output, _ = process.communicate()
    return process.returncode, output
