"""Plays matches with the referee, and records the summaries of the server's fold. Nothing is left to chance."""

from collections.abc import Callable, Mapping
from functools import cache

from millrace.protocol import (
    Abort,
    AcceptOffer,
    Annotated,
    Berserk,
    ChooseStandIn,
    ClockSettings,
    CommandId,
    Create,
    Created,
    Decline,
    DeclineOffer,
    DeclineRematch,
    EndPause,
    Event,
    GiveTime,
    IdentityId,
    Join,
    LeaveSeat,
    MatchCommand,
    MatchId,
    Offer,
    Player,
    Rated,
    RatingChange,
    Rematch,
    RematchStarted,
    Resign,
    SeatPlan,
    TournamentId,
    Voided,
)
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.creation import open_match, open_tournament_match
from millrace.server.matches.fold import apply_event, replay
from millrace.server.matches.match import Match, Phase
from millrace.server.matches.referee import decide, decide_due, decide_ply, decide_resume
from millrace.server.matches.views import board_of, match_event_of
from tests.event_logs.logs import Log, Step
from tests.event_logs.server_fold import summarize_match

PEOPLE = tuple(
    Player(IdentityId(f"account-{name.lower()}"), name, registered=True) for name in ("Ann", "Ben", "Cat", "Dan")
)
MATCH = MatchId("recorded")
ID = CommandId("c")
ME, OPEN = SeatPlan("me"), SeatPlan("open")
START_MS = 1_764_000_000_000
TURN_MS = 3_000
"""The time for each ply."""


class Recorder:
    """A match played with the referee on a simulated clock."""

    def __init__(
        self,
        game: str,
        setup: str = "",
        *,
        seats: int = 2,
        clock: ClockSettings | None = None,
        rated: bool = False,
        invited: Player | None = None,
    ) -> None:
        self.now_ms = START_MS
        self.recorded: list[Recorded] = []
        plans = (ME, *(OPEN,) * (seats - 1))
        name = None if invited is None else invited.name
        command = Create(ID, game, plans, setup, clock, rated=rated, invited=name)
        invited_id = None if invited is None else invited.id
        self.store(*open_match(command, PEOPLE[0], range(seats), self.now_ms, invited=invited_id))

    @property
    def match(self) -> Match:
        return replay(MATCH, self.recorded)

    @property
    def is_over(self) -> bool:
        return self.match.phase is Phase.OVER

    def store(self, *events: Event) -> None:
        for event in events:
            self.recorded.append(Recorded(len(self.recorded) + 1, Entry(event, self.now_ms)))

    def fill(self) -> "Recorder":
        for player in PEOPLE[1 : len(self.match.players)]:
            self.obey(Join(ID, MATCH), player)
        return self

    def obey(self, command: MatchCommand, player: Player, after_ms: int = 1_000) -> None:
        self.now_ms += after_ms
        self.store(*decide(self.match, command, player, self.now_ms).events)

    def play(self, *moves: str) -> None:
        for move in moves:
            self.now_ms += TURN_MS
            self.store(*decide_ply(self.match, self.match.state.seat, move, self.now_ms).events)

    def play_by_number(self, plies: int, salt: int) -> None:
        """Play a legal move that the number of plies and `salt` choose, up to so many times or to the end."""
        for _ in range(plies):
            if self.is_over:
                return
            state = self.match.state
            moves = sorted(state.format_move(move) for move in state.legal_moves)
            self.play(moves[(state.ply + 1) * salt % len(moves)])

    def wait(self, for_ms: int) -> None:
        self.now_ms += for_ms
        self.store(*decide_due(self.match, self.now_ms))

    def restart_server(self, away_ms: int) -> None:
        last_sign_of_life_ms = self.now_ms
        self.now_ms += away_ms
        self.store(*decide_resume(self.match, last_sign_of_life_ms, self.now_ms))

    def log(self, name: str) -> Log:
        first = replay(MATCH, self.recorded[:1])
        first_board = board_of(first.state)
        steps, before = [], None
        for recorded in self.recorded:
            after = first if before is None else apply_event(before, recorded)
            board = first_board if before is None else board_of(before.state)
            sent = match_event_of(board, before, after, recorded)
            steps.append(Step(sent, after.state.position_text, summarize_match(after)))
            before = after
        match = self.match
        return Log(name, match.created.game, len(match.players), first_board, steps, list(match.state.move_texts))


def record_agreements() -> Recorder:
    """Offers of a draw and a pause, more time, a restart of the server, and a rematch."""
    ann, ben = PEOPLE[:2]
    match = Recorder("morris", clock=ClockSettings(180_000, 2_000)).fill()
    match.play("d6", "f4", "a7")
    match.obey(Offer(ID, MATCH, 0, "draw"), ann)
    match.obey(DeclineOffer(ID, MATCH, 1, "draw"), ben)
    match.obey(Offer(ID, MATCH, 1, "draw"), ben)
    match.play("g7", "a1")
    match.obey(Offer(ID, MATCH, 0, "pause"), ann)
    match.obey(AcceptOffer(ID, MATCH, 1, "pause"), ben)
    match.obey(EndPause(ID, MATCH, 0), ann, after_ms=60_000)
    match.obey(GiveTime(ID, MATCH, 0), ann)
    match.restart_server(away_ms=30_000)
    match.play("d1", "d7")
    match.play_by_number(8, salt=5)
    match.obey(Resign(ID, MATCH, 1), ben)
    match.obey(Rematch(ID, MATCH, 1), ben)
    match.obey(DeclineRematch(ID, MATCH, 0), ann)
    match.obey(Rematch(ID, MATCH, 0), ann)
    match.obey(Rematch(ID, MATCH, 1), ben)
    match.store(RematchStarted(MatchId("recorded-2")))
    return match


