"""The page folds the golden event logs into what they expect."""

from pathlib import Path

import msgspec
import pytest

from tests.browser.visitor import Visit
from tests.golden.logs import Log, differences, read_logs

SCRIPT = (Path(__file__).parent / "fold_log.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def logs() -> list[Log]:
    return read_logs()


def test_the_page_folds_the_golden_logs(visit: Visit, logs: list[Log]) -> None:
    page = visit().open().page
    for log in logs:
        folded = page.evaluate(SCRIPT, msgspec.to_builtins(log))
        for summary, step in zip(folded["summaries"], log.steps, strict=True):
            assert differences(summary, step.summary) == {}, f"{log.name}, event {step.sent.seq}"
        assert folded["moves"] == log.moves
