"""The log: JSON for programs, and levels for systemd's journal."""

import io
import json
import logging
import os
import re
from pathlib import Path

import pytest
import structlog

from millrace.server.runtime.standard_streams import (
    JOURNAL_VARIABLE,
    announce,
    is_journal,
    log_processors,
    log_to_stderr,
)


def logged(*, is_json: bool = False, has_levels: bool = False) -> str:
    """Return what a warning with ids and an error with a traceback are written as."""
    file = io.StringIO()
    processors = log_processors(is_json=is_json, has_levels=has_levels)
    log = structlog.wrap_logger(
        structlog.PrintLogger(file),
        processors,
        structlog.make_filtering_bound_logger("info"),
        cache_logger_on_first_use=False,
    )
    log.warning("message refused", request="c1", match="m1", player="guest-1")
    try:
        raise ValueError("two\nlines")
    except ValueError:
        log.exception("failed")
    log.debug("not written")
    return file.getvalue()


def test_json_has_an_entry_in_each_line_with_its_ids() -> None:
    refused, failed = (json.loads(line) for line in logged(is_json=True).splitlines())
    assert refused.items() >= {"event": "message refused", "level": "warning", "process": os.getpid()}.items()
    assert refused.items() >= {"request": "c1", "match": "m1", "player": "guest-1"}.items()
    assert "T" in refused["timestamp"]
    assert (failed["event"], failed["level"]) == ("failed", "error")
    assert "ValueError: two\nlines" in failed["exception"]


@pytest.mark.parametrize("is_json", [True, False])
def test_every_line_in_the_journal_begins_with_its_level(is_json: bool) -> None:
    first, *others = logged(is_json=is_json, has_levels=True).splitlines()
    assert first.startswith("<4>")
    assert is_json or first.startswith("<4>[warning"), "The journal has its own times."
    assert others
    assert all(line.startswith("<3>") for line in others)


def test_text_outside_the_journal_has_no_levels_and_no_colours() -> None:
    text = logged()
    assert "<4>" not in text
    assert "\x1b" not in text
    assert "request=c1" in text


def test_the_journal_is_recognised_by_device_and_inode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "journal").open("w") as journal, (tmp_path / "other").open("w") as other:
        status = os.fstat(journal.fileno())
        assert not is_journal(journal.fileno())
        monkeypatch.setenv(JOURNAL_VARIABLE, f"{status.st_dev}:{status.st_ino}")
        assert is_journal(journal.fileno())
        assert not is_journal(other.fileno())


def test_progress_is_printed_in_the_format_of_the_log(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    announce("Players are welcome.")
    assert capsys.readouterr().out == "Players are welcome.\n"
    monkeypatch.setenv("MILLRACE_LOG_FORMAT", "json")
    announce("Players are welcome.")
    entry = json.loads(capsys.readouterr().out)
    assert entry.items() >= {"event": "Players are welcome.", "level": "info"}.items()
    times = entry["timestamp"], *(json.loads(line)["timestamp"] for line in logged(is_json=True).splitlines())
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", time) for time in times)


def test_what_libraries_log_is_written_like_other_entries(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MILLRACE_LOG_FORMAT", "json")
    log_to_stderr()
    try:
        raise ValueError("refused")
    except ValueError:
        logging.getLogger("some.library").exception("Transient error %s", "503")
    (line,) = capsys.readouterr().err.splitlines()
    entry = json.loads(line)
    assert entry.items() >= {"event": "Transient error 503", "level": "error", "process": os.getpid()}.items()
    assert "ValueError: refused" in entry["exception"]
    monkeypatch.undo()
    log_to_stderr()