def record_rated() -> Recorder:
    """A rated match, what it changes, and a moderator who declares the result void."""
    match = Recorder("morris", clock=ClockSettings(60_000), rated=True).fill()
    match.play_by_number(20, salt=7)
    match.obey(Resign(ID, MATCH, 1), PEOPLE[1])
    match.store(Rated((RatingChange(1500, 1516), RatingChange(1612, 1596, provisional=True))))
    match.store(Voided("one of the players had help"))
    return match


def record_takebacks() -> Recorder:
    """Takebacks of one and two plies, a draw that lapses, and a draw by agreement, with a delay on the clock."""
    ann, ben = PEOPLE[:2]
    match = Recorder("morris", clock=ClockSettings(600_000, delay_ms=5_000)).fill()
    match.play("d6", "f4", "a7")
    match.obey(Offer(ID, MATCH, 0, "takeback"), ann)
    match.obey(AcceptOffer(ID, MATCH, 1, "takeback"), ben)
    match.play("a1", "g7")
    match.obey(Offer(ID, MATCH, 0, "takeback"), ann)
    match.obey(AcceptOffer(ID, MATCH, 1, "takeback"), ben)
    match.obey(Offer(ID, MATCH, 1, "pause"), ben)
    match.obey(AcceptOffer(ID, MATCH, 0, "pause"), ann)
    match.wait(for_ms=86_400_000)
    match.play("a7", "g7")
    match.obey(Offer(ID, MATCH, 1, "draw"), ben)
    match.play("a1", "g1")
    match.play_by_number(8, salt=3)
    match.obey(Offer(ID, MATCH, 0, "draw"), ann)
    match.obey(AcceptOffer(ID, MATCH, 1, "draw"), ben)
    return match


def record_flag() -> Recorder:
    """A time limit for the whole match, which a pause and a restart suspend, and a flag that falls before it."""
    ann, ben = PEOPLE[:2]
    match = Recorder("mingmang", clock=ClockSettings(60_000, match_limit_ms=600_000)).fill()
    match.play_by_number(4, salt=11)
    match.obey(Offer(ID, MATCH, 0, "pause"), ann)
    match.obey(AcceptOffer(ID, MATCH, 1, "pause"), ben)
    match.obey(EndPause(ID, MATCH, 1), ben, after_ms=60_000)
    match.play_by_number(2, salt=11)
    match.restart_server(away_ms=30_000)
    match.wait(for_ms=120_000)
    return match


def record_territory() -> Recorder:
    """Captures in Ming Mang, two passes, and territory that is counted."""
    match = Recorder("mingmang").fill()
    match.play_by_number(24, salt=13)
    match.play("pass", "pass")
    return match


def record_no_show() -> Recorder:
    """A first ply that does not come, in a rated match."""
    match = Recorder("battlesheep", "seats=2", clock=ClockSettings(300_000), rated=True).fill()
    match.play_by_number(1, salt=1)
    match.wait(for_ms=600_000)
    return match


def record_declined() -> Recorder:
    """A challenge that is declined."""
    match = Recorder("morris", invited=PEOPLE[1])
    match.obey(Decline(ID, MATCH), PEOPLE[1])
    return match


def record_aborted() -> Recorder:
    """A correspondence match that is called off."""
    match = Recorder("mingmang", clock=ClockSettings(3 * 86_400_000, renews=True)).fill()
    match.play_by_number(1, salt=7)
    match.obey(Abort(ID, MATCH, 1), PEOPLE[1], after_ms=86_400_000)
    return match


def record_periods() -> Recorder:
    """Byo-yomi: main time that ends, a period that is used up, more time within one, a pause, a restart, and a flag."""
    ann, ben = PEOPLE[:2]
    match = Recorder("morris", clock=ClockSettings(10_000, periods=3, period_ms=10_000)).fill()
    match.play("d6", "f4", "a7", "a1", "g7", "d1")
    match.now_ms += 15_000
    match.play("g1")
    match.now_ms += 12_000
    match.obey(GiveTime(ID, MATCH, 0), ann)
    match.play("a4")
    match.obey(Offer(ID, MATCH, 0, "pause"), ann)
    match.obey(AcceptOffer(ID, MATCH, 1, "pause"), ben)
    match.obey(EndPause(ID, MATCH, 0), ann, after_ms=60_000)
    match.play("b4")
    match.restart_server(away_ms=30_000)
    match.obey(Offer(ID, MATCH, 0, "takeback"), ann)
    match.obey(AcceptOffer(ID, MATCH, 1, "takeback"), ben)
    match.play("b4", "b2")
    match.wait(for_ms=60_000)
    return match


