// Folds an event log by the page's own modules; returns the summary after each event (tests/event_logs/logs.py).
async (log) => {
  const main = document.querySelector('script[src$="/main.bundle.js"]').src;
  const { MatchState } = await import(new URL("match/match_state.js", main));
  const match = new MatchState("recorded", () => undefined);
  const sorted = (seats) => [...seats].sort((one, other) => one - other);

  const summarize = ({ position, departures, offers, end }) => ({
    seq: match.seq,
    plies: match.plies.length,
    last_move: match.plies.at(-1)?.move ?? null,
    to_move: match.toMove,
    clocks_ms: match.clock && match.players.map((_, seat) => (departures.has(seat) ? null : match.clocks.left_ms(seat, false, 0))),
    periods: match.clocks.periods.map((left, seat) => (departures.has(seat) ? null : left)),
    players: match.players.map((player) => player?.id ?? null),
    piles: Object.fromEntries([...position.piles].map(([cell, { seat, size }]) => [cell, [seat, size]])),
    reserves: position.reserves,
    ground: position.ground,
    territory: position.territory,
    tallies: position.tallies.map(({ name, counts }) => [name, counts]),
    cells: position.board.cells.length,
    departures: [...departures].map(([seat, { reason, votes, decision }]) => [
      seat,
      reason,
      Object.fromEntries(votes),
      decision?.choice ?? null,
    ]),
    offers: offers.open.map(({ kind, seat, lapsesAt, agreed, plies }) => [kind, seat, lapsesAt, sorted(agreed), plies]),
    is_paused: offers.isPaused,
    result: end && [end.ranks, end.reason, end.explanation, end.seat],
    rating_changes: match.rated && match.rated.changes.map((change) => change && [change.before, change.after]),
    is_void: match.isVoid,
    rematch_offers: sorted(offers.rematch),
    rematch_declined: sorted(offers.noRematch),
    rematch: match.rematch,
  });

  match.receive({ type: "watching", match: "recorded", seq: log.steps.length, board: log.board, your_seats: [], now_ms: 0 });
  const summaries = log.steps.map(({ sent }) => {
    match.receive(sent);
    return summarize(match);
  });
  return { summaries, moves: match.plies.map(({ move }) => move) };
};
