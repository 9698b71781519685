"""The Python client folds the events of a match as the server does."""

import pytest

from millrace.client.match_view import MatchView
from millrace.protocol import Board
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.fold import apply_event, replay
from tests.event_logs.logs import (
    Summary,
    differences,
    summarize_changes,
    summarize_clocks,
    summarize_periods,
    summarize_result,
)
from tests.event_logs.recording import SCRIPTS, event_log


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_python_client_folds_a_log_as_the_server_does(name: str) -> None:
    log, view = event_log(name), MatchView()
    for step in log.steps:
        view = view.after(step.sent)
        assert differences(summarize_view(view, log.board), step.summary) == {}
    assert list(view.moves) == log.moves


@pytest.mark.parametrize("name", SCRIPTS)
def test_clocks_run_as_on_the_server(name: str) -> None:
    view, match = MatchView(), None
    for sent in (step.sent for step in event_log(name).steps):
        recorded = Recorded(sent.seq, Entry(sent.event, sent.at_ms))
        match = replay(sent.match, [recorded]) if match is None else apply_event(match, recorded)
        view = view.after(sent)
        assert view.first_ply_due_at_ms == match.first_ply_due_at_ms
        assert view.running_seat == (None if match.clock is None else match.clock.running)
        if match.clock is None:
            continue
        for seat in match.staying:
            for now_ms in (sent.at_ms, sent.at_ms + 4_000, sent.at_ms + 20_000):
                assert view.clock_face(seat, now_ms) == tuple(match.clock.face(seat, now_ms))


def summarize_view(view: MatchView, first_board: Board) -> Summary:
    departed = {departure.seat for departure in view.departures}
    return Summary(
        seq=view.seq,
        plies=len(view.moves),
        last_move=view.moves[-1] if view.moves else None,
        to_move=view.to_move,
        clocks_ms=summarize_clocks(view.clocks_ms, departed),
        periods=summarize_periods(view.periods, departed),
        players=[None if player is None else player.id for player in view.players],
        piles={cell: (pile.seat, pile.size) for cell, pile in view.piles.items()},
        reserves=list(view.reserves),
        ground=None if view.ground is None else list(view.ground),
        territory=None if view.territory is None else list(view.territory),
        tallies=[(tally.name, list(tally.counts)) for tally in view.tallies],
        cells=len((view.board or first_board).cells),
        departures=[
            (each.seat, each.reason, {str(seat): choice for seat, choice in each.votes.items()}, each.stand_in)
            for each in view.departures
        ],
        offers=[
            (offer.kind, offer.seat, offer.lapses_at_ply, sorted(offer.agreed), offer.plies) for offer in view.offers
        ],
        is_paused=view.paused_until_ms is not None,
        result=summarize_result(view.result),
        rating_changes=summarize_changes(view.rated),
        is_void=view.is_void,
        rematch_offers=sorted(view.rematch_offers),
        rematch_declined=sorted(view.rematch_declined),
        rematch=view.rematch,
    )