def record_berserk() -> Recorder:
    """Record a match of a tournament in which a player halves the time and wins, because the other's flag falls."""
    clock = ClockSettings(60_000, 1_000)
    match = Recorder("morris", clock=clock)
    open_seats = (OPEN, OPEN)
    created = Created("morris", "", open_seats, clock, tournament=TournamentId("evening"), berserk=True)
    match.recorded = []
    match.store(*open_tournament_match(created, PEOPLE[:2], match.now_ms))
    match.play("d6")
    match.obey(Berserk(ID, MATCH, 1), PEOPLE[1])
    match.play("f4", "a7", "g7")
    match.wait(for_ms=120_000)
    return match


def record_whole(game: str, setup: str, seats: int, salt: int) -> Callable[[], Recorder]:
    """A match to its end by the rules."""

    def record() -> Recorder:
        match = Recorder(game, setup, seats=seats, clock=ClockSettings(300_000, 2_000)).fill()
        match.play_by_number(400, salt)
        return match

    return record


def record_departures() -> Recorder:
    """Three seats: a resignation, votes for a bot, and a flag that leaves the last to win."""
    ann, _, cat = PEOPLE[:3]
    match = Recorder("battlesheep", "seats=3", seats=3, clock=ClockSettings(60_000, 1_000)).fill()
    match.play_by_number(6, salt=3)
    match.obey(Resign(ID, MATCH, 1), PEOPLE[1])
    match.obey(ChooseStandIn(ID, MATCH, 0, 1, "bot"), ann)
    match.obey(ChooseStandIn(ID, MATCH, 2, 1, "skip"), cat)
    match.play_by_number(5, salt=5)
    match.wait(for_ms=300_000)
    return match


def record_left_seat() -> Recorder:
    """Record a match in which a player leaves a seat before the start, and another player takes it."""
    _, ben, cat, dan = PEOPLE
    match = Recorder("battlesheep", "seats=3", seats=3)
    match.obey(Join(ID, MATCH), ben)
    match.obey(LeaveSeat(ID, MATCH, 1), ben)
    match.obey(Join(ID, MATCH), cat)
    match.obey(Join(ID, MATCH), dan)
    match.play_by_number(4, salt=7)
    return match


def record_skipping() -> Recorder:
    """Four seats, of which two are left in turn: one is skipped, the other's votes run out of time."""
    ann, ben, cat, dan = PEOPLE
    match = Recorder("battlesheep", "seats=4", seats=4, clock=ClockSettings(300_000, 0)).fill()
    match.play_by_number(9, salt=3)
    match.obey(Resign(ID, MATCH, 3), dan)
    for seat, player in enumerate((ann, ben, cat)):
        match.obey(ChooseStandIn(ID, MATCH, seat, 3, "skip"), player)
    match.play_by_number(6, salt=7)
    match.obey(Resign(ID, MATCH, 0), ann)
    match.obey(ChooseStandIn(ID, MATCH, 1, 0, "skip"), ben)
    match.wait(for_ms=60_000)
    match.play_by_number(400, salt=5)
    return match


def record_annotated() -> Recorder:
    """A match with the remarks of an imported record."""
    match = Recorder("morris").fill()
    match.store(Annotated("from a book"))
    match.play("d6", "f4")
    match.store(Annotated("too early", (2,), ("1... d2 2. b4",)))
    match.play("a7")
    match.obey(Resign(ID, MATCH, 1), PEOPLE[1])
    return match


SCRIPTS: Mapping[str, Callable[[], Recorder]] = {
    "morris: a tournament, half the time": record_berserk,
    "morris: offers, a pause, more time, a restart and a rematch": record_agreements,
    "morris: a rated match that becomes void": record_rated,
    "morris: an import with comments": record_annotated,
    "morris: takebacks, a pause that runs out, a draw by agreement": record_takebacks,
    "morris: to the end from a late position": record_whole("morris", "WW............WBB....W.B b 0 0", 2, 45),
    "morris: a challenge that is declined": record_declined,
    "morris: byo-yomi, and a flag that falls": record_periods,
    "mingmang: two passes and territory, untimed": record_territory,
    "mingmang: a time limit, and a flag that falls": record_flag,
    "mingmang: called off, by correspondence": record_aborted,
    "battlesheep, 2 seats: to the end": record_whole("battlesheep", "seats=2", 2, 7),
    "battlesheep, 2 seats: no first ply": record_no_show,
    "battlesheep, 3 seats: departures and a stand-in": record_departures,
    "battlesheep, 3 seats: the players lay the pasture": record_whole("battlesheep", "opening=tiles seats=3", 3, 11),
    "battlesheep, 4 seats: seats are skipped": record_skipping,
    "battlesheep, 3 seats: a seat that is left before the start": record_left_seat,
}


@cache
def event_log(name: str) -> Log:
    """Return the log of one of the `SCRIPTS`."""
    return SCRIPTS[name]().log(name)
