"""The server has the games' WebAssembly modules made, and says so where it cannot."""

import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from millrace.server.bots import modules


@pytest.mark.usefixtures("processes")
async def test_the_reasons_why_games_have_no_module_are_logged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho 'chess: It needs the functions malloc.'\nexit 3\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    with capture_logs() as logs:
        await modules.make_modules()
    assert [(line["event"], line.get("reason", line.get("code"))) for line in logs] == [
        ("no module for browsers", "chess: It needs the functions malloc."),
        ("the process that makes modules for browsers died", 3),
    ]


async def test_without_a_folder_for_them_no_modules_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "kernels_folder", lambda: None)
    monkeypatch.setattr(modules, "start_child", None)
    await modules.make_modules()
