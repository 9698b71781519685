"""The server folds the golden event logs into what they expect, and sends what clients fold."""

import pytest

from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.fold import apply_event, replay
from millrace.server.matches.views import board_of, match_event_of
from tests.golden.logs import Log, differences, read_logs
from tests.golden.server_fold import summarize_match


@pytest.mark.parametrize("log", read_logs(), ids=lambda log: log.name)
def test_the_server_folds_a_golden_log(log: Log) -> None:
    recorded = [Recorded(step.sent.seq, Entry(step.sent.event, step.sent.at_ms)) for step in log.steps]
    before, match = None, replay(log.steps[0].sent.match, recorded[:1])
    board = board_of(match.state)
    assert board == log.board
    for event, step in zip(recorded, log.steps, strict=True):
        if event.seq > 1:
            before, match = match, apply_event(match, event)
            board = board_of(before.state)
        assert differences(summarize_match(match), step.summary) == {}
        assert match.state.position_text == step.position
        assert match_event_of(board, before, match, event) == step.sent
    assert list(match.state.move_texts) == log.moves
