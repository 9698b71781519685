"""A match of the server, summarized for the event logs."""

from millrace.engine.game import TERRITORY
from millrace.protocol import NOBODY
from millrace.server.matches.match import Match
from millrace.server.matches.views import board_of
from tests.event_logs.logs import Summary, summarize_changes, summarize_clocks, summarize_periods, summarize_result


def summarize_match(match: Match) -> Summary:
    state = match.state
    drawing = state.drawing
    board = board_of(state)
    piles = zip(board.cells, drawing.piles, strict=True)
    is_territory_counted = match.ended is not None and match.ended.reason == TERRITORY
    territory = state.territory if is_territory_counted else None
    departed = {departure.seat for departure in match.departures}
    open_offers = [offer for offer in match.offers.made if state.ply < offer.lapses_at_ply]
    return Summary(
        seq=match.seq,
        plies=state.ply,
        last_move=state.move_texts[-1] if state.ply else None,
        to_move=match.to_move,
        clocks_ms=summarize_clocks(None if match.clock is None else match.clock.remaining_ms, departed),
        periods=summarize_periods(() if match.clock is None else match.clock.periods, departed),
        players=[None if player is None else player.id for player in match.players],
        piles={cell.name: (pile.seat, pile.size) for cell, pile in piles if pile is not None},
        reserves=list(drawing.reserves),
        ground=None if drawing.ground is None else [index for index, is_laid in enumerate(drawing.ground) if is_laid],
        territory=None if territory is None else [NOBODY if seat is None else seat for seat in territory],
        tallies=[(tally.name, list(tally.counts)) for tally in state.tallies],
        cells=len(board.cells),
        departures=[
            (each.seat, each.reason, {str(seat): choice for seat, choice in each.votes.items()}, each.stand_in)
            for each in match.departures
        ],
        offers=[
            (offer.kind, offer.seat, offer.lapses_at_ply, sorted(offer.agreed), offer.plies) for offer in open_offers
        ],
        is_paused=match.pause is not None,
        result=summarize_result(match.ended),
        rating_changes=summarize_changes(match.rated),
        is_void=match.is_void,
        rematch_offers=sorted(match.rematch_offers),
        rematch_declined=sorted(match.rematch_declined),
        rematch=match.successor,
    )
