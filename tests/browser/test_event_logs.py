"""The page folds the events of a match as the server does."""

from pathlib import Path

import msgspec

from tests.browser.visitor import Visit
from tests.event_logs.logs import differences
from tests.event_logs.recording import SCRIPTS, event_log

SCRIPT = (Path(__file__).parent / "fold_log.js").read_text(encoding="utf-8")


def test_the_page_folds_the_logs_as_the_server_does(visit: Visit) -> None:
    page = visit().open().page
    for log in map(event_log, SCRIPTS):
        folded = page.evaluate(SCRIPT, msgspec.to_builtins(log))
        for summary, step in zip(folded["summaries"], log.steps, strict=True):
            assert differences(summary, step.summary) == {}, f"{log.name}, event {step.sent.seq}"
        assert folded["moves"] == log.moves
